import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostOf } from '../../src/url/host-of.ts'
import { prepareBase, type WebUrl, webUrl } from '../../src/url/web.ts'

const PAGE = prepareBase('http://example.com/a/b/page.html?q=1#top')

function becomes(text: string, href: string): WebUrl {
  const found = webUrl(text, PAGE)
  assert.ok(typeof found !== 'string', `${JSON.stringify(text)} is refused: ${found}`)
  assert.equal(found.href, href, JSON.stringify(text))
  assert.equal(found.host, hostOf(href), JSON.stringify(text))
  assert.deepEqual(webUrl(href), found, 'a canonical URL stays the same when it is read again')
  return found
}

function refused(text: string, why: string): void {
  assert.equal(webUrl(text, PAGE), why, JSON.stringify(text.slice(0, 80)))
}

test('URL 1.3: a caret is encoded in a path, and stays in a query', () => {
  const base = prepareBase('http://a.org/x^y/z')
  for (const [text, href] of [
    ['http://a.org/^', 'http://a.org/%5E'],
    ['/a^b?c^d#^', 'http://a.org/a%5Eb?c^d'],
    ['b^', 'http://a.org/x%5Ey/b%5E'],
    ['plain', 'http://a.org/x%5Ey/plain'],
    ['?^', 'http://a.org/x%5Ey/z?^'],
    ['/%5e', 'http://a.org/%5e'],
    ['http://me^:pw@a.org/^', 'http://a.org/%5E'],
  ] as const) {
    const url = webUrl(text, base)
    assert.equal(typeof url === 'string' ? url : url.href, href, text)
  }
})

test('WHATWG: links are resolved against their page', () => {
  becomes('http://other.org/x', 'http://other.org/x')
  becomes('https://other.org', 'https://other.org/')
  becomes('//other.org/x', 'http://other.org/x')
  becomes('/x/y.html', 'http://example.com/x/y.html')
  becomes('y.html', 'http://example.com/a/b/y.html')
  becomes('./y.html', 'http://example.com/a/b/y.html')
  becomes('../y.html', 'http://example.com/a/y.html')
  becomes('../../../../y.html', 'http://example.com/y.html')
  becomes('..%2fy.html', 'http://example.com/a/b/..%2fy.html')
  becomes('/x/%2E%2e/y', 'http://example.com/y')
  becomes('?r=2', 'http://example.com/a/b/page.html?r=2')
  becomes('http:y.html', 'http://example.com/a/b/y.html')
  becomes('https:y.org', 'https://y.org/')
  becomes('a:b/c'.replace('a', 'x/a'), 'http://example.com/a/b/x/a:b/c')
})

test('WHATWG: an empty link and one of only a fragment are the page itself', () => {
  for (const text of ['', '#', '#x', ' \n ']) becomes(text, 'http://example.com/a/b/page.html?q=1')
})

test('WHATWG: blanks around a link and tabs and line ends in it do not count', () => {
  becomes('  /x\n', 'http://example.com/x')
  becomes('\u0000/x\u001f', 'http://example.com/x')
  becomes('ht\ntp://ot\ther.org/\rx', 'http://other.org/x')
  becomes('/x y', 'http://example.com/x%20y')
})

test('WHATWG: hosts are written in one way', () => {
  becomes('HTTP://OTHER.org/X', 'http://other.org/X')
  becomes('http://bücher.example/', 'http://xn--bcher-kva.example/')
  becomes('http://0x7f.1/', 'http://127.0.0.1/')
  becomes('http://2130706433/', 'http://127.0.0.1/')
  becomes('http://other.org./', 'http://other.org./')
  becomes('http://[::0:1]:8080/', 'http://[::1]:8080/')
  becomes('http:\\\\other.org\\x', 'http://other.org/x')
})

test('ours: a host in Latin letters is understood however often it comes', () => {
  for (let round = 0; round < 20_000; round++) {
    assert.ok(typeof webUrl('http://é.example/x', PAGE) !== 'string', `round ${round}`)
  }
})

