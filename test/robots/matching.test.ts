import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRobots } from '../../src/robots/robots.ts'
import { expectVerdicts, fileOf } from './verdicts.ts'

function rules(...lines: readonly string[]): Uint8Array {
  return fileOf('User-agent: ant', ...lines)
}

/** Asserts which paths a rule matches. */
function matches(rule: string, yes: readonly string[], no: readonly string[]): void {
  expectVerdicts(rules(`Disallow: ${rule}`), 'ant', { refused: yes, allowed: no })
  expectVerdicts(rules('Disallow: /', `Allow: ${rule}`), 'ant', { allowed: yes, refused: no })
}

test('RFC 9309 2.2.2: a rule matches every path that begins with it', () => {
  matches(
    '/news',
    ['/news', '/news.html', '/news/today', '/newspaper', '/news?id=1', '/news/?a', '/news;x'],
    ['/new', '/', '/old/news', '/?news'],
  )
  matches('/news/', ['/news/', '/news/today', '/news/?id=1'], ['/news', '/news.html', '/newspaper/'])
})

test('RFC 9309 2.2.2: paths are compared with regard to case', () => {
  matches('/News', ['/News', '/Newspaper'], ['/news', '/NEWS'])
})

test('RFC 9309 2.2.2: the query is part of what is compared', () => {
  matches('/find?q=', ['/find?q=', '/find?q=x&r=y'], ['/find', '/find?r=y&q=x', '/find/?q='])
  matches('/x?u=http://other.example/y', ['/x?u=http://other.example/y/z'], ['/x?u=http://other.example/'])
})

test('RFC 9309 2.2.2: the rule with the most octets decides, wherever it stands', () => {
  for (const lines of [
    ['Allow: /a/b', 'Disallow: /a'],
    ['Disallow: /a', 'Allow: /a/b'],
  ]) {
    expectVerdicts(rules(...lines), 'ant', { allowed: ['/a/b', '/a/bc', '/'], refused: ['/a', '/a/', '/a/c'] })
  }
  expectVerdicts(rules('Allow: /a', 'Disallow: /a/b'), 'ant', { allowed: ['/a', '/a/c'], refused: ['/a/b', '/a/b/c'] })
  expectVerdicts(rules('Disallow: /', 'Allow: /a', 'Disallow: /a/b', 'Allow: /a/b/c'), 'ant', {
    allowed: ['/a', '/a/b/c'],
    refused: ['/', '/a/b', '/a/b/d'],
  })
})

test('RFC 9309 2.2.2: stars and dollar signs count as octets', () => {
  expectVerdicts(rules('Allow: /page', 'Disallow: /*.html'), 'ant', {
    allowed: ['/page', '/page.htm'],
    refused: ['/page.html'],
  })
  expectVerdicts(rules('Allow: /a/page.', 'Disallow: /*.html'), 'ant', {
    allowed: ['/a/page.html'],
    refused: ['/a/x.html'],
  })
  expectVerdicts(rules('Allow: /$', 'Disallow: /'), 'ant', { allowed: ['/'], refused: ['/x', '/?x'] })
  expectVerdicts(rules('Allow: /ab', 'Disallow: /ab*'), 'ant', { refused: ['/ab', '/abc'] })
})

test('RFC 9309 2.2.2: of two rules of the same length the one that allows decides', () => {
  for (const rule of ['/', '/a', '/a/b.html']) {
    expectVerdicts(rules(`Disallow: ${rule}`, `Allow: ${rule}`), 'ant', { allowed: ['/a/b.html'] })
    expectVerdicts(rules(`Allow: ${rule}`, `Disallow: ${rule}`), 'ant', { allowed: ['/a/b.html'] })
  }
  expectVerdicts(rules('Disallow: /*b', 'Allow: /ab'), 'ant', { allowed: ['/ab'], refused: ['/bb'] })
})

test('RFC 9309 2.2.2: an empty rule matches nothing', () => {
  expectVerdicts(rules('Disallow:'), 'ant', { allowed: ['/', '/x'] })
  expectVerdicts(rules('Disallow:   ', 'Allow: '), 'ant', { allowed: ['/', '/x'] })
  expectVerdicts(rules('Allow:', 'Disallow: /x'), 'ant', { allowed: ['/'], refused: ['/x'] })
  expectVerdicts(rules('Disallow: # all', 'Disallow: /x'), 'ant', { allowed: ['/'], refused: ['/x'] })
})

test('ours: a rule that begins with neither a slash nor a star matches nothing', () => {
  for (const rule of ['x', 'x/', 'http://site.example/x', '$', '?x', '.']) {
    expectVerdicts(rules(`Disallow: ${rule}`), 'ant', { allowed: ['/', '/x', '/x/', '/?x'] })
  }
})

