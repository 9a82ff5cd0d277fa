// A folder that version 0.1 left; its README says what it holds, and how it was made.
import assert from 'node:assert/strict'
import { appendFileSync, readdirSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Frontier } from '../../src/frontier/frontier.ts'
import { type LocalOptions, openLocal } from '../../src/frontier/local/open.ts'
import { HandClock, START_MS as T } from '../contract/hand-clock.ts'
import { copyFrontier, removeFrontier, temporaryFrontier } from '../contract/maker.ts'
import {
  countsAre,
  done,
  drain,
  explained,
  inShort,
  take,
  viewOf,
  viewsOf,
  waitingAt,
} from '../contract/sentences/sentence.ts'

const FIXTURE = fileURLToPath(new URL('../../../test/frontier/fixtures/version-2/', import.meta.url))
/** When it is opened: after the last call of the former version, before any of its leases runs out. */
const OPENED_MS = T + 70_000
const JOURNAL = 'journal-00000002.log'
const AS_IT_WAS = { known: 32, waiting: 17, done: 1, refused: 14, hosts: 11 }

interface Former {
  readonly folder: string
  readonly clock: HandClock
  readonly repairs: string[]
  open(options?: LocalOptions): Promise<Frontier>
}

function former(t: TestContext): Former {
  const folder = temporaryFrontier()
  copyFrontier(FIXTURE, folder)
  const clock = new HandClock(OPENED_MS)
  const repairs: string[] = []
  const opened: Frontier[] = []
  t.after(async () => {
    for (const frontier of opened) await frontier.close()
    removeFrontier(folder)
  })
  const open = async (options: LocalOptions = {}) => {
    const onRepair = (message: string) => repairs.push(message)
    const frontier = await openLocal({ delayMs: 100, leaseMs: 60_000, ...options, folder, clock: clock.read, onRepair })
    opened.push(frontier)
    return frontier
  }
  return { folder, clock, repairs, open }
}

function versionsIn(folder: string, start: string): number[] {
  const names = readdirSync(folder).filter(name => name.startsWith(start))
  return names.sort().map(name => readFileSync(join(folder, name)).readUInt16LE(4))
}

test('ours: the fixture is a folder of version 2, with a snapshot and a journal after it', () => {
  assert.deepEqual(versionsIn(FIXTURE, 'snapshot'), [2])
  assert.deepEqual(versionsIn(FIXTURE, 'journal'), [2, 2])
})

test('ours: of a folder of version 2, everything is known, and open leases come back', async t => {
  const { open, repairs } = former(t)
  const frontier = await open()
  await countsAre(frontier, AS_IT_WAS)
  assert.deepEqual(repairs, [])
  assert.equal(await frontier.offer([{ url: 'http://a.com/', pathDepth: 0, hops: 0 }]), 0)
  const urls = ['http://a.com/', 'http://b.com/', 'http://f.com/', 'http://many.com/0', 'http://many.com/11']
  const states = (await frontier.explain(urls)).map(one => ('reason' in one ? one.reason : one.state))
  assert.deepEqual(states, ['done', 'robots', 'scope', 'cleared', 'cleared'])
  assert.deepEqual(await explained(frontier, 'a/found'), {
    ...{ state: 'waiting', host: 'a.com', place: 2, isExact: true, readyInMs: 100, isDown: false },
  })
})

test('ours: the links of a folder of version 2 keep their order, path depth and hops', async t => {
  const frontier = await former(t).open()
  const lists: Record<string, string> = {}
  for (const { host, waiting } of await viewsOf(frontier)) {
    if (waiting > 0) lists[host] = inShort((await frontier.waiting(host, { limit: 100 })).items)
  }
  assert.deepEqual(lists, {
    // What was leased comes back to the end of its list.
    'a.com': 'a/2 a/ü?q=1 a/found a/1 a/deep/er/1',
    'b.com': 'b/1 b/2',
    'c.com': 'c/ c/1',
    'd.com': 'd/',
    'e.com': 'e/ e/1',
    'www.c.com:8080': 'www.c:8080/',
    'many.com': 'many/after',
    'g.com': 'g/ g/1',
    'h.com': 'h/',
  })
  assert.deepEqual((await waitingAt(frontier, 'a')).at(-1), { url: 'http://a.com/deep/er/1', pathDepth: 3, hops: 4 })
  assert.deepEqual(await waitingAt(frontier, 'h'), [{ url: 'http://h.com/', pathDepth: 0, hops: 5 }])
})

test('ours: the hosts of a folder of version 2 keep their times and delays, each alone', async t => {
  const frontier = await former(t).open()
  const times = (await viewsOf(frontier)).map(({ host, readyInMs, delayMs }) => [host, readyInMs, delayMs])
  assert.deepEqual(times, [
    // Those with an open lease may have been asked until now.
    ['a.com', 100, 0],
    ['b.com', 20_020, 30_000],
    ['c.com', 100, 0],
    ['d.com', 100, 0],
    // Tied to d.com before, and no longer.
    ['e.com', 0, 0],
    ['www.c.com:8080', 0, 0],
    ['quiet.com', 3_530_000, 0],
    ['f.com', 0, 0],
    ['many.com', 100, 0],
    ['g.com', 0, 0],
    ['h.com', 50_000, 4000],
  ])
})

