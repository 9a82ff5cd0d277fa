import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chanceAt } from '../../src/base/random.ts'
import { sameOctets } from '../../src/robots/octets.ts'
import { parseRobots } from '../../src/robots/robots.ts'

const SEED = Number(process.env.ESCALONA_SEED ?? 20261115)
const LIMIT = 500 * 1024
/** More than a hundred times what it takes; a parser or matcher that is not linear would need hours. */
const MOST_MS = 20_000

/** A file as long as one may be, of the same lines over and over. */
function filledWith(lineOf: (n: number) => string): Uint8Array {
  let text = 'User-agent: *\n'
  for (let n = 0; text.length < LIMIT; n++) text += `${lineOf(n)}\n`
  return Buffer.from(text)
}

const LONG = 'a'.repeat(1990)
const HOSTILE: Readonly<Record<string, (n: number) => string>> = {
  'many short rules': n => `Disallow:/${n}`,
  'many rules with a star': n => `Allow:*${n}`,
  'stars without end': () => `Disallow: /${'*a'.repeat(8000)}*b$`,
  'parts that nearly match': () => `Disallow: /*${'a'.repeat(990)}b${'a'.repeat(990)}*b`,
  'parts that match late': () => `Disallow: /*b${'a'.repeat(1000)}$`,
  'percent signs': () => `Disallow: /${'%61%'.repeat(4000)}`,
  blanks: () => `Disallow:${' '.repeat(16_000)}x${' '.repeat(600)}`,
  'blanks without a colon': () => `Disallow${' \t'.repeat(8000)}x y`,
  'empty lines': () => '',
  names: n => `User-agent: a${'-'.repeat(n % 50)}`,
  'the same name': () => 'User-agent: ant',
  'groups of the same name': () => 'User-agent: ant\nAllow:/',
  'one byte': () => '\u0000',
}

test('RFC 9309 2.5: files made to be slow are not', { timeout: MOST_MS }, () => {
  for (const [what, lineOf] of Object.entries(HOSTILE)) {
    const robots = parseRobots(filledWith(lineOf))
    for (let round = 0; round < 5; round++) {
      const { allowed } = robots.allows('ant', `http://site.example/${LONG}`)
      assert.equal(allowed, true, what)
    }
  }
})

test('ours: URLs made to be slow are not', { timeout: MOST_MS }, () => {
  const robots = parseRobots(Buffer.from('User-agent: *\nDisallow: /*x*y$\n'))
  for (const part of ['%61', '%', '*', '$', ':', ':/', '//', 'é', '\ud800', '?', ';', ' ']) {
    const url = part.repeat(200_000)
    assert.equal(robots.allows('ant', url).allowed, true, part)
    assert.equal(robots.allows('ant', `http://a/${url}`).allowed, true, part)
    assert.equal(robots.allows(url, `http://a/x${url}y`).allowed, false, part)
  }
})

test(`ours: no bytes make it throw, and lines stay inside the file (seed ${SEED})`, () => {
  const parts = [
    'User-agent:',
    'Disallow:',
    'Allow:',
    'Crawl-delay:',
    'Sitemap:',
    '*',
    '$',
    '/',
    'a',
    '%',
    '%61',
    '#',
    ' ',
    '\t',
    '\n',
    '\r',
    '\0',
    '\xef',
    '\xff',
    ':',
    '1',
    '.',
  ]
  let n = 0
  const below = (limit: number) => Math.floor(chanceAt(SEED, n++) * limit)
  const word = () => Array.from({ length: below(30) }, () => parts[below(parts.length)]).join('')
  for (let round = 0; round < 20_000; round++) {
    const text = `User-agent: *\n${word()}`
    const robots = parseRobots(Buffer.from(text, 'latin1'))
    const { allowed, line } = robots.allows('a', word())
    assert.ok(line === undefined ? allowed : line <= text.split(/\r\n|\r|\n/).length, JSON.stringify(text))
    const delay = robots.crawlDelay('a')
    assert.ok(delay === undefined || (delay >= 0 && Number.isFinite(delay)), JSON.stringify(text))
  }
})

test('RFC 9309 2.2.2: what was written in the same way once is not changed again', () => {
  for (let code = 0; code < 256; code++) {
    const hex = code.toString(16).padStart(2, '0')
    for (const text of [String.fromCharCode(code), `%${hex}`, `%${hex.toUpperCase()}x`]) {
      const once = sameOctets(text)
      assert.equal(sameOctets(once), once, JSON.stringify(text))
    }
    assert.equal(sameOctets(`%${hex}`), sameOctets(`%${hex.toUpperCase()}`))
  }
})
