import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RedisFrontier } from '../../../src/frontier/redis/open.ts'
import { startRedis, until } from '../../redis/servers.ts'
import { Crew, done, links } from './crew.ts'

const server = await startRedis({ after })

/** Takes and settles until the frontier says that it is over; every third visit brings no page. */
async function crawl(frontier: RedisFrontier, most: number, onOpen: (change: number) => void): Promise<number> {
  let pages = 0
  for (let turn = 0; ; turn++) {
    const { tickets, waitMs, end } = await frontier.take(most)
    onOpen(tickets.length)
    const settlements = tickets.map((ticket, i) =>
      done(ticket, (turn + i) % 3 === 0 ? { outcome: { kind: 'refused', reason: 'odd' } } : {}),
    )
    const brought = settlements.filter(({ outcome }) => outcome.kind === 'done').length
    const { late } = tickets.length > 0 ? await frontier.settle(settlements) : { late: [] }
    assert.deepEqual(late, [])
    pages += brought
    onOpen(-(tickets.length - brought))
    if (end !== undefined && tickets.length === 0) return pages
    if (tickets.length === 0) await sleep(Math.min(waitMs ?? 20, 20))
  }
}

test('Redis: three crawlers stop at exactly as many pages as are wanted, and never open a ticket too many', async t => {
  const crew = new Crew(t, server, 16, { limit: 300, beatMs: 50 })
  const crawlers = await Promise.all(['a', 'b', 'c'].map(id => crew.join(id)))
  await crawlers[0]!.offer(links(900))
  let openOrDone = 0
  let most = 0
  const onOpen = (change: number) => {
    openOrDone += change
    most = Math.max(most, openOrDone)
  }
  const pages = await Promise.all(crawlers.map((frontier, i) => crawl(frontier, [7, 64, 200][i]!, onOpen)))
  assert.equal(pages[0]! + pages[1]! + pages[2]!, 300)
  assert.ok(most <= 300, `${most} pages were done or open at once`)
  assert.equal((await crawlers[0]!.counts()).pages, 300)
})

test("ours: permits that a crawler does not use are the others'", async t => {
  const crew = new Crew(t, server, 4, { limit: 10, beatMs: 50 })
  const [a, b] = [await crew.join('a'), await crew.join('b')]
  await a.offer(links(4))
  assert.equal((await a.take(10)).tickets.length, 4)
  await b.offer(links(20, 1, 100))
  assert.equal((await b.take(20)).tickets.length, 6)
  assert.equal((await a.take(20)).tickets.length, 0)
})

test('ours: a limit counts the pages of former runs, also those that were never reported', async t => {
  const crew = new Crew(t, server, 4, { limit: 10, beatMs: 60_000 })
  const first = await crew.join('a')
  await first.offer(links(30))
  const { tickets } = await first.take(6)
  await first.settle(tickets.slice(0, 4).map(ticket => done(ticket)))
  // The first one never says another word.
  const again = await crew.join('a')
  assert.equal((await again.counts()).pages, 4)
  assert.equal((await again.take(30)).tickets.length, 6)
})

test('Redis: a crawler that dies between settling and reporting is fenced, and its numbers are made right', async t => {
  const crew = new Crew(t, server, 4, { limit: 20, beatMs: 50, leaseMs: 400 })
  // It is alone, so nobody waits for what it would report, and its heartbeat comes after a minute.
  const child = fork(new URL('./mortal-crawler.js', import.meta.url), [crew.url], { stdio: 'inherit' })
  t.after(() => child.kill('SIGKILL'))
  await said(child, 'settled')
  const died = once(child, 'exit')
  child.kill('SIGKILL')
  await died
  const a = await crew.join('a')
  const mortal = async () => (await a.book.crawlers()).find(({ id }) => id === 'mortal')
  assert.equal((await mortal())?.pages, 0)
  // It had 8 tickets open, settled 5 of them, and reported nothing of that: 12 pages are left, until its 3 are back.
  const { tickets } = await a.take(20)
  assert.equal(tickets.length, 12)
  await a.settle(tickets.map(ticket => done(ticket)))
  assert.equal((await a.take(20)).tickets.length, 0)
  await until('the burial', 5000, async () => (await mortal())?.agoMs === undefined)
  assert.equal((await mortal())?.pages, 5)
  assert.equal((await a.take(20)).tickets.length, 3)
})

async function said(child: ChildProcess, what: string): Promise<void> {
  const [message] = await once(child, 'message')
  assert.equal(message, what)
}