test('web URLs: fragment, credentials, default port and empty query do not make another page', () => {
  becomes('http://other.org/x#y', 'http://other.org/x')
  becomes('http://other.org/x?#y', 'http://other.org/x')
  becomes('http://me:secret@other.org/x', 'http://other.org/x')
  becomes('http://me@other.org:81', 'http://other.org:81/')
  becomes('http://other.org/@me', 'http://other.org/@me')
  becomes('http://me@other.org/@you/x', 'http://other.org/@you/x')
  becomes('http://other.org:80/x', 'http://other.org/x')
  becomes('http://other.org:080/x', 'http://other.org/x')
  becomes('https://other.org:443/x', 'https://other.org/x')
  becomes('http://other.org:443/x', 'http://other.org:443/x')
  becomes('http://other.org/x?', 'http://other.org/x')
  becomes('http://other.org?', 'http://other.org/')
  becomes('?', 'http://example.com/a/b/page.html')
})

test('ours: a question mark inside a query stays', () => {
  becomes('http://other.org/x??', 'http://other.org/x??')
  becomes('http://other.org/x?a?', 'http://other.org/x?a?')
  becomes('/ x??#', 'http://example.com/%20x??')
})

test('rule 5.1: only http and https are followed', () => {
  for (const text of [
    'mailto:a@b.org',
    'javascript:void(0)',
    'ftp://a.org/x',
    'DATA:text/html,x',
    'java\nscript:x',
    'x+y:',
  ]) {
    refused(text, 'protocol')
  }
  refused('foo://[not an address', 'protocol')
})

test('WHATWG: what is no URL is malformed', () => {
  for (const text of [
    'http://',
    'http://a b/',
    'http://a:99999/',
    'http://[::1/',
    'http://1.2.3.256/',
    'https://%00/',
  ]) {
    refused(text, 'malformed')
  }
  for (const text of ['', '/x', 'x.html', '//other.org', '#x', '?x']) assert.equal(webUrl(text), 'malformed', text)
})

test('rule 5.8: a URL has at most 2,000 bytes, counted when it is canonical', () => {
  const front = 'http://example.com/'
  becomes(`/${'x'.repeat(2000 - front.length)}`, front + 'x'.repeat(2000 - front.length))
  refused(`/${'x'.repeat(2001 - front.length)}`, 'too-long')
  refused(`/?${'é'.repeat(400)}`, 'too-long')
  becomes(`/?${'é'.repeat(300)}`, `${front}?${'%C3%A9'.repeat(300)}`)
  becomes(`/x#${'y'.repeat(5000)}`, `${front}x`)
  refused(`/x#${'y'.repeat(1e6)}é`.replace('/x', '/x y'), 'too-long')
  refused(`data:${'y'.repeat(1e6)}`, 'protocol')
})

test('rule 5.8: a path has at most 30 segments', () => {
  const path = (segments: number) => Array.from({ length: segments }, (_, n) => `/s${n}`).join('')
  assert.equal(becomes(path(30), `http://example.com${path(30)}`).depth, 30)
  assert.equal(becomes(`${path(30)}/?q=/x/y`, `http://example.com${path(30)}/?q=/x/y`).depth, 30)
  refused(path(31), 'too-many-segments')
  refused(` ${path(31)}`, 'too-many-segments')
})

test('rule 5.8: no segment comes more than 3 times in a path', () => {
  becomes('/x/y/x/y/x/y/z', 'http://example.com/x/y/x/y/x/y/z')
  refused('/x/y/x/y/x/y/x', 'repeated-segment')
  refused('/x/x/x/x', 'repeated-segment')
  refused('/x/x/x/x/?q', 'repeated-segment')
  becomes('/x/x/x/X', 'http://example.com/x/x/x/X')
  becomes('/x/x/x?/x/x', 'http://example.com/x/x/x?/x/x')
  refused('a/b/a/c/a/d/a', 'repeated-segment')
  becomes('x/x/x', 'http://example.com/a/b/x/x/x')
})

