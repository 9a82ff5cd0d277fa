import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refreshTarget } from '../../src/extract/directives.ts'
import { hrefs, read } from './read.ts'

test('ours: links are a, area, frame and iframe, each once, in document order', () => {
  const html = `<a href=/1>x</a><AREA HREF='/2'><frame src="/3"><iframe src=/4></iframe><a href=/1#top>again</a>
    <link rel=next href=/no><img src=/no><a name=no><form action=/no><a href="/5">`
  assert.deepEqual(
    hrefs(html),
    [1, 2, 3, 4, 5].map(n => `http://a.com/${n}`),
  )
})

test('HTML 4.2.3: the first base with an href is for all links, also those before it', () => {
  assert.deepEqual(hrefs('<a href=1><base target=x><base href="/z/"><base href=/w/><a href=2>'), [
    'http://a.com/z/1',
    'http://a.com/z/2',
  ])
  assert.deepEqual(hrefs('<base href=//b.com><a href=1>'), ['http://b.com/1'])
})

test('HTML 4.2.3: a base that leads nowhere is as if it were not there, and hides a later one', () => {
  for (const base of ['data:x', 'javascript:x', 'http://[']) {
    assert.deepEqual(hrefs(`<base href="${base}"><base href=/z/><a href=1>`), ['http://a.com/x/1'])
  }
})

test('HTML 4.2.3: a base in noscript, svg or template is none', () => {
  for (const name of ['noscript', 'svg', 'template']) {
    assert.deepEqual(hrefs(`<${name}><base href=/no/></${name}><a href=1>`), ['http://a.com/x/1'], name)
    assert.deepEqual(hrefs(`<${name}><base href=/no/></${name}><base href=/z/><a href=1>`), ['http://a.com/z/1'], name)
  }
  assert.deepEqual(hrefs('<svg><p><base href=/z/></svg><a href=1>'), ['http://a.com/z/1'])
})

test('SVG 2 15.1.3: in svg the old name xlink:href is understood; href wins', () => {
  assert.deepEqual(hrefs('<svg><a xlink:href=/1><a XLINK:HREF="/2" href=/3><a href=/4 xlink:href=/5></svg>'), [
    'http://a.com/1',
    'http://a.com/3',
    'http://a.com/4',
  ])
  assert.deepEqual(hrefs('<a xlink:href=/1><a xlink:href=/1 href=/2><svg><a xlink:href=/3 rel=nofollow></svg>'), [
    'http://a.com/2',
  ])
})

test('HTML 13.2.5.80: references in attributes are resolved, but not before = or a letter', () => {
  assert.deepEqual(hrefs('<a href="?a=1&amp;b=2&copy=3&#x26;d&lt">'), ['http://a.com/x/y.html?a=1&b=2&copy=3&d%3C'])
})

test('HTML 13.2.5.36: NUL in an attribute is U+FFFD', () => {
  assert.deepEqual(hrefs('<a href="/a\0b">'), ['http://a.com/a%EF%BF%BDb'])
})

test('HTML 13.2.5: attributes in every shape', () => {
  const shapes = [
    'href = "/1"',
    "href='/1'",
    'href=/1',
    'x=y\nhref\t=\r\n/1',
    '/href=/1',
    '=x href=/1',
    'x href=/1 href=/2',
  ]
  for (const shape of [...shapes, 'title="a > b" href=/1', 'a"b href=/1', 'x="y"href=/1', "x='\"' href=/1"]) {
    assert.deepEqual(hrefs(`<a ${shape}>`), ['http://a.com/1'], shape)
  }
  assert.deepEqual(hrefs('<a href=/1/>'), ['http://a.com/1/'])
  assert.deepEqual(hrefs('<a href=>x'), ['http://a.com/x/y.html?q'])
})

test('HTML 13.2.5: what looks like a link and is none', () => {
  const none = ['<!-- <a href=/1> -->', '<script>"<a href=/1>"</script>', '<style><a href=/1></style>', '< a href=/1>']
  const cut = ['<a href="/1', '<a href=/1', '<a href="/1"', '<a href="/1" x']
  const raw = ['title', 'textarea', 'xmp', 'noembed', 'noframes', 'iframe'].map(
    name => `<${name}><a href=/1></${name}>`,
  )
  const more = ['<!x <a href=/1', '<?x <a href=/1>', '</a href=/1>', '<a\0 href=/1>', '<plaintext><a href=/1>']
  for (const html of [...none, ...cut, ...raw, ...more, '<template><a href=/1></template>', '<abc href=/1>']) {
    assert.deepEqual(hrefs(`${html}`), [], html)
  }
})

