import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Brought, Novelty } from '../../src/decide/novelty.ts'
import { RandomSource } from '../model/random-source.ts'

const DELAY_MS = 1000
const WORDS = 300
const SAMPLED = 9

/** Pairs and runs of words out of stocks that are used up. `links`: the share of new ones. */
function maze(pairs: number, links = 1, runs = pairs, chance = new RandomSource(1)): () => Brought {
  return () => ({
    tokens: WORDS,
    sample: Array.from({ length: SAMPLED }, () => 1 + chance.below(pairs)),
    runs: Array.from({ length: SAMPLED }, () => 1 + chance.below(runs)),
    linksOut: 20,
    freshLinks: Math.round(20 * links),
  })
}

/** Each page has some pairs of its own. */
function site(ownShare: number, links: number): () => Brought {
  let last = 1_000_000
  return () => {
    const sample = Array.from({ length: 10 }, (_, n) => (n < 10 * ownShare ? ++last : n + 1))
    return { tokens: WORDS, sample, runs: sample, linksOut: 20, freshLinks: Math.round(20 * links) }
  }
}

/** The pause after each of so many pages. */
function pauses(
  novelty: Novelty,
  page: () => Brought,
  pages: number,
  host = 'a.example',
  delayMs = DELAY_MS,
): number[] {
  return Array.from({ length: pages }, () => {
    novelty.learn(host, page())
    return novelty.pauseMs(host, delayMs)
  })
}

test('rule 5.20: a maze, whose links are new and whose words are not, is asked more and more rarely, down to once a minute', () => {
  const all = pauses(new Novelty(), maze(300), 400)
  const first = all.findIndex(ms => ms > DELAY_MS)
  assert.ok(first >= 63 && first < 120, String(first))
  const meanMs = (of: number[]) => of.reduce((sum, ms) => sum + ms, 0) / of.length
  assert.ok(meanMs(all.slice(first, first + 50)) * 3 < meanMs(all.slice(first + 50, first + 100)))
  assert.equal(all.at(-1), 60_000)
  for (const ms of new Set(all)) assert.ok([1, 2, 4, 8, 16, 32, 60].includes(ms / DELAY_MS), String(ms))
})

test('rule 5.20: a host with new words, or whose pages link to each other, is never slowed', () => {
  for (const page of [site(0.5, 1), site(0, 0.4), maze(100, 0.4), site(0.45, 0.9)])
    assert.deepEqual([...new Set(pauses(new Novelty(), page, 3000))], [DELAY_MS])
})

test('rule 5.20: a host that brings something new again is asked as before', () => {
  const novelty = new Novelty()
  assert.equal(pauses(novelty, maze(100), 300).at(-1), 60_000)
  assert.equal(pauses(novelty, site(1, 1), 60).at(-1), DELAY_MS)
  assert.ok(pauses(novelty, maze(100), 300).at(-1)! > DELAY_MS)
  assert.equal(pauses(novelty, maze(100, 0.2), 60).at(-1), DELAY_MS)
})

test('ours: the first slowing is told once, and a delay that is longer than a minute stays', () => {
  const novelty = new Novelty()
  const page = maze(100)
  const told = Array.from({ length: 300 }, () => novelty.learn('a.example', page())).filter(isSlowed => isSlowed)
  assert.equal(told.length, 1)
  assert.equal(novelty.pauseMs('a.example', 90_000), 90_000)
  assert.equal(novelty.pauseMs('a.example', 0), 6400)
  assert.equal(novelty.pauseMs('b.example', 0), 0)
})

test('ours: pages without links lead nowhere, and long pages without a pair in the sample bring nothing', () => {
  const page = maze(100)
  const of = (own: Partial<Brought>) => () => ({ ...page(), ...own })
  assert.equal(pauses(new Novelty(), of({ linksOut: 0, freshLinks: 0 }), 300).at(-1), DELAY_MS)
  assert.equal(pauses(new Novelty(), of({ sample: [], runs: [] }), 300).at(-1), 60_000)
  assert.equal(pauses(new Novelty(), of({ sample: [], runs: [], tokens: 40 }), 300).at(-1), DELAY_MS)
})

test('ours: memory is bounded: words of 64 hosts, 16,384 pairs of each, 4,096 hosts', () => {
  const novelty = new Novelty()
  const slowed = Array.from({ length: 70 }, (_, n) => pauses(novelty, maze(50), 250, `${n}.example`).at(-1)! > DELAY_MS)
  assert.equal(slowed.filter(is => is).length, 64)
  // One that is no maze any more makes room.
  pauses(novelty, maze(50, 0), 100, '0.example')
  assert.ok(pauses(novelty, maze(50), 250, 'next.example').at(-1)! > DELAY_MS)
  for (let n = 0; n < 4096; n++) novelty.learn(`${n}.test`, maze(50)())
  assert.equal(novelty.pauseMs('next.example', DELAY_MS), DELAY_MS)
  // Pairs beyond the bound count as new, so a host with so many is none.
  const huge = new Novelty()
  let last = 0
  const fresh = (): Brought => {
    const sample = Array.from({ length: 32 }, () => ++last)
    return { tokens: 1000, sample, runs: sample, linksOut: 1, freshLinks: 1 }
  }
  pauses(huge, fresh, 600)
  last = 16_384
  assert.equal(pauses(huge, fresh, 80).at(-1), DELAY_MS)
})

test('rule 5.20: words at random are noticed while most of their pairs are new, since no run of four is repeated', () => {
  const chance = new RandomSource(7)
  // A page of 9 pairs out of 2,500: after 150 pages more than half are still new.
  const page = maze(2500, 1, 2 ** 30, chance)
  const all = pauses(new Novelty(), page, 400)
  const first = all.findIndex(ms => ms > DELAY_MS)
  assert.ok(first > 64 && first < 200, String(first))
  const few = pauses(new Novelty(), maze(60, 1, 2 ** 30, chance), 200).findIndex(ms => ms > DELAY_MS)
  assert.equal(few, 63, 'not before the 64th page')
  const copied = pauses(new Novelty(), maze(2500, 1, 5000, chance), 200)
  assert.equal(copied.at(-1), DELAY_MS)
})

test('ours: when the runs of a host are too many to be remembered, its words are judged by their pairs alone', () => {
  const novelty = new Novelty()
  let last = 100
  // A frame of words that each page has, and words of its own: more runs than pairs are its own, so they are too many first.
  const framed = (): Brought => {
    const own = (known: number) => Array.from({ length: 32 }, (_, n) => (n < known ? n + 1 : ++last))
    return { tokens: 1000, sample: own(18), runs: own(12), linksOut: 1, freshLinks: 1 }
  }
  assert.deepEqual([...new Set(pauses(novelty, framed, 1100))], [DELAY_MS])
})