test('ours: empty segments count for the limits and not for the depth', () => {
  assert.equal(becomes('/x////y/', 'http://example.com/x////y/').depth, 2)
  refused('/x/////y', 'repeated-segment')
  assert.equal(becomes('/x/y/z//', 'http://example.com/x/y/z//').depth, 3)
})

test('ours: depth is the number of segments, however the URL came about', () => {
  for (const [text, depth] of [
    ['/', 0],
    ['/x', 1],
    ['/x/', 1],
    ['/x/y?a/b', 2],
    ['z', 3],
    ['../z', 2],
    ['?z', 3],
    ['', 3],
    ['https://other.org', 0],
    ['https://other.org?x/y', 0],
  ] as const) {
    const found = webUrl(text, PAGE)
    assert.ok(typeof found !== 'string')
    assert.equal(found.depth, depth, text)
  }
})

test('HTML: <base href> moves the base, unless it makes no web URL', () => {
  const at = (baseHref: string) => {
    const found = webUrl('x', prepareBase('https://example.com/a/b?q', baseHref))
    return typeof found === 'string' ? found : found.href
  }
  assert.equal(at('/c/'), 'https://example.com/c/x')
  assert.equal(at('c/d'), 'https://example.com/a/c/x')
  assert.equal(at('//other.org'), 'https://other.org/x')
  assert.equal(at(' http://me:secret@other.org:80/y/?z#w '), 'http://other.org/y/x')
  for (const bad of ['http://', 'data:text/html,x', 'javascript:x', 'mailto:a@b.org', '']) {
    assert.equal(at(bad), 'https://example.com/a/x', bad)
  }
})

test('ours: a page without a web URL is an error of the caller', () => {
  assert.throws(() => prepareBase('mailto:a@b.org'), TypeError)
  assert.throws(() => prepareBase('/x'), TypeError)
})

test('ours: links of two million characters are answered, too', () => {
  const parts = [
    'a',
    'a.',
    'a-',
    'http://a.',
    '/',
    '/a',
    '//',
    '%2e/',
    '../',
    '\\',
    ':',
    '?',
    '#',
    '@',
    ' ',
    '\n',
    '\t a',
    'é',
    '\ud800',
    '1.',
  ]
  for (const part of parts) {
    const text = part.repeat(2e6 / part.length)
    for (const front of ['', '/', '//', 'http://', 'http://a/', 'https:', 'x:', 'mailto:', ' ']) {
      const found = webUrl(front + text, PAGE)
      assert.ok(
        typeof found !== 'string' ? found.href.length <= 2000 : /^(?:protocol|too-long|malformed)$/.test(found),
        `${front}${part}: ${found}`,
      )
    }
  }
})

test('ours: hosts that take quadratic time to encode are not encoded', { timeout: 20_000 }, () => {
  const letters = Array.from({ length: 60_000 }, (_, n) => String.fromCodePoint(0x4e00 + (n % 20_000))).join('')
  for (const front of ['http://', 'https:', '//', '\\\\', 'http:///a', 'http://me@', 'https://x.']) {
    for (let round = 0; round < 200; round++) refused(front + letters, 'too-long')
    for (let round = 0; round < 20; round++) refused(front + encodeURI(letters.slice(0, 7000)), 'too-long')
  }
  becomes(`/${'%41'.repeat(660)}`, `http://example.com/${'%41'.repeat(660)}`)
  becomes(`/${'%'.repeat(1900)}`, `http://example.com/${'%'.repeat(1900)}`)
  const longest = `/${'é'.repeat(330)}`
  becomes(longest, `http://example.com${encodeURI(longest)}`)
  refused(`/${'é'.repeat(331)}`, 'too-long')
  becomes(`?${'é'.repeat(320)}`, `http://example.com/a/b/page.html?${encodeURI('é'.repeat(320))}`)
  becomes(`/x#${letters}`, 'http://example.com/x')
})
