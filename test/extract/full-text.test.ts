import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RandomSource, seeds } from '../model/random-source.ts'
import { randomPage } from './random-page.ts'
import { read } from './read.ts'

const ALL = { textUnits: Infinity, textDigest: true, anchors: true, canonical: true }

function text(html: string | Uint8Array, textUnits = Infinity): string {
  return read(html, { wanted: { textUnits } }).text!
}

test('text: text has one blank between words and one line feed between blocks', () => {
  assert.equal(text('<h1> A\n title</h1><p>one <b>two</b>three<br>four</p>five'), 'A title\none twothree\nfour\nfive')
  assert.equal(text('<ul><li>a<li>b</ul><table><tr><td>1<td>2<tr><th>3</table>'), 'a\nb\n1 2\n3')
  assert.equal(text(' a <div> </div><div><p> b'), 'a\nb')
  assert.equal(text('a <p>'), 'a')
  assert.equal(text(''), '')
  assert.equal(text('<p> <p>&nbsp;'), '')
})

test('text: references are resolved in text, whatever their length', () => {
  assert.equal(text('&lt;p&gt; &amp;amp; caf&eacute; &notit; &nGt; &#65B &#x1F600;'), '<p> &amp; café ¬it; ≫⃒ AB 😀')
  assert.equal(
    text(`&#${'0'.repeat(100)}65; &CounterClockwiseContourIntegral;x &${'a'.repeat(50)};`),
    `A ∳x &${'a'.repeat(50)};`,
  )
  assert.equal(text('&am<b></b>p; &a\0mp;'), '&amp; &amp;')
  assert.equal(text('&nGt;'.repeat(100_000)), '≫⃒'.repeat(100_000))
})

test('text: control characters and turns of direction are left out of text', () => {
  assert.equal(text('a\x1b[31mb\0c\x7f\u0085d&#27;e&#x9d;f\u202eg&lrm;h\u2066i'), 'a[31mbcdefghi')
})

test('text: text ends at its bound, but never within a character or with a divider', () => {
  assert.equal(text('abc def', 7), 'abc def')
  assert.equal(text('abc def', 6), 'abc de')
  assert.equal(text('abc def', 4), 'abc')
  assert.equal(text('x😀😀', 4), 'x😀')
  assert.equal(text('日本語'.repeat(10), 5), '日本語日本')
  assert.equal(text('x', 0), '')
  assert.equal(text('x'.repeat(1_000_000), 1000), 'x'.repeat(1000))
})

test('text: what is no UTF-8 is U+FFFD, and is not joined over a tag', () => {
  assert.equal(text(Buffer.from('<meta charset=utf-8>a\xc3<b></b>\xa9', 'latin1')), 'a\ufffd\ufffd')
})

test('text: the digest of the text is that of all of it, and of nothing else', () => {
  const digest = (html: string, textUnits?: number) =>
    read(html, { wanted: { textDigest: true, ...(textUnits === undefined ? {} : { textUnits }) } }).textDigest
  const one = digest('<title>a</title><p class=x>some <b>words</b></p><script>1</script>')
  assert.equal(one, digest('<title>b</title><div>some\n words</div><!-- 2 -->'))
  assert.equal(one, digest('some words', 3))
  assert.notEqual(one, digest('some words.'))
  assert.equal(one, 'LVOK4D2TBIMVLDOAEO5YM3BSNZOPLWHB')
})

test('text: only what was asked for is there, and the rest is the same', () => {
  const plain = read('<title>t</title><p>a <a href=/x>b</a>')
  assert.deepEqual(
    Object.keys(plain).filter(key => key in { text: 1, textDigest: 1, anchors: 1, canonical: 1 }),
    [],
  )
  const { text: all, textDigest, anchors, ...rest } = read('<title>t</title><p>a <a href=/x>b</a>', { wanted: ALL })
  assert.deepEqual(rest, plain)
  assert.deepEqual([all, textDigest?.length, anchors?.length], ['a b', 32, 1])
})

test('text: links that are not wanted are not read, and anchors need them', () => {
  const html =
    '<base href=/b/><link rel=canonical href=c><meta http-equiv=refresh content="0;url=/r"><a rel=nofollow href=/x>b</a><a href=y>c'
  const without = read(html, { refresh: '0;url=/h', wanted: { links: false, canonical: true } })
  assert.deepEqual([without.links, without.refusedLinks, without.canonical], [[], {}, 'http://a.com/b/c'])
  assert.equal(read(html, { wanted: { links: false, anchors: true } }).anchors!.length, 3)
})

test('text: with and without text, words and links of random pages are the same', t => {
  for (const seed of seeds(t, 500, 500)) {
    const random = new RandomSource(seed)
    const start = random.pick(['', 'w ', 'w '.repeat(19), '<svg><a href=s>'])
    const html =
      start +
      randomPage(random, {
        extras: ['<svg>', '</svg>', '<table><td>', '</table>', '<![CDATA[x & y <]]>'],
        isBroken: random.chance(0.5),
      })
    const contentType = random.pick(['text/html; charset=utf-8', 'application/xhtml+xml; charset=utf-8'])
    const where = `seed ${seed}: ${JSON.stringify(html)}`
    const plain = read(html, { contentType })
    const {
      text: all,
      textDigest,
      anchors,
      ...rest
    } = read(html, { contentType, wanted: { ...ALL, canonical: false } })
    assert.deepEqual(rest, plain, where)
    assert.equal(all === '' ? 0 : all!.split(/[ \n]/).length, plain.tokens, where)
    assert.equal(all!.split(/[ \n]/, 20).join(' '), plain.opening, where)
    assert.deepEqual(
      [...new Set(anchors!.map(({ url }) => url.href))],
      plain.links.map(({ href }) => href),
      where,
    )
  }
})
