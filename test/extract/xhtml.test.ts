import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hrefs, read } from './read.ts'

const XHTML = { contentType: 'application/xhtml+xml; charset=utf-8' }

function words(xhtml: string): string {
  const { opening, tokens } = read(xhtml, XHTML)
  assert.equal(tokens, opening === '' ? 0 : opening.split(' ').length, `${xhtml}: ${tokens} words`)
  return opening
}

test('XML 3.1: an element that ends where it begins swallows nothing', () => {
  const names = 'script style title textarea xmp iframe noembed noframes plaintext a noscript template svg div'.split(
    ' ',
  )
  for (const name of names) {
    for (const empty of [`<${name}/>`, `<${name} />`, `<${name} src="x" class='y'/>`, `<${name}\n\tid="x"\n/>`]) {
      const html = `<p>a</p>${empty}<p>b <a href="/1">c</a></p>`
      assert.equal(words(html), 'a b c', html)
      assert.equal(hrefs(html, XHTML).at(-1), 'http://a.com/1', html)
    }
  }
})

test('HTML 13.2.5: outside of XML such an element is open', () => {
  for (const name of ['script', 'style', 'title', 'textarea']) {
    assert.deepEqual(hrefs(`<${name}/><a href="/1">`), [], name)
    assert.deepEqual(hrefs(`<${name}/><a href="/1">`, { contentType: 'text/xhtml' }), [], name)
  }
})

test('RFC 3236: application/xhtml+xml in every shape is XML, and nothing else is', () => {
  const html = '<title/><a href="/1">'
  for (const contentType of [
    'application/xhtml+xml',
    ' Application/XHTML+XML ;charset=utf-8',
    'application/xhtml+xml ',
  ]) {
    assert.deepEqual(hrefs(html, { contentType }), ['http://a.com/1'], contentType)
  }
  for (const contentType of ['text/html', 'application/xhtml', 'application/xhtml+xmlx', 'x; application/xhtml+xml']) {
    assert.deepEqual(hrefs(html, { contentType }), [], contentType)
  }
})

test('XML 2.4: an attribute without quotes keeps its slash, since it is no XML anyway', () => {
  assert.deepEqual(hrefs('<iframe src=/1/></iframe><a href=/2/>', XHTML), ['http://a.com/1/', 'http://a.com/2/'])
})

test('XML 2.7: a CDATA section is text, whatever is in it', () => {
  assert.equal(words('a <![CDATA[<p>b</p> & c &amp; d]]>e'), 'a <p>b</p> & c &amp; de')
  assert.equal(words('a<![CDATA[]]>b<![CDATA[ ]]>c'), 'ab c')
  assert.equal(words('<![CDATA[ é\u00a0\u3000日本 \u0007x ]] ]> '), 'é 日本 x ]] ]>')
  assert.equal(words('a <![CDATA[b'), 'a b')
  assert.deepEqual(hrefs('<![CDATA[<a href="/no">]]><a href="/1">', XHTML), ['http://a.com/1'])
  const many = read(`${'w '.repeat(20)}<![CDATA[a < b & c]]>`, XHTML)
  assert.deepEqual([many.tokens, many.opening], [25, 'w '.repeat(20).trim()])
  assert.equal(words('<svg><![CDATA[x]]></svg><noscript><![CDATA[x]]></noscript>a'), 'a')
})

test('XML 2.7: a CDATA section hides the end of a script and of a title', () => {
  const script = '<script>//<![CDATA[\nif (a<b) w("</script><a href=/no>")\n//]]></script>'
  assert.deepEqual(hrefs(`${script}<a href="/1">`, XHTML), ['http://a.com/1'])
  assert.equal(words(`<style><![CDATA[</style>]]> <![CDATA[</style>]]></style>a`), 'a')
  const { title } = read('<title>A <![CDATA[& </title> &amp; ]]>B &amp; C</title>', XHTML)
  assert.equal(title, 'A & </title> &amp; B & C')
  assert.equal(read('<title/><title>no</title>', XHTML).title, '')
})

test('XML 2.6: an instruction ends with ?>', () => {
  assert.equal(words('a <?php if (1 > 2) echo "<p>x</p>" ?>b'), 'a b')
  assert.deepEqual(hrefs('<?x > <a href="/no"> ?><a href="/1">', XHTML), ['http://a.com/1'])
  assert.equal(words('a <?x'), 'a')
})

test('XML 2.8: a document type may have declarations of its own', () => {
  const doctype = '<!DOCTYPE html [ <!ENTITY a "<p>x</p>"> <!-- ] --> ]\n>'
  assert.equal(words(`${doctype}a`), 'a')
  assert.equal(words('<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://x/y.dtd">a'), 'a')
})

test('XML 4.3.3: XHTML is in the encoding of its declaration, or else in UTF-8', () => {
  const charset = (latin1: string, contentType = 'application/xhtml+xml') =>
    read(Buffer.from(latin1, 'latin1'), { contentType }).charset
  assert.equal(charset('<?xml version="1.0" encoding="koi8-r"?><meta charset="big5"/>'), 'koi8-r')
  assert.equal(charset('<html><meta charset="koi8-r"/></html>'), 'utf-8')
  assert.equal(charset('<html>\xc3\xa9</html>'), 'utf-8')
  assert.equal(charset('<html>\xe9<meta charset="koi8-r"/></html>'), 'koi8-r')
  assert.equal(charset('<html>\xe9</html>'), 'windows-1252')
  assert.equal(charset('<?xml encoding="koi8-r"?>', 'application/xhtml+xml; charset=big5'), 'big5')
  const little = Buffer.from('<?xml version="1.0"?><title>é</title>', 'utf16le')
  assert.equal(read(little, { contentType: 'application/xhtml+xml' }).title, 'é')
})

test('ours: a manual whose pages have empty titles and scripts is found whole', () => {
  const chapters = Array.from({ length: 302 }, (_, n) => `<li><a href="ch${n}.xhtml"/><a id="x${n}"/>Chapter</li>`)
  const html = `<?xml version="1.0"?><html><head><title/><script src="x.js"/><base href="/doc/"/></head><body>
    <script type="text/javascript"/><ul>${chapters.join('')}</ul></body></html>`
  const page = read(html, XHTML)
  assert.deepEqual([page.links.length, page.links[301]?.href], [302, 'http://a.com/doc/ch301.xhtml'])
  assert.equal(page.tokens, 302)
})
