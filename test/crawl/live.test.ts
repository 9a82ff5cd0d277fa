// One ticket's life with deps that write down what is asked of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Decision } from '../../src/decide/decision.ts'
import type { FetchResult } from '../../src/decide/job.ts'
import { Proxies, type ProxySettings } from '../../src/fetch/proxies.ts'
import type { Ticket } from '../../src/frontier/frontier.ts'
import { live, type TicketContext } from '../../src/run/live.ts'
import { NetworkWatch } from '../../src/run/network-watch.ts'
import { Slots } from '../../src/run/slots.ts'
import { VirtualClock } from '../../src/simulate/virtual-clock.ts'

const TICKET: Ticket = {
  id: 7,
  url: 'http://a.com/x',
  host: 'a.com',
  kind: 'page',
  rank: 1,
  hops: 0,
  attempt: 1,
  leaseMs: 60_000,
  server: undefined,
  hostPages: 0,
  isProven: true,
}
const BROKEN: FetchResult = { kind: 'failed', why: 'protocol', isSilent: false }
const NO_CONNECTION: FetchResult = { kind: 'failed', why: 'connect', isSilent: true }

interface Conditions {
  readonly ips?: readonly string[]
  /** What comes back from an address. */
  readonly results?: Readonly<Record<string, FetchResult>>
  /** Servers without room. */
  readonly full?: readonly string[]
  readonly isTooLate?: boolean
  /** What keeping ends with. */
  readonly kept?: Promise<void>
  readonly proxy?: ProxySettings
}

function context({ ips = ['10.0.0.1'], results = {}, full = [], isTooLate = false, kept, proxy }: Conditions) {
  const log: string[] = []
  const slots = new Slots(4)
  const { clock } = new VirtualClock()
  const context: TicketContext = {
    frontier: {
      place: async (_, server) => {
        log.push(`place ${server}`)
        return !full.includes(server)
      },
      hold: async (host, { forMs }) => void log.push(`hold ${host} ${forMs}`),
    },
    policy: {
      before: async () => ({ kind: 'ask', wanted: 'html' }),
      after: (_, result): Decision => {
        log.push(`after ${result.kind}`)
        return { entry: { settlement: { giveBack: 7 } }, events: [] }
      },
      part: () => ({ links: [], unfollowed: {} }),
      repeats: () => undefined,
    },
    novelty: { learn: () => false },
    slowedMs: () => undefined,
    names: {
      resolve: async () => ({
        kind: 'found',
        addresses: ips.map(ip => ({ ip, family: 4 as const, untilMs: Infinity })),
      }),
      demote: ip => void log.push(`demote ${ip}`),
    },
    proxies: new Proxies(proxy),
    slots,
    network: new NetworkWatch(clock, false, () => {}),
    visitor: {
      visit: async (_, { address }) => {
        assert.equal(slots.open, 1)
        const place = address?.ip ?? 'proxy'
        log.push(`visit ${place}`)
        return {
          result: results[place] ?? BROKEN,
          close: isSettled => void log.push(isSettled ? 'closed as settled' : 'closed as lost'),
        }
      },
    },
    committer: {
      keep: async () => {
        log.push('keep')
        await kept
        return { line: undefined, fresh: 0, isLate: false, goneLinks: 0 }
      },
      offer: async () => {},
    },
    hints: { offer: async () => 0, learn() {} },
    hosts: { delayMs: () => 100 },
    clock,
    isTooLate: () => isTooLate,
    goOn() {},
    emit: events => void log.push(events.kind),
  }
  return { log, slots, context }
}

test('ours: a place at the server comes before the request, and everything is kept before the visit is closed', async () => {
  let keep = () => {}
  const { log, context: deps, slots } = context({ kept: new Promise(resolve => (keep = resolve)) })
  const lived = live(TICKET, deps)
  for (let n = 0; n < 10; n++) await turn()
  assert.deepEqual(log, ['place 10.0.0.1', 'visit 10.0.0.1', 'after failed', 'keep'])
  assert.equal(slots.open, 0)
  keep()
  await lived
  assert.equal(log.at(-1), 'closed as settled')
})

test('ours: a server that the ticket is placed at already is not asked again', async () => {
  const { log, context: deps } = context({})
  await live({ ...TICKET, server: '10.0.0.1' }, deps)
  assert.equal(log[0], 'visit 10.0.0.1')
})

