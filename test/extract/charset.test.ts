import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hrefs, read } from './read.ts'

/** Bytes in latin-1, so that a test can say any of them. */
function bytes(latin1: string): Buffer {
  return Buffer.from(latin1, 'latin1')
}

function charset(latin1: string, contentType?: string): string {
  return read(bytes(latin1), { contentType }).charset
}

test('HTML 13.2.3.2: a byte order mark beats the header, the header beats the page', () => {
  const meta = '<meta charset=koi8-r>'
  assert.equal(charset(`\xef\xbb\xbf${meta}`, 'text/html; charset=latin1'), 'utf-8')
  assert.equal(charset(meta, 'text/html; charset=latin1'), 'windows-1252')
  assert.equal(charset(meta, 'text/html'), 'koi8-r')
  assert.equal(read(bytes('\xef\xbb\xbf<title>x')).title, 'x')
  assert.equal(read(bytes('\xef\xbb\xbfx y')).opening, 'x y')
})

test('HTML 13.2.3.2: a label that nobody knows is passed over', () => {
  assert.equal(charset('<meta charset=klingon><meta charset=koi8-r>', 'text/html; charset=elvish'), 'koi8-r')
  assert.equal(charset('<meta charset="">', 'text/html; charset='), 'windows-1252')
})

test('RFC 9110 8.3.1: charset in Content-Type, in every shape', () => {
  const shapes = [
    'text/html;charset=KOI8-R',
    'text/html; charset="koi8-r"',
    'text/html ; x=y; Charset=koi8-r ; z',
    'charset = koi8-r',
  ]
  for (const shape of shapes) assert.equal(charset('', shape), 'koi8-r', shape)
})

test('HTML 13.2.3.2: the prescan', () => {
  const found = [
    '<meta charset=koi8-r>',
    '<META x CHARSET = "KOI8-R">',
    '<meta http-equiv=Content-Type content="text/html; charset=koi8-r">',
    '<meta content="text/html; charset=\'koi8-r\'" http-equiv="content-type">',
    '<!-- <meta charset=big5> --><meta charset=koi8-r>',
    '<!--><meta charset=koi8-r>',
    '<p title="<meta charset=big5>"><meta charset=koi8-r>',
    '</p title="<meta charset=big5>"><meta charset=koi8-r>',
    '<!x <meta charset=big5><meta charset=koi8-r>',
    '<metal charset=big5><meta/charset=koi8-r>',
    '<meta content="text/html; charset=big5"><meta charset=koi8-r>',
    '<meta http-equiv=refresh content="charset=big5"><meta charset=koi8-r>',
    '<?xml version="1.0" encoding="big5"?><meta charset=koi8-r>',
    "<?xml version='1.0' encoding = 'koi8-r'?><p>",
  ]
  for (const html of found) assert.equal(charset(html), 'koi8-r', html)
  const missed = ['<!-- <meta charset=koi8-r>', '<meta charset=koi8-r', '< meta charset=koi8-r>']
  for (const html of missed) assert.equal(charset(html), 'windows-1252', html)
  for (const hidden of ['title', 'script', 'textarea']) {
    assert.equal(charset(`<${hidden}><meta charset=koi8-r></${hidden}>`), 'koi8-r', hidden)
  }
})

test('HTML 13.2.3.4: a declaration behind the first 1,024 bytes counts in the head, up to 64 KiB', () => {
  const long = 'x'.repeat(1200)
  const found = [
    `${' '.repeat(1010)}<meta charset=koi8-r>`,
    `<!-- ${long} --><meta charset=koi8-r>`,
    `<script>${long}"<meta charset=big5>"</script><meta charset=koi8-r>`,
    `<style>${long}<meta charset=big5></style><title>${long}<meta charset=big5></title><meta charset=koi8-r>`,
    `<script>${long}<!-- <script> </script> <meta charset=big5> --></script><meta charset=koi8-r>`,
    `<script>document.write("<p>")</script>${long}<meta charset=koi8-r>`,
    `<link title="${long}<meta charset=big5>"><meta http-equiv=content-type content="x; charset=koi8-r">`,
    `${long}<!-- <meta charset=big5> --><meta charset=klingon><meta charset=koi8-r>`,
    `${' '.repeat(65_515)}<meta charset=koi8-r>`,
  ]
  for (const html of found) assert.equal(charset(html), 'koi8-r', html)
  const missed = [
    `${' '.repeat(65_516)}<meta charset=koi8-r>`,
    `${' '.repeat(2_000_000)}<meta charset=koi8-r>`,
    `<script>${long}<meta charset=koi8-r>`,
    `${long}<title><meta charset=koi8-r></title>`,
    `<p>${long}<meta charset=koi8-r>`,
    `${long}</head><meta charset=koi8-r>`,
    `<head>${long}</head><body><meta charset=koi8-r>`,
    `<!-- ${long}<meta charset=koi8-r>`,
  ]
  for (const html of missed) assert.equal(charset(html), 'windows-1252')
  assert.equal(read(bytes(`${long}<meta charset=koi8-r><title>\xf0</title>`)).title, 'П')
})

test('HTML 13.2.3.2: a page that says utf-16 in ASCII is utf-8; x-user-defined is windows-1252', () => {
  for (const label of ['utf-16', 'utf-16be', 'utf-16le']) assert.equal(charset(`<meta charset=${label}>`), 'utf-8')
  assert.equal(charset('<meta charset=x-user-defined>'), 'windows-1252')
})

