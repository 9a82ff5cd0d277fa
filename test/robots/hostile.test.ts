import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chanceAt } from '../../src/base/random.ts'
import { sameOctets } from '../../src/robots/path-octets.ts'
import { compileRobots, parseRobots } from '../../src/robots/robots.ts'
import { RobotsRules } from '../../src/robots/rules.ts'

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
/** A number in letters of which a path can have all. */
const inLetters = (n: number) => n.toString(2).padStart(16, '0').replaceAll('0', 'a').replaceAll('1', 'b')
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
  'names and delays': n => (n < 15_000 ? `User-agent: a${n}` : 'Crawl-delay: 1'),
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

/** What matches none, or only late, and has to be compared to see that. */
const COMPLEX: Readonly<Record<string, (n: number) => string>> = {
  'wildcards that nearly match': n => `Allow: /*${'ab'.repeat(20)}*${inLetters(n)}c`,
  'all pieces are in the path, but not in a row': n =>
    `Allow: /*${inLetters(n * 7)}*${inLetters(n * 3)}${inLetters(n)}`,
  'wildcards behind every prefix': n => `Allow: /${'ab'.repeat(n % 200)}*${inLetters(n)}${inLetters(n + 1)}`,
}

test('ours: a URL that costs too much to judge is refused, and the verdict says so', () => {
  const path = `/${Array.from({ length: 124 }, (_, n) => inLetters(Math.imul(n, 40_503) & 0xffff)).join('')}c`
  for (const [what, lineOf] of Object.entries(COMPLEX)) {
    const rules = new RobotsRules(compileRobots(filledWith(lineOf), 'ant'))
    const started = process.cpuUsage()
    for (let round = 0; round < 100; round++) {
      for (const url of [path, `/${'ab'.repeat(990)}c`]) {
        const { allowed, line, tooComplex } = rules.verdict(`http://site.example${url}`)
        if (tooComplex) assert.ok(!allowed && line !== undefined && line > 1, what)
        else assert.ok(allowed, what)
      }
    }
    const { user, system } = process.cpuUsage(started)
    // Some ten times what it takes; without a budget it would be a hundred times.
    assert.ok(user + system < 200 * 8000, `${what}: ${(user + system) / 200} µs for a verdict`)
  }
  const nearly = new RobotsRules(compileRobots(filledWith(COMPLEX['wildcards that nearly match']!), 'ant'))
  assert.equal(nearly.verdict(`/${'ab'.repeat(990)}c`).tooComplex, true)
  assert.deepEqual(nearly.verdict('/ab'), { allowed: true, line: undefined })
})

test('ours: a rule that wins over all that could not be compared makes nothing complex', () => {
  const wildcards = Array.from({ length: 8000 }, (_, n) => `Disallow: /*${'ab'.repeat(9)}*${inLetters(n)}c`)
  const path = `/${'ab'.repeat(990)}`
  const file = ['User-agent: *', ...wildcards, `Allow: ${path.slice(0, 100)}`].join('\n')
  const rules = new RobotsRules(compileRobots(Buffer.from(file), 'ant'))
  assert.deepEqual(rules.verdict(path), { allowed: true, line: 8002 })
})

test('ours: 40,000 rules, with stars or without, decide as each of them alone would', () => {
  for (const star of ['', '*']) {
    const rules = new RobotsRules(
      compileRobots(
        filledWith(n => `Disallow:/${star}x${n}y`),
        'ant',
      ),
    )
    for (const n of [0, 1, 17, 999, 10_000, 22_222]) {
      assert.deepEqual(rules.verdict(`/x${n}y/z`), { allowed: false, line: n + 2 })
      assert.equal(rules.verdict(`/x${n}z`).allowed, true)
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