test('rule 5.10: a link with rel=nofollow is left out and counted', () => {
  const html = '<a rel=nofollow href=/1><a rel="x\tNoFollow y" href=/2><a rel=nofollows href=/3><a rel=ugc href=/4>'
  assert.deepEqual(hrefs(html), ['http://a.com/3', 'http://a.com/4'])
  assert.deepEqual(read(`${html}<a href=/1>`).refusedLinks, { nofollow: 2 })
  assert.deepEqual(hrefs(`${html}<a href=/1>`).at(-1), 'http://a.com/1')
})

test('ours: links that are refused are counted by reason', () => {
  const html = `<a href=mailto:x><a href="javascript:x"><a href="http://["><a href="/${'x'.repeat(2000)}"><a href=/ok>`
  const { links, refusedLinks } = read(html)
  assert.deepEqual(links, [{ href: 'http://a.com/ok', host: 'a.com', depth: 1 }])
  assert.deepEqual(refusedLinks, { protocol: 2, malformed: 1, 'too-long': 1 })
})

test('ours: links in noscript count, since no scripts run here', () => {
  assert.deepEqual(hrefs('<noscript><a href=/1></noscript>'), ['http://a.com/1'])
})

test('rule 5.10: a meta refresh is a link, in its place', () => {
  const html =
    '<a href=/1><META content="0;URL=\'/2\'" HTTP-EQUIV=Refresh><a href=/3><meta http-equiv=refresh content=5>'
  assert.deepEqual(
    hrefs(html),
    [1, 2, 3].map(n => `http://a.com/${n}`),
  )
  assert.deepEqual(hrefs('<base href=/b/><meta http-equiv=refresh content="0;x">'), ['http://a.com/b/x'])
})

test('HTML 7.4.6.4: a Refresh header is a link like a meta refresh, but no base holds for it', () => {
  const refreshed = (refresh: string | undefined, html = '<base href=/b/><a href=1>') => hrefs(html, { refresh })
  assert.deepEqual(refreshed('0; url=next'), ['http://a.com/x/next', 'http://a.com/b/1'])
  assert.deepEqual(refreshed('5;URL="http://b.com/"', ''), ['http://b.com/'])
  for (const none of [undefined, '', '5', 'next']) assert.deepEqual(refreshed(none), ['http://a.com/b/1'], none)
  assert.deepEqual(read('', { refresh: '0;/1', robotsTags: ['nofollow'] }).refusedLinks, { nofollow: 1 })
  assert.deepEqual(read('', { refresh: '0;mailto:x' }).refusedLinks, { protocol: 1 })
})

test('HTML 4.2.5.3: meta refresh in every shape', () => {
  const leads = [
    '0;url=x',
    '0; URL = x',
    ' 10 ;x',
    '0,x',
    '0 x',
    '0.5;url="x"y',
    "0;url='x' z",
    "0;'x'",
    '.;x',
    '1.2.3;x',
    '0;url="x',
  ]
  for (const content of leads) assert.equal(refreshTarget(content), 'x', content)
  for (const content of ['', '5', '0;', '0; ', 'x', ';x', 'url=x', '0x', '-1;x', '0;url=']) {
    assert.equal(refreshTarget(content), undefined, content)
  }
  assert.equal(refreshTarget('0;urx'), 'urx')
  assert.equal(refreshTarget('0;url x'), 'url x')
})

test('ours: at most 100,000 links; the rest is counted', () => {
  const many = Array.from({ length: 100_010 }, (_, n) => `<a href=/${n}>`).join('')
  const { links, refusedLinks } = read(many)
  assert.equal(links.length, 100_000)
  assert.equal(links.at(-1)?.href, 'http://a.com/99999')
  assert.deepEqual(refusedLinks, { 'too-many-links': 10 })
})