test('ours: a page that can’t be kept is closed as not settled, and the error ends the life', async () => {
  const { log, context: deps } = context({ kept: Promise.reject(new Error('disk')) })
  await assert.rejects(live(TICKET, deps), /disk/)
  assert.equal(log.at(-1), 'closed as lost')
})

test('ours: when the lease is too old for a request, nobody is asked, and the slot is free', async () => {
  const { log, context: deps, slots } = context({ isTooLate: true })
  await live(TICKET, deps)
  assert.deepEqual(log, ['place 10.0.0.1', 'after not asked', 'keep'])
  assert.equal(slots.open, 0)
})

test('ours: an address that can’t be connected to comes later the next time, and the next one is tried', async () => {
  const ips = ['10.0.0.1', '10.0.0.2']
  const { log, context: deps } = context({ ips, results: { '10.0.0.1': NO_CONNECTION } })
  await live(TICKET, deps)
  assert.deepEqual(log.slice(0, 5), [
    'place 10.0.0.1',
    'visit 10.0.0.1',
    'demote 10.0.0.1',
    'place 10.0.0.2',
    'visit 10.0.0.2',
  ])
})

test('ours: at most three addresses of a name are tried', async () => {
  const ips = ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4']
  const { log, context: deps } = context({ ips, results: Object.fromEntries(ips.map(ip => [ip, NO_CONNECTION])) })
  await live(TICKET, deps)
  assert.equal(log.filter(line => line.startsWith('visit')).length, 3)
})

test('ours: without room at its server a ticket is over; a host that was knocked at before keeps its delay', async () => {
  const first = context({ full: ['10.0.0.1'] })
  await live(TICKET, first.context)
  assert.deepEqual(first.log, ['place 10.0.0.1'])
  const ips = ['10.0.0.1', '10.0.0.2']
  const second = context({ ips, results: { '10.0.0.1': NO_CONNECTION }, full: ['10.0.0.2'] })
  await live(TICKET, second.context)
  assert.deepEqual(second.log.slice(3), ['place 10.0.0.2', 'hold a.com 100'])
})

test('ours: when this machine has no more connections, fewer are open from then on, and the host is not to blame', async () => {
  const {
    log,
    context: deps,
    slots,
  } = context({
    results: { '10.0.0.1': { kind: 'failed', why: 'files', isSilent: true } },
  })
  await live(TICKET, deps)
  assert.ok(slots.size < 4)
  assert.deepEqual(log.slice(2), ['trouble', 'after not asked', 'keep', 'closed as settled'])
})

test('proxy: a host behind a proxy is not looked up, and is placed at a server of its own', async () => {
  const { log, context: deps } = context({ proxy: { http: 'http://proxy.example:3128', no: ['b.com'] } })
  await live({ ...TICKET, url: 'http://a.com:8080/x', host: 'a.com:8080' }, deps)
  assert.deepEqual(log.slice(0, 2), ['place a.com', 'visit proxy'])
  await live({ ...TICKET, url: 'http://b.com/x', host: 'b.com' }, deps)
  assert.deepEqual(log.slice(-5, -3), ['place 10.0.0.1', 'visit 10.0.0.1'])
})

test('proxy: a proxy that is away is nothing that the host did', async () => {
  const results = { proxy: { kind: 'failed', why: 'proxy', isSilent: false } } as const
  const { log, context: deps } = context({ proxy: { http: 'http://proxy.example:3128', no: [] }, results })
  await live(TICKET, deps)
  assert.deepEqual(log.slice(-3), ['after abandoned', 'keep', 'closed as settled'])
})

test('proxy: a proxy that wants another login ends the crawl, and says what to do without showing the password', async () => {
  const results = { proxy: { kind: 'failed', why: 'proxy-login', isSilent: false } } as const
  const { context: deps } = context({ proxy: { http: 'http://me:secret@proxy.example:3128', no: [] }, results })
  await assert.rejects(live(TICKET, deps), (error: Error & { code?: string }) => {
    assert.equal(error.code, 'FETCH_PROXY_LOGIN')
    assert.match(error.message, /proxy\.example:3128 .*; write --proxy http:\/\/user:password@host:port$/)
    return !error.message.includes('secret')
  })
})
