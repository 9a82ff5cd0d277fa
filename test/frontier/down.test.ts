import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outcome, Shown } from '../../src/frontier/frontier.ts'
import { openLocal } from '../../src/frontier/local/open.ts'

const DONE: Outcome = { kind: 'done', isPage: true }

test('down: when a server goes down, neither links nor auxiliary links of its other hosts keep the crawl open', async () => {
  const frontier = await openLocal({ strategy: 'breadth', retries: 0, serverGapMs: 0, clock: () => 0 })
  const offer = (url: string, kind: 'page' | 'robots' = 'page') => frontier.offer([{ url, kind, rank: 0, hops: 0 }])
  const settle = async (ticketId: number, outcome: Outcome, shown: Shown) => {
    await frontier.place(ticketId, '10.0.0.1')
    await frontier.settle([{ ticketId, outcome, shown, links: [], delayMs: 0 }])
  }
  await offer('http://a.com/')
  await offer('http://b.com/')
  await frontier.take(2)
  await settle(1, DONE, 'answer')
  await settle(2, { kind: 'again' }, 'silence')
  assert.equal((await frontier.take(0)).end, 'nothing left')
  await offer('http://a.com/robots.txt', 'robots')
  assert.equal((await frontier.take(0)).end, 'nothing left')
  await offer('http://a.com/2')
  const { down, waiting } = await frontier.counts()
  assert.deepEqual({ down, waiting }, { down: 2, waiting: 2 })
  assert.equal((await frontier.take(0)).end, 'nothing left')
  // An answer of one host raises them all; b.com is down by itself.
  const { tickets } = await frontier.take(1)
  assert.equal(tickets[0]!.url, 'http://a.com/robots.txt')
  await settle(tickets[0]!.id, DONE, 'answer')
  assert.equal((await frontier.take(0)).end, undefined)
  assert.equal((await frontier.counts()).down, 1)
})

test('down: a server that goes down while auxiliary links of its hosts wait', async () => {
  const frontier = await openLocal({ strategy: 'breadth', retries: 0, serverGapMs: 0, clock: () => 0 })
  const urls = ['http://a.com/', 'http://b.com/']
  await frontier.offer(urls.map(url => ({ url, rank: 0, hops: 0 })))
  await frontier.take(2)
  for (const ticketId of [1, 2]) await frontier.place(ticketId, '10.0.0.1')
  const settled = { links: [], delayMs: 0 }
  await frontier.settle([{ ticketId: 1, outcome: DONE, shown: 'answer', ...settled }])
  await frontier.offer([{ url: 'http://a.com/robots.txt', kind: 'robots', rank: 0, hops: 0 }])
  await frontier.settle([{ ticketId: 2, outcome: { kind: 'again' }, shown: 'silence', ...settled }])
  assert.equal((await frontier.take(0)).end, 'nothing left')
})