test('ours: a folder of version 2 goes on: attempts are counted, ties are forgotten, ticket numbers are new', async t => {
  const { clock, open } = former(t)
  const frontier = await open()
  clock.nowMs += 100
  const tickets = await take(frontier, 100, clock.nowMs)
  assert.equal(inShort(tickets).split(' ').sort().join(' '), 'a/2 c/ d/ e/ g/ many/after www.c:8080/')
  assert.ok(tickets.every(({ id }) => id > 11))
  assert.ok(tickets.every(({ server, isProven, hostPages }) => server === undefined && !isProven && hostPages === 0))
  const attempts = tickets.filter(({ attempt }) => attempt !== 1)
  assert.deepEqual(
    attempts.map(({ url, attempt }) => [url, attempt]),
    [['http://c.com/', 2]],
  )
  await frontier.settle(tickets.map(ticket => done(ticket)))
  assert.equal((await drain(frontier, clock.nowMs)).length, 17 - tickets.length)
  await countsAre(frontier, { known: 32, done: 18, refused: 14, pages: 17, hosts: 11 })
})

test('ours: the pages of a former version count for the limit, and are counted once', async t => {
  const { clock, open } = former(t)
  const first = await open({ limit: 2, formerPages: 3 })
  // Two of them are not done yet: they count when they are settled.
  await countsAre(first, { ...AS_IT_WAS, pages: 1 })
  const [ticket, ...others] = await take(first, 100, clock.nowMs)
  assert.deepEqual(others, [])
  await first.settle([done(ticket!)])
  assert.equal((await first.take(1)).end, 'limit')
  await first.close()
  const second = await open({ formerPages: 1000 })
  await countsAre(second, { ...AS_IT_WAS, waiting: 16, done: 2, pages: 2 })
})

test('ours: once opened, a folder of version 2 goes on as a new one, and the same is there each time', async t => {
  const { clock, open, folder, repairs } = former(t)
  const look = async (frontier: Frontier) => {
    const hosts = await viewsOf(frontier)
    const lists = await Promise.all(hosts.map(({ host }) => frontier.waiting(host, { limit: 100 })))
    return { hosts, lists }
  }
  const first = await open()
  const before = await look(first)
  await first.close()
  assert.deepEqual(versionsIn(folder, 'journal'), [2, 2, 3])
  const second = await open({ snapshotBytes: 1 })
  await countsAre(second, AS_IT_WAS)
  assert.deepEqual(await look(second), before)
  await second.setDelay('b.com', 31_000)
  await second.close()
  assert.deepEqual(versionsIn(folder, 'snapshot'), [6])
  const third = await open()
  assert.deepEqual(await viewOf(third, 'b'), { ...before.hosts[1]!, delayMs: 31_000 })
  assert.deepEqual((await look(third)).lists, before.lists)
  assert.equal((await drain(third, clock.nowMs)).length, 17)
  assert.deepEqual(repairs, [])
})

test('issue 10.1: refused links of a folder of version 2 whose texts are there can be listed and requeued', async t => {
  const { clock, open } = former(t)
  const frontier = await open()
  const { refusedFor } = await frontier.counts()
  assert.deepEqual(refusedFor, { robots: 1, scope: 1, cleared: 12 })
  const { items } = await frontier.links({ state: 'refused', reasons: ['robots', 'scope'] }, { limit: 100 })
  assert.equal(inShort(items), 'b/ f/')
  assert.equal(await frontier.requeue(items), 2)
  assert.equal((await drain(frontier, clock.nowMs)).filter(({ url }) => /^http:..[bf].com.$/.test(url)).length, 2)
})

test('ours: a torn tail of a journal of version 2 is cut off and reported', async t => {
  const { folder, open, repairs } = former(t)
  const path = join(folder, JOURNAL)
  const whole = readFileSync(path)
  // The last frame gave the ticket of www.c.com:8080 back; without it the ticket was open.
  truncateSync(path, whole.length - 3)
  const frontier = await open()
  assert.equal(repairs.length, 1)
  assert.match(repairs[0]!, new RegExp(`${JOURNAL}.*torn tail`))
  await countsAre(frontier, AS_IT_WAS)
  const view = (await viewsOf(frontier)).find(({ host }) => host === 'www.c.com:8080')
  assert.equal(view?.readyInMs, 100)
  await frontier.close()
  await countsAre(await open(), AS_IT_WAS)
  assert.equal(repairs.length, 1)
})

test('ours: cut in its header or at any byte of its last frames, a journal of version 2 opens', async t => {
  const whole = readFileSync(join(FIXTURE, JOURNAL))
  const lengths = [0, 1, 15, 16, 17, ...Array.from({ length: 40 }, (_, n) => whole.length - 40 + n)]
  for (const bytes of lengths) {
    const { folder, open, repairs } = former(t)
    truncateSync(join(folder, JOURNAL), bytes)
    const frontier = await open()
    const { known, waiting, done, refused } = await frontier.counts()
    assert.equal(known, bytes < 20 ? 24 : 32, `cut to ${bytes}`)
    assert.equal(waiting + done + refused, known)
    assert.ok(repairs.length <= 1)
    await frontier.close()
    removeFrontier(folder)
  }
})

test('ours: damage in a journal of version 2 is an error that names the file', async t => {
  const { folder, open } = former(t)
  appendFileSync(join(folder, JOURNAL), Buffer.alloc(40, 7))
  await assert.rejects(open(), { code: 'FRONTIER_DAMAGED', message: new RegExp(JOURNAL) })
})
