// More hosts than fit into any first block: what is kept of them is still theirs when the blocks grow.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HostView } from '../../src/frontier/frontier.ts'
import { removeFrontier, temporaryFrontier } from '../contract/maker.ts'
import { done, take } from '../contract/sentences/sentence.ts'
import { openTimed, type TimedFrontier } from '../contract/timed.ts'

const T = 1_700_000_000_000
/** More than a block of any column has. */
const HOSTS = 20_000
/** Known before the columns grow, and looked at after. */
const EARLY = [1, 2, 63, 64, 65, 127, 300, 1023, 1024, 4095, 4096, 4999]
const LATE = [5000, 8191, 8192, 16_382, 16_383, 16_384, 16_385, 19_999]

const nameOf = (n: number) => `h${n}.d${n % 700}.example.org`
const linkOf = (n: number, page: number) => ({ url: `http://${nameOf(n)}/${page}`, rank: page, hops: 0, gives: n })

/** What makes host `n` unlike the others. */
function ofHost(n: number) {
  return { delayMs: 1000 + n, server: n % 2 === 0 ? `server ${n}` : undefined }
}

async function makeKnown(frontier: TimedFrontier, from: number, to: number): Promise<void> {
  for (let n = from; n < to; n += 1000) {
    await frontier.offer(Array.from({ length: Math.min(1000, to - n) }, (_, i) => linkOf(n + i, 1)))
  }
}

/** A delay, a server and a page for each of these. */
async function liveThrough(frontier: TimedFrontier, numbers: readonly number[]): Promise<void> {
  for (const n of numbers) await frontier.setDelay(nameOf(n), ofHost(n).delayMs)
  const hosts = new Map(numbers.map(n => [nameOf(n), n]))
  const tickets = await take(frontier, 1e6, T)
  const ours = tickets.filter(({ host }) => hosts.has(host))
  assert.equal(ours.length, numbers.length)
  await frontier.giveBack(tickets.filter(({ host }) => !hosts.has(host)).map(({ id }) => id))
  for (const { id, host } of ours) {
    const { server } = ofHost(hosts.get(host)!)
    if (server !== undefined) assert.ok(await frontier.place(id, server, T))
  }
  await frontier.settle(
    ours.map(ticket => done(ticket)),
    T,
  )
}

async function allViews(frontier: TimedFrontier): Promise<HostView[]> {
  const views: HostView[] = []
  for (let after: string | undefined = '0'; after !== undefined; ) {
    const page: Awaited<ReturnType<TimedFrontier['hosts']>> = await frontier.hosts({ after, limit: 10_000 }, T)
    views.push(...page.items)
    after = page.next
  }
  return views
}

function isAsItWas(view: HostView, n: number): void {
  const { delayMs, server } = ofHost(n)
  const { host, pages, readyInMs } = view
  assert.deepEqual(
    { host, pages, readyInMs, delayMs: view.delayMs, server: view.server },
    { host: nameOf(n), pages: 1, readyInMs: delayMs, delayMs, server },
  )
}

test('ours: what is kept of a host is still there when the columns have grown, and after a snapshot', async () => {
  const folder = temporaryFrontier()
  const options = { folder, snapshotBytes: 1e6 }
  try {
    let frontier = await openTimed(options)
    await makeKnown(frontier, 0, 5000)
    await liveThrough(frontier, EARLY)
    const early = await allViews(frontier)
    for (const n of EARLY) isAsItWas(early[n]!, n)
    await makeKnown(frontier, 5000, HOSTS)
    await liveThrough(frontier, LATE)
    for (const isReopened of [false, true]) {
      if (isReopened) {
        await frontier.close()
        frontier = await openTimed(options)
      }
      const views = await allViews(frontier)
      assert.equal(views.length, HOSTS)
      for (const n of EARLY) assert.deepEqual(views[n], early[n], `host ${n}, reopened: ${isReopened}`)
      for (const n of LATE) isAsItWas(views[n]!, n)
      for (const [n, { received, turns }] of views.entries()) {
        // The first ones were leased a second time when the others had become known.
        assert.deepEqual([received, turns], [n, n < 5000 && !EARLY.includes(n) ? 2 : 1], `host ${n}`)
      }
      const others = views.filter((_, n) => !EARLY.includes(n) && !LATE.includes(n))
      const plain = {
        ...{ waiting: 1, due: 0, state: 'waiting', readyInMs: 0, delayMs: 0, server: undefined, pages: 0, failures: 0 },
      }
      for (const { host, received: _, turns: __, ...view } of others)
        assert.deepEqual(view, { ...plain, isDown: false }, host)
    }
    await frontier.close()
  } finally {
    removeFrontier(folder)
  }
})

test('ours: failures, proof and servers past the first block are those of their host', async () => {
  const frontier = await openTimed({ perServer: 1 })
  await makeKnown(frontier, 0, HOSTS)
  const tickets = await take(frontier, 1e6, T)
  assert.equal(tickets.length, HOSTS)
  for (const [n, { id }] of tickets.entries()) assert.ok(await frontier.place(id, `s${n}`, T))
  const shown = ['answer', 'trouble', 'silence'] as const
  await frontier.settle(
    tickets.map(({ id }, n) => {
      return { ticketId: id, outcome: { kind: 'again' }, links: [], shown: shown[n % 3], delayMs: n }
    }),
    T,
  )
  for (const [n, view] of (await allViews(frontier)).entries()) {
    assert.deepEqual([view.host, view.server, view.failures], [nameOf(n), `s${n}`, n % 3 === 0 ? 0 : 1])
    assert.equal(view.readyInMs, n % 3 === 0 ? n : Math.max(n, 1000))
  }
  const again = await take(frontier, 1e6, T + HOSTS)
  assert.equal(again.length, HOSTS)
  for (const { host, isProven, server, attempt } of again) {
    const n = Number(/^h(\d+)/.exec(host)![1])
    assert.deepEqual([isProven, server, attempt], [n % 3 === 0, `s${n}`, 2])
  }
  await frontier.close()
})
