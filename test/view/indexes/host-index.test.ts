import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Wildcard } from '../../../src/base/words/wildcard.ts'
import { type FoundHosts, HostIndex } from '../../../src/view/indexes/host-index.ts'
import { type HostOrder, type HostQuery, HostTable } from '../../../src/view/indexes/host-table.ts'
import type { HostColumns } from '../../../src/view/questions/host-columns.ts'
import { RandomSource, seeds } from '../../model/random-source.ts'

interface Host {
  readonly name: string
  waiting: number
  pages: number
  delayMs: number
  readyAtMs: number
  failed: number
}

const NOW_MS = 1_800_000_000_000
const ORDERS: readonly HostOrder[] = ['known', 'name', 'waiting', 'pages', 'failed', 'delay', 'next']
const QUERIES = [
  '',
  'a',
  'co',
  'shop',
  'example.org',
  '*',
  '*.org',
  'a*',
  '*a*b*',
  'a*.org',
  'SHOP',
  ' www. ',
  'zzz',
  '.',
]

function randomHost(random: RandomSource, n: number): Host {
  const word = () => Array.from({ length: 1 + random.below(6) }, () => random.pick([...'abcdefgho-'])).join('')
  const name = `${random.pick(['www.', 'shop.', 'a', ''])}${word()}${n}.${random.pick(['com', 'org', 'example.org'])}`
  return { name, ...randomValues(random) }
}

function randomValues(random: RandomSource): Omit<Host, 'name'> {
  const waiting = random.pick([0, 1, random.below(100), random.below(100_000)])
  const readyAtMs = random.pick([0, NOW_MS + random.below(1_000_000), NOW_MS + random.below(2 ** 31)])
  return {
    waiting,
    pages: random.below(3),
    delayMs: random.pick([0, 1000, 86_400_000]),
    readyAtMs,
    failed: random.below(9),
  }
}

function rowsOf(hosts: readonly Host[], next?: string): HostColumns {
  return {
    names: hosts.map(({ name }) => name),
    waiting: Uint32Array.from(hosts, ({ waiting }) => waiting),
    pages: Uint32Array.from(hosts, ({ pages }) => pages),
    delayMs: Uint32Array.from(hosts, ({ delayMs }) => delayMs),
    readyAtMs: Float64Array.from(hosts, ({ readyAtMs }) => readyAtMs),
    isDown: new Uint8Array(hosts.length),
    next,
  }
}

/** What the types say, in the simplest words. */
function naive(hosts: readonly Host[], { q = '', sort = 'known', reverse, offset, limit }: HostQuery) {
  const text = q.trim().toLowerCase()
  const pattern = new Wildcard(text.includes('*') ? text : `*${text}*`, true)
  const found = hosts.filter(({ name }) => pattern.matches(name))
  const keyOf: Record<HostOrder, (host: Host) => number> = {
    known: () => 0,
    name: () => 0,
    waiting: host => host.waiting,
    pages: host => host.pages,
    failed: host => host.failed,
    delay: host => host.delayMs,
    // To 10 ms; a host with nothing to wait for comes last.
    next: host => (host.waiting === 0 ? 0 : Math.ceil(host.readyAtMs / 10)),
  }
  const sorted = found.sort((a, b) => {
    if (sort === 'name') return a.name < b.name ? -1 : 1
    return keyOf[sort](b) - keyOf[sort](a)
  })
  if (reverse) sorted.reverse()
  return { names: sorted.slice(offset, offset + limit).map(({ name }) => name), total: found.length }
}

test('host index: any part of any list of hosts is that of the simplest search and sort, while hosts come and change', t => {
  for (const seed of seeds(t, 4, 1)) {
    const random = new RandomSource(seed)
    const table = new HostTable(NOW_MS - 1000)
    const hosts: Host[] = []
    const failedOf = (name: string) => hosts.find(host => host.name === name)!.failed
    for (let round = 0; round < 6; round++) {
      for (const host of hosts) if (random.chance(0.3)) Object.assign(host, randomValues(random))
      for (let more = random.pick([0, 5, 1000]); more > 0; more--) hosts.push(randomHost(random, hosts.length))
      // A page of a shared frontier may begin somewhere else than the last time.
      const shift = random.pick([0, 0, 3])
      const rows = rowsOf(hosts)
      table.take(rows, 0, hosts.length, shift, failedOf)
      assert.equal(table.count, hosts.length)
      for (let asked = 0; asked < 20; asked++) {
        const query = {
          q: random.pick(QUERIES),
          sort: random.pick(ORDERS),
          reverse: random.chance(0.3),
          offset: random.pick([0, 0, random.below(hosts.length + 1)]),
          limit: random.pick([1, 50, 200]),
        }
        assert.deepEqual(table.find(query), naive(hosts, query), `seed ${seed}: ${JSON.stringify(query)}`)
      }
    }
  }
})

