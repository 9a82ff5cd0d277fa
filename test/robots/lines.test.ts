import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRobots } from '../../src/robots/robots.ts'
import { expectVerdicts, fileOf } from './verdicts.ts'

const LIMIT = 500 * 1024

function bytes(text: string): Uint8Array {
  return Buffer.from(text, 'latin1')
}

test('RFC 9309 2.2: keys are read without regard to case', () => {
  for (const [agent, allow, disallow] of [
    ['USER-AGENT', 'ALLOW', 'DISALLOW'],
    ['user-agent', 'allow', 'disallow'],
    ['uSer-aGent', 'aLLow', 'diSALLow'],
  ]) {
    expectVerdicts(fileOf(`${agent}: ant`, `${disallow}: /`, `${allow}: /a`), 'ant', {
      allowed: ['/a'],
      refused: ['/b'],
    })
  }
})

test('RFC 9309 2.2: blanks around key, colon and value do not count', () => {
  const file = bytes(' \tUser-agent \t:\t ant \t\n   Disallow   :   /a   \nAllow:/a/b\n')
  expectVerdicts(file, 'ant', { allowed: ['/a/b', '/b'], refused: ['/a', '/a/'] })
})

test('ours: a missing colon is understood between two words', () => {
  expectVerdicts(fileOf('User-agent ant', 'Disallow\t/a'), 'ant', { allowed: ['/b'], refused: ['/a'] })
  expectVerdicts(fileOf('User-agent ant', 'Disallow /a # b'), 'ant', { refused: ['/a'] })
  expectVerdicts(fileOf('User-agent ant', 'Disallow /a /b'), 'ant', { allowed: ['/a', '/b'] })
  expectVerdicts(fileOf('User-agent: ant', 'Disallow', 'Disallow/a'), 'ant', { allowed: ['/', '/a'] })
})

test('ours: the colon that counts is the first one', () => {
  expectVerdicts(fileOf('User-agent: ant', 'Disallow: /a:b'), 'ant', { allowed: ['/a'], refused: ['/a:b'] })
  expectVerdicts(fileOf('User-agent: ant', 'Disallow:: /a', ': /b', ':'), 'ant', { allowed: ['/a', '/b', '/:'] })
})

test('ours: common misspellings of keys are understood', () => {
  for (const key of ['dissallow', 'dissalow', 'Disalow', 'diasllow', 'DISALLAW']) {
    expectVerdicts(fileOf('User-agent: ant', `${key}: /a`), 'ant', { allowed: ['/b'], refused: ['/a'] })
  }
  for (const key of ['useragent', 'User Agent', 'USER_AGENT']) {
    expectVerdicts(fileOf(`${key}: ant`, 'Disallow: /a'), 'ant', { allowed: ['/b'], refused: ['/a'] })
  }
  expectVerdicts(fileOf('User-agent: ant', 'Disallow: /', 'Alow: /a'), 'ant', { allowed: ['/a'], refused: ['/b'] })
})

test('ours: other keys say nothing', () => {
  for (const key of ['Noindex', 'Disallowed', 'xDisallow', 'Host', 'constructor', '__proto__', 'Disallow '.repeat(9)]) {
    expectVerdicts(fileOf('User-agent: ant', `${key}: /a`, 'Disallow: /b'), 'ant', { allowed: ['/a'], refused: ['/b'] })
  }
  expectVerdicts(fileOf('foo: ant', 'bar: /'), 'ant', { allowed: ['/'] })
})

test('RFC 9309 2.2: lines that are no directives are passed over', () => {
  const file = fileOf(
    '<!doctype html>',
    'User-agent: ant',
    'hello',
    '',
    '   ',
    '==',
    '\u0007\u001b[31m',
    'Disallow: /a',
    '-',
    'Disallow: /b',
  )
  expectVerdicts(file, 'ant', { allowed: ['/c'], refused: ['/a', '/b'] })
})

