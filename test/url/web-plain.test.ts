import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chanceAt } from '../../src/base/random.ts'
import { hostOf } from '../../src/url/host-of.ts'
import { plainUrl, prepareBase, webUrl } from '../../src/url/web.ts'
import { SOAK } from '../model/random-source.ts'

const SEED = Number(process.env.ESCALONA_SEED ?? 20261115)
const ROUNDS = 80_000 * SOAK

/** What the standard says, by `URL` alone. */
function standard(text: string, base: string | undefined): string | undefined {
  try {
    const url = new URL(text, base)
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
    // Node 20 leaves a caret in a path as it is; the standard has changed since.
    return `${url.protocol}//${url.host}${url.pathname.replaceAll('^', '%5E')}${url.search}`
  } catch {
    return undefined
  }
}

class Chance {
  #n = 0
  below(limit: number): number {
    return Math.floor(chanceAt(SEED, this.#n++) * limit)
  }
  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!
  }
  many(most: number, make: () => string, between = ''): string {
    return Array.from({ length: this.below(most + 1) }, make).join(between)
  }
}

const chance = new Chance()
const SCHEMES =
  'http:// http:// https:// https:// // // HTTP:// http: http:/ http:/// https:\\\\ htTps:// ftp:// ws: x:'.split(' ')
const LABELS =
  `a com example www x-y 10 255 -a a- a--b xn--a xn--bcher-kva xn-- 1 127 0 0x7f 0x7F 0x 256 08 1a a1 0xg 1.2.3.4 A_b
  a_b é ß ％ %61 %2e 。 ª a%00b [::1] ${'l'.repeat(63)} ${'l'.repeat(64)}`.split(/\s+/)
const PORTS = [
  '',
  '',
  '',
  '',
  ':',
  ':80',
  ':443',
  ':080',
  ':8080',
  ':0',
  ':65535',
  ':65536',
  ':99999',
  ':8a',
  ':1 ',
  ':١',
  ':000080',
]
const SEGMENTS =
  `a b index.html a-b_c x.y ~me a+b a=b a;b,c @ @me a:b : . .. ... .a ..a a. .%2e %2e %2E%2e %2e. %2f ..%2f %25 % %zz
  %7E ' ( [x] {x} a|b ^ \` " < a\\b \\ \\..\\ é \ud800 \u00a0 a*b $ ! & C:`
    .split(' ')
    .concat('', '', 'a b', 'a\tb', '\n', '\u0000')
const QUERIES =
  `? ?? ?a=1 ?a=1&b=2 ?a[]=1 ?q=' ?q=é ?q=a+b%20c ?http://x.com/../y ?a? ?./.. ?a|b ?{x} ?^ ?" ?< ?a\\b ?\``
    .split(' ')
    .concat('', '', '', '', '?a b', '?a\tb', '?a ')
const FRAGMENTS = ['', '', '', '#', '#top', '#a b', '#é', '##', '#?a', '# ', '#/../x']
const AROUND = ['', '', '', '', '', '', ' ', '\n', '\t ', '\u0000', '\u00a0', '\ufeff']
const ANY = [...'abzAZ09-._~:/?#[]@!$&\'()*+,;=%\\|^`{}<>" \t\n\r\u0000\u007fé\ud800.../// 2e2f', 'http', '//']

function hostText(): string {
  const user = chance.below(20) === 0 ? chance.of(['me@', 'me:pw@', '@', 'a@b@']) : ''
  const dot = chance.below(20) === 0 ? '.' : ''
  return user + chance.many(3, () => chance.of(LABELS), '.') + dot + chance.of(PORTS)
}

function pathText(): string {
  return chance.many(5, () => chance.of(SEGMENTS), '/')
}

/** A link as people write them, and in every other one a character that may change everything. */
function everydayText(): string {
  const host = () => chance.of(LABELS.slice(0, 7)) + chance.of(['.com', '.org:8080', '.x-y.net', '', '.1.2.3'])
  const front = chance.of([
    () => `http://${host()}/`,
    () => `https://${host()}/`,
    () => `//${host()}/`,
    () => '/',
    () => '',
    () => './',
    () => '../'.repeat(1 + chance.below(4)),
  ])()
  const path = chance.many(4, () => chance.of(SEGMENTS.slice(0, 12)), '/')
  const text = front + path + chance.of(['', '?a=1', '?a[]=b/c&d', '#top', '?x#y'])
  if (chance.below(2) === 0) return text
  const at = chance.below(text.length + 1)
  return text.slice(0, at) + chance.of(ANY) + text.slice(at)
}

function linkText(): string {
  if (chance.below(2) === 0) return everydayText()
  if (chance.below(8) === 0) return chance.many(12, () => chance.of(ANY))
  const tail = pathText() + chance.of(QUERIES) + chance.of(FRAGMENTS)
  const kind = chance.below(3)
  const front = kind === 0 ? chance.of(SCHEMES) + hostText() + chance.of(['/', '/', '']) : kind === 1 ? '/' : ''
  return chance.of(AROUND) + front + tail + chance.of(AROUND)
}

const BASES = [
  'http://example.com/',
  'https://example.com:8443/a/b/c.html?x=1#y',
  'http://me:pw@example.com:81/a//b/?',
  'https://xn--bcher-kva.example./x',
  'http://127.0.0.1/?q',
]

test(`WHATWG: a link means what URL says it means (${ROUNDS} links, seed ${SEED})`, () => {
  const bases = BASES.map(href => ({ href, prepared: prepareBase(href) }))
  let plain = 0
  let refused = 0
  for (let round = 0; round < ROUNDS; round++) {
    const text = linkText()
    const { href, prepared } = round % 6 === 5 ? { href: undefined, prepared: undefined } : bases[round % 6]!
    const where = `round ${round}, seed ${SEED}: ${JSON.stringify(text)} on ${href}`
    const expected = standard(text, href)
    const fast = plainUrl(text, prepared)
    if (fast !== undefined) {
      plain++
      assert.equal(fast.href, expected, where)
      assert.equal(fast.host, hostOf(fast.href), where)
    }
    const found = webUrl(text, prepared)
    if (typeof found !== 'string') {
      assert.equal(found.href, expected, where)
      assert.equal(found.host, hostOf(found.href), where)
      assert.equal(found.depth, new URL(found.href).pathname.split('/').filter(part => part !== '').length, where)
    } else if (found === 'malformed' || found === 'protocol') {
      refused++
      assert.equal(expected, undefined, where)
    }
  }
  assert.ok(plain > ROUNDS / 10, `only ${plain} links were plain`)
  assert.ok(refused > ROUNDS / 50, `only ${refused} links were refused`)
})

test('ours: everyday links are plain', () => {
  const base = prepareBase(BASES[1]!)
  for (const text of [
    '/a/b-c.html?x=1',
    '/',
    'page.html',
    'a/b/?c=d&e=f#g',
    '?page=2',
    '../up.html',
    '../../../up/?x',
    './here',
    '#top',
    '//cdn.example.com/x',
    'http://www.example.com',
    'http://127.10.0.255:8085/s1/page-1.html',
    'https://example.com:8080/a/b_c/~d/%C3%A9?x[]=1',
  ]) {
    assert.notEqual(plainUrl(text, base), undefined, text)
  }
})
