// The collector alone, with a frontier that hands out what the test wants, in wound time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RunLimits } from '../../src/decide/limits.ts'
import type { Taken, Ticket } from '../../src/frontier/frontier.ts'
import { Collector, type CollectorDeps, OpenLeases } from '../../src/run/collector.ts'
import { NetworkWatch } from '../../src/run/network-watch.ts'
import { Slots } from '../../src/run/slots.ts'
import { VirtualClock } from '../../src/simulate/virtual-clock.ts'

const LEASE_MS = 60_000
const NOTHING: Taken = { tickets: [], waitMs: undefined }
const NOTHING_LEFT: Taken = { ...NOTHING, end: 'nothing left' }

function pages(...ids: number[]): Taken {
  const ticket = { kind: 'page', leaseMs: LEASE_MS } as Ticket
  return { tickets: ids.map(id => ({ ...ticket, id })), waitMs: undefined }
}

let newest: VirtualClock

/** `take` says what the n-th look at the frontier gives. */
function collector(take: (n: number, max: number) => Taken | Promise<Taken>, more: Partial<CollectorDeps> = {}) {
  const time = (newest = new VirtualClock())
  const log: string[] = []
  const lives = new Map<number, { end(): void; fail(error: unknown): void }>()
  const renew = async (ids: readonly number[]) => {
    log.push(`renew ${ids.join(' ')}`)
    return []
  }
  let looks = 0
  const deps: CollectorDeps = {
    frontier: {
      take: async max => {
        log.push(`take ${max}`)
        return take(++looks, max)
      },
    },
    slots: new Slots(4),
    leases: new OpenLeases({ renew }, time.clock),
    network: new NetworkWatch(time.clock, false, () => {}),
    limits: new RunLimits({ maxTimeMs: Infinity, maxArchiveBytes: Infinity }, time.clock, () => 0),
    clock: time.clock,
    timer: time.timer,
    abandon: () => void log.push('abandon'),
    live: ({ id }) => new Promise<void>((end, fail) => lives.set(id, { end, fail })),
    isHeldUp: () => false,
    ...more,
  }
  return { time, log, lives, deps, collector: new Collector(deps) }
}

/** The newest collector does everything that needs no time. */
function turns(): Promise<void> {
  return newest.settle()
}

test('ours: while it is held up nothing is taken, and a crawl that is held up has not ended', async () => {
  let isHeldUp = true
  const { collector: subject, log, time } = collector(() => NOTHING_LEFT, { isHeldUp: () => isHeldUp })
  const ended = subject.run()
  await turns()
  assert.deepEqual(log, [])
  isHeldUp = false
  subject.goOn()
  assert.equal(await time.until(ended), 'nothing left')
  assert.deepEqual(log, ['take 10'])
})

test('ours: who stops a crawl that is held up ends it', async () => {
  const { collector: subject, time } = collector(() => NOTHING, { isHeldUp: () => true })
  const ended = subject.run()
  await turns()
  subject.stop()
  assert.equal(await time.until(ended, 1), 'stopped')
})

test('ours: an error in a ticket’s life ends the crawl with it', async () => {
  const { collector: subject, lives, time } = collector(n => (n === 1 ? pages(1, 2) : NOTHING))
  const ended = subject.run()
  await turns()
  lives.get(1)!.fail(new Error('disk'))
  await assert.rejects(time.until(ended, 1), /disk/)
})

test('ours: one and a half times as many pages as there are slots are taken in advance, and no more; not one by one', async () => {
  const {
    collector: subject,
    lives,
    log,
  } = collector(n => (n === 1 ? pages(1, 2, 3, 4, 5, 6, 7, 8, 9, 10) : pages(20 + n, 30 + n)))
  void subject.run()
  await turns()
  assert.deepEqual(log, ['take 10'])
  lives.get(3)!.end()
  await turns()
  assert.deepEqual(log, ['take 10'])
  lives.get(4)!.end()
  await turns()
  assert.deepEqual(log.slice(0, 2), ['take 10', 'take 2'])
  assert.equal(subject.isShort, false)
})

test('ours: at the limit whoever waits for a slot goes away, open requests are let go, and it ends when all of them have', async () => {
  const {
    collector: subject,
    lives,
    log,
    deps,
    time,
  } = collector(n => (n === 1 ? pages(1) : { ...NOTHING, end: 'limit' }))
  const ended = subject.run()
  await turns()
  subject.goOn()
  await turns()
  assert.equal(log.at(-1), 'abandon')
  assert.equal(await deps.slots.enter(true), undefined)
  let hasEnded = false
  void ended.then(() => (hasEnded = true))
  await turns()
  assert.equal(hasEnded, false)
  lives.get(1)!.end()
  assert.equal(await time.until(ended, 1), 'limit')
})

test('ours: open tickets are renewed while nothing else happens', async () => {
  const { collector: subject, lives, log, time } = collector(n => (n === 1 ? pages(1) : NOTHING))
  void subject.run()
  await time.until(time.sleep(LEASE_MS))
  assert.ok(log.filter(line => line === 'renew 1').length >= 2, log.join(', '))
  lives.get(1)!.end()
})