test('RFC 9309 2.2: lines end with CR, LF or both, and are counted so', () => {
  for (const [first, second] of [
    ['\n', '\n'],
    ['\r', '\r'],
    ['\r\n', '\r\n'],
    ['\n', '\r\n'],
    ['\r\n', '\r'],
  ]) {
    const text = `User-agent: ant${first}Allow: /x${second}${first}Disallow: /a`
    for (const end of ['', first, second]) {
      const robots = parseRobots(bytes(text + end))
      assert.deepEqual(robots.allows('ant', '/a'), { allowed: false, line: 4 }, JSON.stringify(text + end))
      assert.deepEqual(robots.allows('ant', '/x'), { allowed: true, line: 2 })
    }
  }
})

test('ours: a byte order mark, or a part of one, is passed over at the start and nowhere else', () => {
  for (const mark of ['\xef\xbb\xbf', '\xef\xbb', '\xef']) {
    expectVerdicts(bytes(`${mark}User-agent: ant\nDisallow: /a\n`), 'ant', { refused: ['/a'] })
    expectVerdicts(bytes(`User-agent: ant\n${mark}Disallow: /a\n`), 'ant', { allowed: ['/a'] })
    expectVerdicts(bytes(mark), 'ant', { allowed: ['/a'] })
  }
  for (const mark of ['\xef\x11\xbf', '\xbb\xbf', '\xfe\xff', '\xef\xbb\xbf\xef\xbb\xbf']) {
    expectVerdicts(bytes(`${mark}User-agent: ant\nDisallow: /a\n`), 'ant', { allowed: ['/a'] })
  }
})

test('ours: NUL bytes are bytes like any other', () => {
  const file = bytes('User-agent: ant\nDisallow: /a\0b\n\0\0\nDisallow: /c\0\nDis\0allow: /d\n')
  expectVerdicts(file, 'ant', { refused: ['/a%00b', '/c'], allowed: ['/a', '/d'] })
})

test('ours: a file in UTF-16 says nothing, and does no harm', () => {
  const file = Buffer.from('\ufeffUser-agent: *\nDisallow: /\n', 'utf16le')
  expectVerdicts(file, 'ant', { allowed: ['/a'] })
})

test('RFC 9309 2.5: 500 KiB are read to the last byte', () => {
  const rules = 'User-agent: ant\n'
  const last = 'Disallow: /last'
  const filled = `${rules}${'#'.repeat(LIMIT - rules.length - last.length - 1)}\n`
  assert.equal(filled.length + last.length, LIMIT)
  expectVerdicts(bytes(filled + last), 'ant', { refused: ['/last'] })
  expectVerdicts(bytes(`${filled}${last}\n`), 'ant', { refused: ['/last'] })
  expectVerdicts(bytes(`${filled}${last}\r\nDisallow: /b\n`), 'ant', { refused: ['/last'], allowed: ['/b'] })
})

test('RFC 9309 2.5: what lies behind 500 KiB does not count, and a line that is cut there neither', () => {
  const rules = 'User-agent: ant\nDisallow: /first\n'
  const filled = `${rules}${'#'.repeat(LIMIT - rules.length - 13)}\n`
  assert.equal(filled.length, LIMIT - 12)
  const cut = bytes(`${filled}Disallow: /abc\nDisallow: /b\n`)
  expectVerdicts(cut, 'ant', { refused: ['/first'], allowed: ['/', '/a', '/abc', '/b'] })
  expectVerdicts(bytes(`User-agent: ant${'x'.repeat(LIMIT)}`), 'ant', { allowed: ['/'] })
})

test('ours: what a line has behind its 16,663rd byte does not count', () => {
  const path = `/${'x'.repeat(16_663 - 'Disallow: /'.length)}`
  const file = fileOf('User-agent: ant', `Disallow: ${path}yz`, 'Disallow: /b')
  expectVerdicts(file, 'ant', { refused: [path, `${path}q`, '/b'], allowed: [path.slice(0, -1)] })
})

test('ours: bytes inside a larger buffer are read alone', () => {
  const whole = bytes('Disallow: /\nUser-agent: ant\nDisallow: /a\nDisallow: /b\n')
  expectVerdicts(whole.subarray(12, 41), 'ant', { refused: ['/a'], allowed: ['/b', '/'] })
})