test('RFC 9309 2.2.3: a star is any number of characters', () => {
  matches(
    '/*.php',
    ['/a.php', '/a/b.php', '/a.php?x', '/a.php.html', '/.php', '/x?f=a.php'],
    ['/php', '/a.PHP', '/a?php'],
  )
  matches('/a*', ['/a', '/ab', '/a/b'], ['/b', '/'])
  matches('/a*b', ['/ab', '/axb', '/axbc', '/a/x/b/'], ['/a', '/ba', '/xab'])
  matches('/a*/b', ['/a/b', '/ax/b', '/a//b', '/a/x/y/b'], ['/ab', '/a/xb'])
  matches('*b', ['/b', '/a/b', '/abc'], ['/', '/a'])
  matches('/*', ['/', '/x', '/?x'], [])
  matches('/a**b', ['/ab', '/axb'], ['/a'])
  matches('/*a*b*c', ['/abc', '/xaxbxcx', '/ccabc'], ['/cba', '/acb'])
})

test('RFC 9309 2.2.3: a dollar sign at the end of a rule is the end of the URL', () => {
  matches('/a$', ['/a', '/a#b'], ['/a/', '/ab', '/a?', '/a?b'])
  matches('/*.php$', ['/a.php', '/a/b.php', '/x?f=a.php'], ['/a.php?x', '/a.php/', '/a.php5', '/php'])
  matches('/a*b$', ['/ab', '/axb', '/abb', '/abcb'], ['/abc', '/a', '/b'])
  matches('/a*$', ['/a', '/ab'], ['/b'])
  matches('*$', ['/', '/x'], [])
})

test('RFC 9309 2.2.3: a dollar sign elsewhere is only that', () => {
  matches('/a$b', ['/a$b', '/a$bc', '/a%24b'], ['/a', '/ab'])
  matches('/a$$', ['/a$'], ['/a', '/a$$', '/a$b'])
  matches('/$*', ['/$', '/$x'], ['/', '/x'])
})

test('RFC 9309 2.2.3: an encoded star or dollar sign in a rule is the character itself', () => {
  matches('/a-%2A.html', ['/a-*.html', '/a-%2A.html', '/a-%2a.html'], ['/a-b.html', '/a-.html'])
  matches('/a-%24', ['/a-$', '/a-$b', '/a-%24'], ['/a-', '/a-b'])
  matches('/a-%24$', ['/a-$'], ['/a-$b', '/a-'])
})

test('RFC 9309 2.2.3: a number sign begins a comment', () => {
  const file = rules('# Disallow: /', 'Disallow: /a#b', 'Disallow: /c # /d', '#Disallow: /e', ' # Disallow: /f')
  expectVerdicts(file, 'ant', { refused: ['/a', '/ab', '/c'], allowed: ['/', '/d', '/e', '/f', '/x#/a'] })
  matches('/a%23b', ['/a%23b'], ['/a', '/a#b'])
})

test('RFC 9309 2.2.2: octets that are not ASCII are the same, percent-encoded or not', () => {
  matches('/caf\u00e9', ['/caf%C3%A9', '/caf%c3%a9', '/café', '/café/x'], ['/caf', '/cafe', '/caf%E9'])
  matches('/caf%C3%A9', ['/caf%C3%A9', '/caf%c3%a9', '/café'], ['/cafe'])
  matches('/caf%c3%a9', ['/caf%C3%A9', '/caf%c3%a9', '/café'], ['/cafe'])
  matches('/\u65e5*\u8a9e$', ['/%E6%97%A5%E8%AA%9E', '/日本語'], ['/%E6%97%A5', '/日本'])
  matches('/\u{1f41c}', ['/%F0%9F%90%9C'], ['/%F0%9F%90%9D'])
  matches('/à', ['/%C3%A0', '/à'], ['/%C3'])
})

test('ours: a file in Latin-1 is compared by its octets, too', () => {
  const file = Buffer.from('User-agent: ant\nDisallow: /caf\xe9\n', 'latin1')
  expectVerdicts(file, 'ant', { refused: ['/caf%E9', '/caf%e9/x'], allowed: ['/caf%C3%A9', '/café'] })
})

test('RFC 9309 2.2.2: what needs no encoding is the same, percent-encoded or not', () => {
  matches('/%7Eann', ['/~ann', '/%7Eann', '/%7eann'], ['/ann', '/%257Eann'])
  matches('/~ann', ['/~ann', '/%7Eann', '/%7eann'], ['/ann'])
  matches('/%62%65e', ['/bee', '/%62ee', '/be%65'], ['/b', '/%2562ee'])
  matches('/a%2Db%5Fc%2Ed%30', ['/a-b_c.d0'], ['/a-b'])
})

