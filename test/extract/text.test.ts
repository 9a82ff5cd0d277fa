import assert from 'node:assert/strict'
import { test } from 'node:test'
import { read } from './read.ts'

function words(html: string): string {
  const { opening, tokens } = read(html)
  assert.equal(tokens, opening === '' ? 0 : opening.split(' ').length, `${html}: ${tokens} words`)
  return opening
}

test('ours: inline tags and comments divide no words, blocks do', () => {
  assert.equal(words('<b>foo</b>bar<span>baz</span><!-- x -->q<script>y</script>z'), 'foobarbazqz')
  assert.equal(words('a<p>b</p>c<br>d<li>e<td>f<div>g</div>h<x-y>i'), 'a b c d e f g hi')
})

test('ours: words are divided by what \\s means, also as a reference', () => {
  assert.equal(words('a\u00a0b\u3000c\u2003d\u2028e\tf\ng\fh'), 'a b c d e f g h')
  assert.equal(words('a&nbsp;b&nbspc&#32;d&#xa0;e&#10f&emsp;g&Tab;h&ensp'), 'a b c d e f g h&ensp')
  assert.equal(words('  \n &nbsp; '), '')
})

test('ours: the same after the opening is full, where only counting goes on', () => {
  const twenty = 'w '.repeat(20)
  const texts = [
    'a b',
    'a\u00a0b',
    'a&nbsp;b',
    'a<p>b',
    'a &#65;',
    'ab\u3000\u3000cd',
    '日本　語',
    '< b',
    'é é',
    '&#x1b; a\0 b',
  ]
  for (const text of texts) assert.equal(read(twenty + text).tokens, 22, text)
  for (const text of [
    'ab',
    'a<b>b',
    'a&amp;b',
    '日本語',
    '&',
    '&#0;',
    'a\0b',
    '\u200ea',
    '&rlm;a',
    '...',
    '\x01\x02a',
    '<',
  ]) {
    assert.equal(read(twenty + text).tokens, 21, text)
    assert.equal(read(twenty + text).opening, twenty.trim())
  }
})

test('ours: text that nobody sees does not count', () => {
  const hidden = ['script', 'style', 'noscript', 'template', 'textarea', 'title', 'svg', 'iframe', 'xmp', 'noframes']
  for (const name of hidden) assert.equal(words(`a <${name}>x y</${name}> b`), 'a b', name)
  assert.equal(words('<svg><title>t</title><style>s</style><text>x</text></svg>a'), 'a')
  assert.equal(words('<svg><g>x<p>a'), 'a')
  assert.equal(words('<svg/>a'), 'a')
})

test('rule 5.14: the opening is the first 20 words, joined by one blank', () => {
  const { opening, tokens } = read(Array.from({ length: 30 }, (_, n) => `<p>w${n}\n\n`).join(''))
  assert.equal(opening, Array.from({ length: 20 }, (_, n) => `w${n}`).join(' '))
  assert.equal(tokens, 30)
})

test('ours: references are resolved in the opening, and none is made out of two pieces', () => {
  assert.equal(words('caf&eacute; &lt;b&gt; &amp;amp; &#x1F600; &copy &#128; &#0;'), 'café <b> &amp; 😀 © € \ufffd')
  assert.equal(words('&am<b></b>p; &a\0mp;'), '&amp; &amp;')
})

test('ours: control characters and turns of direction are left out, in the opening and in the title', () => {
  const dirty = 'a\x1b[31mb\0c\x7f\u0085d&#27;e&#x9d;f\u202eg&lrm;h\u2066i'
  assert.equal(words(dirty), 'a[31mbcdefghi')
  assert.equal(words('\x01 \x02 a'), 'a')
  assert.equal(read(`<title>${dirty}</title>`).title, 'a[31mbcdefghi')
})

test('ours: a word of the opening has at most 200 characters and no half ones', () => {
  assert.equal(words('x'.repeat(1_000_000)), 'x'.repeat(200))
  assert.equal(words('<b>x'.repeat(1000)), 'x'.repeat(200))
  assert.equal(words(`x${'😀'.repeat(200)}`), `x${'😀'.repeat(99)}`)
  assert.equal(words('&CounterClockwiseContourIntegral;'.repeat(300)), '∳'.repeat(200))
})

test('ours: the title is the first one outside of svg and template', () => {
  assert.equal(read('<title>\n A &amp;\tB <b>c</b></title><title>no</title>').title, 'A & B <b>c</b>')
  assert.equal(
    read('<svg><title>no</title></svg><template><title>no</title></template><title>yes</title>').title,
    'yes',
  )
  assert.equal(read('<title></title><title>no</title>').title, '')
  assert.equal(read('<p>no title').title, '')
  assert.equal(read('<title>open').title, 'open')
  assert.equal(read('<TITLE >a</titles></ title></TITLE\n>b').title, 'a</titles></ title>')
})

test('ours: a title has at most 1,000 characters', () => {
  assert.equal(read(`<title>${'x'.repeat(100_000)}</title>`).title, 'x'.repeat(1000))
  assert.equal(read(`<title>x${'😀'.repeat(1000)}</title>`).title, `x${'😀'.repeat(499)}`)
})

test('HTML 13.2.5.43: where comments end', () => {
  for (const comment of [
    '<!---->',
    '<!-->',
    '<!--->',
    '<!-- x --->',
    '<!-- x --!>',
    '<!----!>',
    '<!-- > - -> -->',
    '<!--a<!--b-->',
  ]) {
    assert.equal(words(`a ${comment}b`), 'a b', comment)
  }
  for (const comment of ['<!--', '<!-- x', '<!---!>', '<!--!>', '<!-- -- >'])
    assert.equal(words(`a ${comment}b`), 'a', comment)
})

test('HTML 13.2.5.42: declarations, instructions and empty end tags end at the next >', () => {
  for (const markup of ['<!doctype html>', '<!x>', '<![CDATA[x>', '<?xml x?>', '</ x>', '</>', '</3>', '<!>']) {
    assert.equal(words(`a ${markup}b`), 'a b', markup)
  }
  assert.equal(words('<svg><![CDATA[ > <p>x ]]><text>y</svg>a'), 'a')
})

test('HTML 13.2.5.6: a < that begins no tag is text', () => {
  assert.equal(words('a < b <3 <= <'), 'a < b <3 <= <')
  assert.equal(words('a </'), 'a </')
})

test('HTML 13.2.5.15: where scripts end', () => {
  for (const script of [
    'if (a<b) "</scrip>"',
    '<!-- x',
    '<!-- <script> </script> -->',
    '<!--><script>',
    '<!-- <script>--><script>',
  ]) {
    assert.equal(words(`<script>${script}</SCRIPT >a`), 'a', script)
  }
  assert.equal(words('<script><!-- <script> </script>x</script>a'), 'a')
  assert.equal(words('<script><!-- <script> </script>a'), '')
})
