import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FetchedPage } from '../../src/extract/extract.ts'
import { read } from './read.ts'

function anchors(html: string, more: Partial<FetchedPage> = {}): string[] {
  return read(html, { ...more, wanted: { anchors: true } }).anchors!.map(({ url, text, rel }) =>
    [url.href.replace('http://a.com', ''), text, ...(rel === '' ? [] : [rel])].join(' | '),
  )
}

test('anchors: every link in document order, with its text and its rel, repeated ones and nofollow ones too', () => {
  assert.deepEqual(
    anchors(
      '<a href=/1>one\n <b>and</b> more</a><a href=/1>again</a><a rel="NoFollow\n noopener" href=/2>two</a><a name=x>no</a>',
    ),
    ['/1 | one and more', '/1 | again', '/2 | two | nofollow noopener'],
  )
})

test('anchors: frames, areas and refreshes are links without a text of their own', () => {
  assert.deepEqual(
    anchors('a<meta http-equiv=refresh content="1;url=/m"><iframe src=/i>x</iframe><area href=/r alt=" an  area">b', {
      refresh: '0;url=/h',
    }),
    ['/h | ', '/m | ', '/i | ', '/r | an area'],
  )
})

test('anchors: what is no web URL is no anchor, and is counted as ever', () => {
  const page = read(
    '<a href=mailto:x@y.z>m</a><a href=//[>n</a><a rel=nofollow href=javascript:x>j</a><a href=/1>1</a>',
    {
      wanted: { anchors: true },
    },
  )
  assert.deepEqual(page.refusedLinks, { protocol: 1, malformed: 1, nofollow: 1 })
  assert.equal(page.anchors!.length, 1)
})

test('anchors: a page that says nofollow has anchors, and no links', () => {
  const page = read('<meta name=robots content=nofollow><a href=/1>1</a>', { wanted: { anchors: true } })
  assert.deepEqual([page.nofollow, page.links.length, page.anchors!.length], [true, 0, 1])
  assert.deepEqual(page.refusedLinks, { nofollow: 1 })
})

test('HTML 13.2.6: a link ends with its end tag, with the next link, with its cell, and with the page', () => {
  assert.deepEqual(anchors('<a href=/1>a<p>b</a>c<a href=/2>d<div>e<a>f</a>'), ['/1 | a b', '/2 | d e'])
  assert.deepEqual(anchors('<table><tr><td><a href=/1>a<td>b<tr><td><a href=/2>c</table>d<a href=/3>e'), [
    '/1 | a',
    '/2 | c',
    '/3 | e',
  ])
  assert.deepEqual(anchors('<a href=/1><table><tr><td>a<td>b</table>c</a>d'), ['/1 | a b c'])
})

test('anchors: a link without a text is called what its image says', () => {
  assert.deepEqual(
    anchors('<a href=/1><img alt="&lt;a b&gt;"><img alt=c></a><a href=/2>d<img alt=e></a><a href=/3><img>'),
    ['/1 | <a b>', '/2 | d', '/3 | '],
  )
})

test('anchors: a link that nobody sees has a text, which is not part of the page', () => {
  for (const place of ['noscript', 'svg']) {
    const html = `a <${place}><a href=/1>b <tspan>c</tspan></a>d</${place}> e`
    assert.deepEqual(anchors(html), ['/1 | b c'], place)
    const { text, tokens } = read(html, { wanted: { anchors: true, textUnits: Infinity } })
    assert.deepEqual([text!.replace('\n', ' '), tokens], ['a e', 2], place)
  }
  assert.deepEqual(anchors('<a href=/1>x<svg><title>y</title></svg><noscript>z</noscript><script>1</script> w</a>'), [
    '/1 | x w',
  ])
  assert.deepEqual(anchors('<template><a href=/1>x</a></template>'), [])
  assert.deepEqual(anchors('<noscript><a href=/1>x</noscript>y'), ['/1 | x'])
})

test('XML 3.1: a link that ends where it begins has no text', () => {
  assert.deepEqual(anchors('<a href="/1"/>x', { contentType: 'application/xhtml+xml' }), ['/1 | '])
  assert.deepEqual(anchors('<a href="/1"/>x'), ['/1 | x'])
})

test('anchors: texts, rels and their number are bounded, and free of control characters', () => {
  assert.deepEqual(anchors(`<a href=/1 rel="${'x '.repeat(200)}">${'😀'.repeat(300)}</a>`), [
    `/1 | ${'😀'.repeat(250)} | ${'x '.repeat(50).trim()}`,
  ])
  assert.deepEqual(anchors('<a href=/1 rel="a\x1bb">\x1b[2Jx\u202ey</a><a href=/2><img alt="\x07z"></a>'), [
    '/1 | [2Jxy | ab',
    '/2 | z',
  ])
  assert.equal(read('<a href=/1>'.repeat(100_002), { wanted: { anchors: true } }).anchors!.length, 100_000)
})

test('RFC 6596: the canonical URL of a page, or else of its Link header', () => {
  const canonical = (html: string, ...linkHeaders: string[]) =>
    read(html, { linkHeaders, wanted: { canonical: true } }).canonical
  assert.equal(canonical('<base href=/b/><link href="c?d=1&amp;e#f" rel="x Canonical">'), 'http://a.com/b/c?d=1&e')
  assert.equal(
    canonical('<link rel=canonical href=/1><link rel=canonical href=/2>', '</3>; rel=canonical'),
    'http://a.com/1',
  )
  assert.equal(
    canonical('<base href=/b/>', '</1>; rel=next, <2?x=ç>; title="a"; rel="prev canonical"'),
    'http://a.com/x/2?x=%EF%BF%BD',
  )
  assert.equal(canonical('<link rel=canonical href=javascript:1>'), undefined)
  for (const html of [
    '',
    '<link rel=next href=/1>',
    '<link rel=canonical>',
    'text <link rel=canonical href=/1>',
    '<svg><link rel=canonical href=/1></svg>',
  ])
    assert.equal(canonical(html), undefined, html)
  assert.equal(canonical('', '<'.repeat(100_000), `<x>${'; rel'.repeat(100_000)}`), undefined)
})