test('ours: what changes while the frontier is asked is looked at without sleeping', async () => {
  let answer = (_: Taken) => {}
  const asked = (n: number) => (n === 1 ? new Promise<Taken>(resolve => (answer = resolve)) : NOTHING_LEFT)
  const { collector: subject, time } = collector(asked)
  const ended = subject.run()
  await turns()
  subject.goOn()
  answer(NOTHING)
  const startMs = time.nowMs
  assert.equal(await time.until(ended), 'nothing left')
  assert.equal(time.nowMs, startMs)
})

test('ours: it sleeps as long as the frontier says, and 15 s at most', async () => {
  const waits = [700, 3_600_000]
  const times: number[] = []
  const { collector: subject, time } = collector(n => {
    times.push(time.nowMs)
    return n <= waits.length ? { ...NOTHING, waitMs: waits[n - 1] } : NOTHING_LEFT
  })
  await time.until(subject.run())
  assert.deepEqual([times[1]! - times[0]!, times[2]! - times[1]!], [700, 15_000])
  assert.equal(subject.isShort, true)
})

test('ours: while the network is away four tickets are taken at a time, when it is time to look', async () => {
  const { collector: subject, log, deps, time } = collector(n => (n < 4 ? NOTHING : NOTHING_LEFT))
  const asked = { server: '10.0.0.1', isProven: false, isOurDns: true }
  assert.equal(deps.network.isTheirs(asked, { kind: 'failed', why: 'dns', isSilent: true }), false)
  const startMs = time.nowMs
  await time.until(subject.run())
  assert.deepEqual(log, ['take 4', 'take 4', 'take 4', 'take 4'])
  assert.equal(time.nowMs - startMs, 1000 + 2000 + 4000 + 8000)
})

test('collector: --max-time ends a run as a stop does: open requests are finished, no new ones are made', async () => {
  const { collector: subject, lives, log, deps, time } = collector(n => (n === 1 ? pages(1) : NOTHING), {})
  Object.assign(deps, {
    limits: new RunLimits({ maxTimeMs: 4000, maxArchiveBytes: Infinity }, time.clock, () => 0),
  })
  const startMs = time.nowMs
  const ended = subject.run()
  await time.until(time.sleep(4001))
  const looks = log.length
  assert.equal(await deps.slots.enter(true), undefined)
  assert.equal(subject.isEnding, true)
  await time.until(time.sleep(60_000))
  assert.equal(log.filter(line => line.startsWith('take')).length, looks)
  lives.get(1)!.end()
  assert.equal(await time.until(ended, 1), 'time')
  assert.equal(time.nowMs - startMs, 64_001)
})

test('collector: --max-bytes ends a run when the archive has that size, also at once', async () => {
  let bytes = 999
  const limits = () =>
    new RunLimits(
      { maxTimeMs: Infinity, maxArchiveBytes: 1000 },
      () => 0,
      () => bytes,
    )
  const first = collector(n => (n === 1 ? pages(1) : NOTHING), { limits: limits() })
  const ended = first.collector.run()
  await turns()
  bytes = 1000
  first.lives.get(1)!.end()
  assert.equal(await first.time.until(ended, 1), 'bytes')
  const second = collector(() => pages(1), { limits: limits() })
  assert.equal(await second.time.until(second.collector.run(), 1), 'bytes')
  assert.deepEqual(second.log, [])
})

test('collector: it is quiet when the last ticket has ended, those included that were just being taken', async () => {
  let isHeldUp = false
  let give: (taken: Taken) => void = () => {}
  const {
    collector: subject,
    lives,
    time,
  } = collector(() => new Promise<Taken>(resolve => (give = resolve)), {
    isHeldUp: () => isHeldUp,
  })
  const ended = subject.run()
  await turns()
  isHeldUp = true
  let isQuiet = false
  const quiet = subject.quiet().then(() => {
    isQuiet = true
  })
  give(pages(1, 2))
  await turns()
  lives.get(1)!.end()
  await turns()
  assert.equal(isQuiet, false)
  lives.get(2)!.end()
  await quiet
  const failing = subject.quiet()
  await failing
  subject.fail(new Error('disk'))
  await assert.rejects(subject.quiet(), /disk/, 'who waits for a crawl that failed does not wait forever')
  await assert.rejects(time.until(ended), /disk/)
})

test('collector: a crawl that is paused, or ends, while the network is away sleeps', async () => {
  let isHeldUp = false
  const take = (n: number) => (n === 1 ? pages(1) : NOTHING)
  const { collector: subject, time, deps, lives } = collector(take, { isHeldUp: () => isHeldUp })
  const asked = { server: 'a', isProven: false, isOurDns: true }
  const ended = subject.run()
  await turns()
  deps.network.isTheirs(asked, { kind: 'failed', why: 'dns', isSilent: true })
  assert.ok(deps.network.isAway)
  let steps = 0
  const pass = (ms: number) => time.until(time.sleep(ms), ms, async () => void steps++)
  isHeldUp = true
  await pass(600_000)
  assert.ok(steps < 50, `${steps} wakings in ten minutes`)
  isHeldUp = false
  subject.stop()
  await pass(600_000)
  assert.ok(steps < 100, `${steps} wakings in ten more minutes`)
  lives.get(1)!.end()
  assert.equal(await time.until(ended), 'stopped')
})