test('ours: without any label, valid UTF-8 beyond ASCII is utf-8, the rest windows-1252', () => {
  assert.equal(charset('plain'), 'windows-1252')
  assert.equal(charset('caf\xc3\xa9'), 'utf-8')
  assert.equal(charset('caf\xe9'), 'windows-1252')
  assert.equal(charset('caf\xc3\xa9 \xe9 x'), 'windows-1252')
  for (const cut of ['\xc3', '\xe6', '\xe6\x97', '\xf0\x9f', '\xf0\x9f\x98'])
    assert.equal(charset(`\xc3\xa9 ${cut}`), 'utf-8')
})

test('Encoding: pages in many charsets', () => {
  const pages: [label: string, latin1: string, text: string][] = [
    ['windows-1252', '\x80 caf\xe9 \x93x\x94', '€ café “x”'],
    ['latin1', '\x80', '€'],
    ['iso-8859-2', '\xa3\xf3d\xbc', 'Łódź'],
    ['windows-1251', '\xcf\xf0\xe8\xe2\xe5\xf2', 'Привет'],
    ['koi8-r', '\xf0\xd2\xc9\xd7\xc5\xd4', 'Привет'],
    ['gbk', '\xd6\xd0\xce\xc4', '中文'],
    ['gb18030', '\x81\x30\x81\x30', '\u0080'],
    ['big5', '\xa4\xa4\xa4\xe5', '中文'],
    ['shift_jis', '\x93\xfa\x96\x7b', '日本'],
    ['euc-jp', '\xc6\xfc\xcb\xdc', '日本'],
    ['iso-2022-jp', '\x1b$BF|K\\\x1b(B', '日本'],
    ['euc-kr', '\xc7\xd1\xb1\xdb', '한글'],
    ['utf-8', '\xe6\x97\xa5\xe6\x9c\xac', '日本'],
  ]
  for (const [label, latin1, text] of pages) {
    const page = bytes(`<title>${latin1}</title><p>${latin1}<a href="/${latin1}">`)
    const { title, opening, links } = read(page, { contentType: `text/html; charset=${label}` })
    const visible = text.replace('\u0080', '')
    assert.deepEqual([title, opening], [visible, visible], label)
    assert.equal(links[0]?.href, `http://a.com/${encodeURI(text)}`, label)
  }
})

test('Encoding: UTF-16 by its byte order mark, by the header, and by an XML declaration', () => {
  const html = '<?xml version="1.0"?><title>日本 é</title><a href="/é">x y</a>'
  const little = Buffer.from(html, 'utf16le')
  const big = Buffer.from(little).swap16()
  const mark = Buffer.from('\ufeff', 'utf16le')
  const pages: [Buffer, string | undefined, string][] = [
    [Buffer.concat([mark, little]), 'text/html; charset=utf-8', 'utf-16le'],
    [Buffer.concat([Buffer.from(mark).swap16(), big]), undefined, 'utf-16be'],
    [little, 'text/html; charset=utf-16', 'utf-16le'],
    [big, 'text/html; charset=utf-16be', 'utf-16be'],
    [little, undefined, 'utf-16le'],
    [big, undefined, 'utf-16be'],
  ]
  for (const [page, contentType, expected] of pages) {
    const found = read(page, { contentType })
    assert.deepEqual([found.charset, found.title, found.tokens], [expected, '日本 é', 2])
    assert.deepEqual(hrefs(page, { contentType }), ['http://a.com/%C3%A9'])
  }
})

test('Encoding: bytes that are not UTF-8 become U+FFFD, and hide no markup', () => {
  const page = bytes('<title>a\xffb\xe6</title><p>x\xe6<b>y\xc3</b> <a href="/\xff\xe6">z\xf0\x9f</a>')
  const { title, opening, links } = read(page, { contentType: 'text/html; charset=utf-8' })
  assert.equal(title, 'a\ufffdb\ufffd')
  assert.equal(opening, 'x\ufffdy\ufffd z\ufffd')
  assert.equal(links[0]?.href, 'http://a.com/%EF%BF%BD%EF%BF%BD')
})

test('URL 4.4: the query of a link is in the charset of the page, path and host are not', () => {
  const pages: [label: string, latin1: string, href: string][] = [
    ['windows-1252', '/\xe9?q=\xe9&r=\x80#\xe9', '/%C3%A9?q=%E9&r=%80'],
    ['windows-1252', '?q=&eacute;&#1046;', '/x/y.html?q=%E9%26%231046%3B'],
    ['windows-1251', '?q=\xcf', '/x/y.html?q=%CF'],
    ['shift_jis', '?q=\x93\xfa\x96\x7b', '/x/y.html?q=%93%FA%96{'],
    ['gbk', '?q=\xd6\xd0', '/x/y.html?q=%D6%D0'],
    ['big5', '?q=\xa4\xa4', '/x/y.html?q=%A4%A4'],
    ['euc-kr', '?q=\xc7\xd1', '/x/y.html?q=%C7%D1'],
    ['utf-8', '?q=\xc3\xa9', '/x/y.html?q=%C3%A9'],
    ['iso-2022-jp', '?q=&eacute;', '/x/y.html?q=%C3%A9'],
  ]
  for (const [label, latin1, href] of pages) {
    const found = hrefs(bytes(`<a href="${latin1}">`), { contentType: `text/html; charset=${label}` })
    assert.deepEqual(found, [`http://a.com${href}`], label)
  }
})
