import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PageTree } from '../../src/extract/select.ts'

const SHOP = `<!doctype html><title>Shop</title><style>h1{}</style>
<h1 class="big">The  <b>best</b>&nbsp;offers<script>x()</script></h1>
<ul id=list><li class=item><a HREF="/1?a=1&amp;b=2">One</a> <span class=price>R$ 1,00</span>
<li class="item sold"><a href=/2>Two</a> <span class=price>R$ 2,00</span></ul><p>&copy; us`

test('ours: elements are selected by CSS, with their text, markup and attributes', () => {
  const tree = new PageTree(SHOP)
  assert.deepEqual(
    tree.select('h1.big').map(({ text }) => text),
    ['The best offers'],
  )
  const items = tree.select('#list > li.item')
  assert.deepEqual(
    items.map(item => [
      item.select('a')[0]?.attr('href'),
      item
        .select('.price')
        .map(({ text }) => text)
        .join(),
    ]),
    [
      ['/1?a=1&b=2', 'R$ 1,00'],
      ['/2', 'R$ 2,00'],
    ],
  )
  assert.deepEqual(
    [items[1]!.attr('CLASS'), items[1]!.attr('id'), items[1]!.attr('constructor')],
    ['item sold', undefined, undefined],
  )
  assert.equal(tree.select('li:not(.sold) a')[0]!.html, '<a href="/1?a=1&amp;b=2">One</a>')
  assert.equal(tree.select('li:has(> .price)').length, 2)
  assert.deepEqual(tree.select('video'), [])
  assert.deepEqual(items[0]!.select('#list'), [], 'only what is in it')
})

test('ours: a selector that is none is an error with its reason', () => {
  for (const selector of ['li[', 'a:nonsense', 'li)', '>>>'])
    assert.throws(() => new PageTree(SHOP).select(selector), { code: 'PAGE_BAD_SELECTOR' }, selector)
})

test('ours: hostile markup is read as far as it is shallow, and takes no time', () => {
  const hostile = [
    '<div>',
    '<b>',
    '<p><b><i><a>',
    '<table>',
    '<a ',
    '<',
    '<!--',
    '<script>',
    '<p a=1 ',
    '</b>',
    '<select>',
    '<svg>',
  ]
  const before = process.cpuUsage().user
  for (const piece of hostile) {
    const tree = new PageTree(`<h1>first</h1>${piece.repeat(500_000 / piece.length)}`)
    assert.equal(tree.select('h1')[0]?.text, 'first', piece)
    for (const { text, html } of tree.select('body, div, b, a, table').slice(0, 3))
      assert.ok(text.length + html.length >= 0)
  }
  // A second or so in all; what is quadratic in the depth, or in the children of an element, takes many times as much.
  assert.ok((process.cpuUsage().user - before) / 1e6 < 30)
})
