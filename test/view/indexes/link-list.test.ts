// Lists of links that are scanned in the background: counted whole, sorted, and paged through.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostOf } from '../../../src/url/host-of.ts'
import { LinkLists, type LinkQuery } from '../../../src/view/indexes/link-list.ts'
import type { ListedLink } from '../../../src/view/listed.ts'
import type { LinkOrder } from '../../../src/view/questions/link-shapes.ts'
import { RandomSource, seeds } from '../../model/random-source.ts'

const QUERY: LinkQuery = { sort: 'known', reverse: false, offset: 0, limit: 50 }

function linksOf(count: number, random: RandomSource): ListedLink[] {
  return Array.from({ length: count }, (_, n) => ({
    url: `http://${random.pick(['a', 'b', 'c'])}.com/${random.below(count)}/${n}`,
    state: 'failed' as const,
    reason: random.pick(['dns', 'timeout', 'reset']),
    hops: random.below(9),
    attempts: random.below(4),
  }))
}

async function* each(links: readonly ListedLink[]): AsyncGenerator<ListedLink> {
  yield* links
}

/** What a list should be: all links sorted, naively. */
function sorted(links: readonly ListedLink[], sort: LinkOrder, isReversed: boolean): ListedLink[] {
  const keys = {
    url: (l: ListedLink) => l.url,
    host: (l: ListedLink) => hostOf(l.url),
    reason: (l: ListedLink) => l.reason!,
  }
  const compare = (a: ListedLink, b: ListedLink): number => {
    if (sort === 'known') return 0
    if (sort === 'attempts') return b.attempts! - a.attempts!
    if (sort === 'hops') return b.hops - a.hops
    const [x, y] = [keys[sort](a), keys[sort](b)]
    return x < y ? -1 : x > y ? 1 : 0
  }
  const all = links.toSorted(compare)
  if (!isReversed) return all
  // Ties in the opposite order, too.
  return links.toReversed().toSorted((a, b) => compare(b, a))
}

test('link list: however many links there are, it is counted whole and its first 5,000 are in order', async t => {
  for (const seed of seeds(t, 3, 1)) {
    const random = new RandomSource(seed)
    const links = linksOf([5000, 40, 11_000][seed % 3]!, random)
    for (const sort of ['known', 'url', 'host', 'reason', 'attempts', 'hops'] as const) {
      const reverse = random.below(2) === 0
      const lists = new LinkLists(() => each(links))
      const found = await complete(lists, { ...QUERY, sort, reverse, limit: 200 })
      const expected = sorted(links, sort, reverse)
      assert.deepEqual(found.items, expected.slice(0, 200), `${sort} ${reverse} seed ${seed}`)
      assert.deepEqual([found.total, found.reachable], [links.length, Math.min(links.length, 5000)])
      const late = await complete(lists, { ...QUERY, sort, reverse, offset: found.reachable - 20 })
      assert.deepEqual(late.items, expected.slice(found.reachable - 20, found.reachable))
      lists.close()
    }
  }
})

async function complete(lists: LinkLists, query: LinkQuery, total?: number) {
  for (;;) {
    const found = await lists.find(query, total)
    if (found.isComplete) return found
  }
}

test('link list: in the order of discovery it reads no further than can be shown, if the count is known', async () => {
  let read = 0
  const endless = async function* (): AsyncGenerator<ListedLink> {
    for (;;) yield { url: `http://a.com/${read++}`, state: 'waiting', hops: 1 }
  }
  const lists = new LinkLists(endless)
  const found = await complete(lists, QUERY, 1_000_000)
  assert.deepEqual([found.total, found.reachable, read], [1_000_000, 5000, 5000])
  lists.close()
})

test('link list: an answer does not wait for a long scan, and a scan that nobody asks about ends', async () => {
  let nowMs = 0
  let isOpen = true
  const links = async function* (): AsyncGenerator<ListedLink> {
    try {
      for (let n = 0; ; n++) {
        nowMs += 1
        yield { url: `http://a.com/${n}`, state: 'waiting', hops: 1 }
      }
    } finally {
      isOpen = false
    }
  }
  const lists = new LinkLists(links, () => nowMs)
  const found = await lists.find({ ...QUERY, q: 'a' }, undefined)
  assert.equal(found.isComplete, false)
  assert.equal(found.items.length, 50)
  while (isOpen) await new Promise(resolve => setImmediate(resolve))
  assert.ok(nowMs >= 20_000)
})

test('link list: a failure is told, and the next question begins anew', async () => {
  let isBroken = true
  const lists = new LinkLists(async function* () {
    if (isBroken) throw new Error('broken')
    yield { url: 'http://a.com/', state: 'failed', hops: 0 }
  })
  await assert.rejects(lists.find(QUERY, undefined), /broken/)
  isBroken = false
  assert.equal((await lists.find(QUERY, undefined)).total, 1)
  lists.close()
})