test('ours: a name that is not ASCII is found by its ASCII form', () => {
  const table = new HostTable(NOW_MS)
  const host = { ...randomValues(new RandomSource(1)), name: 'www.xn--mnchen-3ya.example' }
  table.take(rowsOf([host]), 0, 1, 0, () => 0)
  for (const q of ['münchen.example', 'MÜNCHEN', '*.münchen.*'])
    assert.equal(table.find({ q, offset: 0, limit: 1 }).total, 1, q)
  assert.equal(table.find({ q: 'm\u0000\u0300', offset: 0, limit: 1 }).total, 0)
  assert.equal(table.find({ q: 'x'.repeat(100_000), offset: 0, limit: 1 }).total, 0)
})

/** A crawl that gives its hosts some at a time, and can be cut off. */
class Crawl {
  hosts: Host[] = []
  asked = 0
  isGone = false

  add(count: number): void {
    const random = new RandomSource(count)
    for (let n = 0; n < count; n++) this.hosts.push(randomHost(random, this.hosts.length))
  }

  async rows({ after = '0', limit }: { after: string | undefined; limit: number }): Promise<HostColumns> {
    this.asked++
    await wait(1)
    if (this.isGone) throw new Error('gone')
    const start = Number(after)
    const end = Math.min(this.hosts.length, start + Math.min(limit, 700))
    return rowsOf(this.hosts.slice(start, end), end < this.hosts.length ? String(end) : undefined)
  }
}

async function until(index: HostIndex, isEnough: (found: FoundHosts) => boolean): Promise<FoundHosts> {
  for (const endMs = performance.now() + 20_000; ; ) {
    const found = await index.find({ offset: 0, limit: 5 })
    if (isEnough(found)) return found
    assert.ok(performance.now() < endMs, `this does not come: ${JSON.stringify(found)}`)
    await wait(5)
  }
}

test('host index: hosts are read in the background while somebody asks, and again after the crawl was gone', async t => {
  const crawl = new Crawl()
  crawl.add(3000)
  const index = new HostIndex(
    page => crawl.rows(page),
    name => name.length,
  )
  t.after(() => index.close())
  assert.equal(crawl.asked, 0, 'nobody has asked yet')
  const found = await until(index, ({ isComplete }) => isComplete)
  assert.equal(found.total, 3000)
  assert.equal(found.names[0], crawl.hosts[0]!.name)
  assert.ok(found.ageMs < 10_000)
  crawl.isGone = true
  crawl.add(10)
  const before = crawl.asked
  await until(index, () => crawl.asked > before)
  crawl.isGone = false
  await until(index, ({ total }) => total === 3010)
  const [failed] = (await index.find({ sort: 'failed', offset: 0, limit: 1 })).names
  assert.equal(failed!.length, Math.max(...crawl.hosts.map(({ name }) => name.length)))
})

test('ours: the hosts of another crawl in the same folder take the place of the former ones', async t => {
  const crawl = new Crawl()
  crawl.add(50)
  const index = new HostIndex(
    page => crawl.rows(page),
    () => 0,
  )
  t.after(() => index.close())
  await until(index, ({ total }) => total === 50)
  crawl.hosts = []
  crawl.add(20)
  const found = await until(index, ({ total, isComplete }) => total === 20 && isComplete)
  assert.deepEqual(
    found.names,
    crawl.hosts.slice(0, 5).map(({ name }) => name),
  )
})

test('ours: an index that is closed asks no more', async () => {
  const crawl = new Crawl()
  crawl.add(2000)
  const index = new HostIndex(
    page => crawl.rows(page),
    () => 0,
  )
  await index.find({ offset: 0, limit: 1 })
  await index.close()
  const { asked } = crawl
  await index.find({ offset: 0, limit: 1 })
  await wait(30)
  assert.equal(crawl.asked, asked)
})
