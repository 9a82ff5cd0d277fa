// The tests run in the order in which they stand: the first one needs a process that has not read such a page yet.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { hrefs, read } from './read.ts'

const isLoaded = () => Object.keys(createRequire(import.meta.url).cache).some(path => path.includes('@exodus'))

function textOf(charset: string, latin1: string): string {
  return read(Buffer.from(`<title>[${latin1}]</title>`, 'latin1'), { contentType: `text/html; charset=${charset}` })
    .title
}

test('ours: the tables of legacy encodings are loaded when a page comes that needs them', () => {
  for (const charset of ['utf-8', 'windows-1252', 'iso-8859-2', 'gb18030', 'utf-16le']) textOf(charset, 'caf\xe9')
  textOf('euc-kr', 'plain')
  assert.equal(isLoaded(), false)
  textOf('euc-kr', '\xc7\xd1')
  assert.equal(isLoaded(), true)
})

test('Encoding 9 to 13: what Node reads otherwise is read by the standard', () => {
  const cases: [charset: string, latin1: string, text: string][] = [
    ['euc-kr', '\x81\x41\xc8\xfe', '[갂힝]'],
    ['euc-kr', '\xc9\xa1', '[\ufffd]'],
    ['big5', '\x87\x40\x88\x62\xfc\x4d', '[䏰Ê̄𦢈]'],
    ['shift_jis', '\xfa\x40\x81\x60\xf0\x40', '[ⅰ～\ue000]'],
    ['euc-jp', '\x8f\xa2\xb7\x8e\xb1', '[～ｱ]'],
    ['gbk', '\xa2\xe3\x80\xa6\xd9', '[€€︐]'],
    ['iso-8859-16', '\xa4\xaa\xba', '[€Șș]'],
    [' ISO-8859-16 ', '\xde', '[Ț]'],
    ['koi8-u', '\xae\xbe', '[ўЎ]'],
    ['windows-874', '\xdb', '[\ufffd]'],
    ['windows-1253', '\xaa', '[\ufffd]'],
    ['windows-1255', '\xca', '[\u05ba]'],
  ]
  for (const [charset, latin1, text] of cases) assert.equal(textOf(charset, latin1), text, charset)
})

test('URL 4.4, Encoding 12 to 13: queries in the encoding of the page, by the encoders of the standard', () => {
  const cases: [charset: string, query: string, written: string][] = [
    // Big5 has codes for Hong Kong that are only read.
    ['big5', '&#x43F0;', '%26%2317392%3B'],
    ['big5', '&#x5341;', '%A4Q'],
    ['euc-kr', '&#xAC02;', '%81A'],
    ['shift_jis', '&#x2170;', '%FA@'],
    ['gb18030', '&#x1F600;', '%949%FC6'],
    ['windows-1251', '&#x41F;&#x1F600;&#xE9;', '%CF%26%23128512%3B%26%23233%3B'],
    ['iso-8859-16', '&#x218;', '%AA'],
  ]
  for (const [charset, query, written] of cases) {
    const found = hrefs(Buffer.from(`<a href="/?q=${query}">`), { contentType: `text/html; charset=${charset}` })
    assert.deepEqual(found, [`http://a.com/?q=${written}`], charset)
  }
})

test('ours: 20,000 links with such queries take no time to speak of', () => {
  const page = `<a href="/?${'&eacute;&#x4e2d;'.repeat(5)}&n=%">`
  const html = Array.from({ length: 20_000 }, (_, n) => page.replace('%', String(n))).join('')
  for (const charset of ['windows-1252', 'big5', 'gb18030']) {
    const started = process.cpuUsage()
    const { links } = read(Buffer.from(html), { contentType: `text/html; charset=${charset}` })
    const { user, system } = process.cpuUsage(started)
    assert.equal(links.length, 20_000)
    assert.ok(user + system < 5e6, `${charset}: ${(user + system) / 1000} ms`)
  }
})

test('ours: where an ES module can not be loaded at once, Node reads these pages in its own way', () => {
  const script = `
    const { extract } = await import(${JSON.stringify(new URL('../../src/extract/extract.js', import.meta.url).href)})
    const titles = ['euc-kr', 'iso-8859-16'].map(charset => extract({
      body: Buffer.from('<title>\\xc7\\xd1</title><a href="/?\\xc7\\xd1">', 'latin1'),
      url: 'http://a.com/', contentType: 'text/html; charset=' + charset, robotsTags: [], agent: 'a' }).title)
    process.stdout.write(JSON.stringify(titles))`
  const options = ['--no-experimental-require-module', '--input-type=module', '--eval', script]
  const titles = JSON.parse(execFileSync(process.execPath, options, { encoding: 'utf8' }))
  assert.deepEqual(titles, ['한', nodeReads(Buffer.from('\xc7\xd1', 'latin1'), 'iso-8859-16')])
})

/** How this Node decodes it; versions before 26 don't know some encodings, and read them as Latin 1. */
function nodeReads(bytes: Buffer, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    return bytes.toString('latin1')
  }
}