test('RFC 9309 2.2.2: reserved characters are not the same when they are percent-encoded', () => {
  matches('/a%2Fb', ['/a%2Fb', '/a%2fb', '/a%2fbc'], ['/a/b'])
  matches('/a/b', ['/a/b'], ['/a%2Fb'])
  matches('/a%3Fb', ['/a%3fb'], ['/a?b'])
  matches('/a&b=c', ['/a&b=c'], ['/a%26b=c', '/a&b%3Dc'])
})

test('ours: what no URI contains as it is, is percent-encoded on both sides', () => {
  matches('/a b', ['/a%20b', '/a b'], ['/a', '/a+b', '/ab'])
  matches('/a|b"c', ['/a|b"c', '/a%7Cb%22c'], ['/a'])
  matches('/a%7cb', ['/a|b', '/a%7Cb'], ['/a'])
  matches('/{id}', ['/{id}', '/%7Bid%7D'], ['/id'])
})

test('ours: percent signs that encode nothing are only that', () => {
  matches('/100%', ['/100%', '/100%x'], ['/100', '/100x'])
  matches('/a%zz', ['/a%zz'], ['/a', '/a%ZZ'])
  matches('/a%4', ['/a%4', '/a%4x'], ['/a'])
})

test('RFC 9309 2.2.2: octets are counted when both sides are written in the same way', () => {
  const file = rules('Disallow: /%61%62', 'Allow: /abc')
  expectVerdicts(file, 'ant', { allowed: ['/abc', '/%61bc'], refused: ['/ab', '/abd'] })
  expectVerdicts(rules('Disallow: /é', 'Allow: /*****'), 'ant', { refused: ['/é'] })
})

test('RFC 9309 2.2.2: robots.txt itself is always allowed', () => {
  expectVerdicts(rules('Disallow: /'), 'ant', {
    allowed: ['/robots.txt', '/robots.txt#x'],
    refused: ['/robots.txt.gz', '/a/robots.txt', '/Robots.txt'],
  })
  expectVerdicts(rules('Disallow: /robots.txt'), 'ant', { allowed: ['/robots.txt'] })
})

test('ours: who allows the index of a directory allows the directory', () => {
  expectVerdicts(rules('Disallow: /', 'Allow: /a/index.html'), 'ant', {
    allowed: ['/a/', '/a/index.html', '/a/index.html?x'],
    refused: ['/a', '/a/index.htm', '/a/x', '/', '/a/?x'],
  })
  expectVerdicts(rules('Disallow: /', 'Allow: /index.htm'), 'ant', { allowed: ['/', '/index.htm'], refused: ['/x'] })
  expectVerdicts(rules('Disallow: /', 'Allow: /a/index.html/b'), 'ant', { refused: ['/a/'] })
  expectVerdicts(rules('Disallow: /a/index.html'), 'ant', { allowed: ['/a/'], refused: ['/a/index.html'] })
})

test('RFC 9309 2.2.2: of a URL only path and query count, also when it is not whole', () => {
  const robots = parseRobots(rules('Disallow: /', 'Allow: /a', 'Allow: /?q', 'Allow: /;p'))
  for (const [url, allowed] of [
    ['http://a.example', false],
    ['http://a.example/', false],
    ['http://a.example#/a', false],
    ['http://a.example?q', true],
    ['http://a.example;p', true],
    ['https://me:pw@a.example:8443/a', true],
    ['https://a.example/b?u=http://x/a', false],
    ['a.example', false],
    ['a.example/a', true],
    ['a.example?q#/b', true],
    ['//a.example/a/b', true],
    ['//a', false],
    ['/a', true],
    ['a', false],
    ['', false],
    ['#', false],
  ] as const) {
    assert.equal(robots.allows('ant', url).allowed, allowed, url)
  }
})

test('ours: a verdict names the line that decided', () => {
  const robots = parseRobots(
    fileOf(
      '# hello',
      'User-agent: ant',
      '',
      'Disallow: /a',
      'Allow: /a/b',
      'Disallow: /c',
      'Disallow: /c',
      'User-agent: *',
      'Disallow: /',
    ),
  )
  const lineOf = (agent: string, path: string) => robots.allows(agent, `http://site.example${path}`).line
  assert.equal(lineOf('ant', '/a'), 4)
  assert.equal(lineOf('ant', '/a/b'), 5)
  assert.equal(lineOf('ant', '/c'), 6)
  assert.equal(lineOf('ant', '/d'), undefined)
  assert.equal(lineOf('bee', '/d'), 9)
  assert.equal(lineOf('bee', '/robots.txt'), undefined)
})
