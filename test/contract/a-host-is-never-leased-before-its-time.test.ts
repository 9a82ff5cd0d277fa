import assert from 'node:assert/strict'
import { restMs } from '../../src/frontier/frontier.ts'
import { lawHolds } from './lives.ts'
import { OpenBook } from './open-book.ts'

interface Times {
  /** By delays, blocks and visits that a restart cut off. */
  readyAtMs: number
  /** By its own rest, which a restart may end. */
  restedAtMs: number
  delayMs: number
  failures: number
}

lawHolds(
  'no ticket is leased before its host is ready, also across a restart',
  ({ delayMs = 0, leaseMs, retries = 3 }) => {
    const hosts = new Map<string, Times>()
    let early = 0
    const of = (host: string): Times => {
      const times = hosts.get(host) ?? { readyAtMs: 0, restedAtMs: 0, delayMs: 0, failures: 0 }
      hosts.set(host, times)
      return times
    }
    const notBefore = (host: string, atMs: number) => {
      of(host).readyAtMs = Math.max(of(host).readyAtMs, atMs)
    }
    const delayOf = (host: string) => Math.max(of(host).delayMs, delayMs)
    const cutOff: string[] = []
    const book = new OpenBook(leaseMs, ({ host }, how) => {
      if (how === 'reopened') cutOff.push(host)
    })
    return {
      saw(deed) {
        if (deed.deed === 'settled') {
          for (const { ticket, settlement } of book.closedBy(deed.settlements)) {
            const { shown, delayMs: askedMs } = settlement
            if (shown === undefined || shown === 'gone') continue
            const times = of(ticket.host)
            times.failures = shown === 'answer' ? 0 : times.failures + 1
            times.restedAtMs = Math.max(times.restedAtMs, deed.nowMs + restMs(times.failures))
            notBefore(ticket.host, deed.nowMs + Math.max(askedMs, delayOf(ticket.host)))
          }
        }
        book.saw(deed)
        switch (deed.deed) {
          case 'leased':
            for (const ticket of deed.tickets) {
              const { readyAtMs, restedAtMs } = of(ticket.host)
              const earlyMs = Math.max(readyAtMs, restedAtMs) - deed.nowMs
              assert.ok(earlyMs <= 0, `${ticket.url} was leased ${earlyMs} ms before its time`)
              book.enter(ticket, deed.nowMs)
            }
            if ([...hosts.values()].some(({ readyAtMs }) => readyAtMs > deed.nowMs)) early++
            break
          case 'delay set':
            of(deed.host).delayMs = deed.delayMs
            break
          case 'held':
            if (deed.isAnew) Object.assign(of(deed.host), { readyAtMs: 0, restedAtMs: 0, failures: 0 })
            notBefore(deed.host, deed.nowMs + deed.forMs)
            break
          case 'reopened':
            for (const times of hosts.values()) {
              times.readyAtMs -= deed.backMs
              times.restedAtMs -= deed.backMs
              if (times.failures <= retries) continue
              times.failures = retries
              times.restedAtMs = 0
            }
            for (const host of cutOff.splice(0)) notBefore(host, deed.nowMs + delayOf(host))
            break
          case 'cleared':
            if (deed.host === undefined) hosts.clear()
        }
      },
      async ended({ rounds }) {
        assert.ok(early > rounds(5), `only ${early} times somebody had to wait`)
      },
    }
  },
)
