import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EarlierPages, LEAST_WORDS } from '../../src/decide/earlier-pages.ts'
import { distanceOf, NEAR_BITS } from '../../src/extract/simhash.ts'
import { RandomSource } from '../model/random-source.ts'

const HOST = 'http://a.example'

function page(path: string, simhash: string | undefined, tokens = LEAST_WORDS) {
  return { url: `${HOST}${path}`, tokens, simhash }
}

const FIRST = page('/1', 'ffffffff00000000')

test('rule 5.19: a page repeats an earlier one of its host when their simhashes differ in at most three bits', () => {
  const earlier = new EarlierPages()
  assert.equal(earlier.repeatedBy(FIRST), undefined)
  earlier.learn(FIRST)
  // One bit in three of the four parts, then in all of them.
  assert.equal(earlier.repeatedBy(page('/2', 'fffefffe00000001')), FIRST.url)
  assert.equal(earlier.repeatedBy(page('/2', 'fffefffe00010001')), undefined)
  for (let bit = 0n; bit < 64n; bit++) {
    const near = (0xffffffff00000000n ^ (1n << bit)).toString(16).padStart(16, '0')
    assert.equal(earlier.repeatedBy(page('/2', near)), FIRST.url, near)
  }
})

test('rule 5.19: pages of other hosts, short pages and pages without words repeat nothing', () => {
  const earlier = new EarlierPages()
  earlier.learn(FIRST)
  assert.equal(earlier.repeatedBy({ ...FIRST, url: 'http://b.example/2' }), undefined)
  assert.equal(earlier.repeatedBy(page('/2', FIRST.simhash, LEAST_WORDS - 1)), undefined)
  assert.equal(earlier.repeatedBy(page('/2', undefined)), undefined)
  earlier.learn(page('/short', '0123456789abcdef', LEAST_WORDS - 1))
  assert.equal(earlier.repeatedBy(page('/2', '0123456789abcdef')), undefined)
})

test('ours: a page that is visited again does not repeat itself, nor the page that repeats it', () => {
  const earlier = new EarlierPages()
  const copy = page('/copy', 'ffffffff00000001')
  earlier.learn(FIRST)
  earlier.learn(copy)
  assert.equal(earlier.repeatedBy(FIRST), undefined)
  assert.equal(earlier.repeatedBy(copy), FIRST.url)
  // It has changed a little, and is still the earliest.
  assert.equal(earlier.repeatedBy({ ...FIRST, simhash: 'ffffffff00000003' }), undefined)
})

test('ours: a repetition is not kept, so that a chain of small changes ends, and what is repeated was followed', () => {
  const earlier = new EarlierPages()
  earlier.learn(FIRST)
  earlier.learn(page('/2', 'ffffffff00000007'))
  assert.equal(earlier.repeatedBy(page('/3', 'ffffffff0000003f')), undefined)
})

test('ours: pages that share a part are found by another part', () => {
  const earlier = new EarlierPages()
  const same = page('/same', 'abcdabcdabcdabcd')
  earlier.learn(same)
  earlier.learn(page('/other', 'abcd0000ffff1111'))
  assert.equal(earlier.repeatedBy(page('/near', 'abccabccabcdabcc')), same.url)
})

test('ours: the earliest page is found, as by comparing with all of them', () => {
  const chance = new RandomSource(19)
  const random = (limit: number) => chance.below(limit)
  const flipped = (text: string, bits: number) => {
    let number = BigInt(`0x${text}`)
    for (let n = 0; n < bits; n++) number ^= 1n << BigInt(random(64))
    return number.toString(16).padStart(16, '0')
  }
  const earlier = new EarlierPages()
  const kept: ReturnType<typeof page>[] = []
  for (let n = 0; n < 900; n++) {
    // Near a page of the first 200, so that there are more clusters than large ones: of a chain, only the newest 256 are compared.
    const base =
      kept.length > 0 && random(3) > 0
        ? kept[random(Math.min(200, kept.length))]!.simhash!
        : flipped('0'.repeat(16), 64)
    const one = page(`/${n}`, flipped(base, random(6)))
    const wanted = kept.find(({ simhash }) => distanceOf(simhash!, one.simhash!) <= NEAR_BITS)
    assert.equal(earlier.repeatedBy(one), wanted?.url)
    earlier.learn(one)
    if (wanted === undefined) kept.push(one)
  }
  assert.ok(kept.length > 400 && kept.length < 850, String(kept.length))
})

test('ours: the oldest pages are forgotten, and memory stays bounded', () => {
  const many = 3000
  const earlier = new EarlierPages(many)
  earlier.learn(FIRST)
  for (let n = 0; n < 2 * many + 2; n++) {
    const simhash = (Math.imul(n, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0').repeat(2)
    earlier.learn({ url: `http://h${n}.example/`, tokens: LEAST_WORDS, simhash })
    if (n === many - 2 || n === many + 10) assert.equal(earlier.repeatedBy(page('/2', FIRST.simhash)), FIRST.url)
  }
  assert.equal(earlier.repeatedBy(page('/2', FIRST.simhash)), undefined)
})
