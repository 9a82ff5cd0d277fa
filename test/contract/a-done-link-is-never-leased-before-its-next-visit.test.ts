import assert from 'node:assert/strict'
import { hostOf } from '../../src/url/host-of.ts'
import { lawHolds } from './lives.ts'
import { OpenBook } from './open-book.ts'
import { UNBOUNDED } from './operations.ts'

interface Plan {
  visitedAtMs: number
  /** Not before this. */
  dueAtMs: number
  isOpen: boolean
}

lawHolds(
  'a done link is leased only when its next visit is planned and due, once at a time, and never as new',
  ({ leaseMs, recrawl = false }) => {
    let done = new Set<string>()
    let plans = new Map<string, Plan>()
    const book = new OpenBook(leaseMs, ({ url, again }) => {
      const plan = plans.get(url)
      if (again && plan) plan.isOpen = false
    })
    const forget = (host: string) => {
      for (const [url, { isOpen }] of plans) if (hostOf(url) === host && !isOpen) plans.delete(url)
    }
    /** Links with a former visit: whether it settled them is not known here, but is at their next lease. */
    const doubtful = new Set<string>()
    const believe = (url: string, visitedAtMs: number | undefined) => {
      if (!doubtful.delete(url) || visitedAtMs === undefined) return
      done.add(url)
      plans.set(url, { visitedAtMs, dueAtMs: 0, isOpen: false })
    }
    let visits = 0
    return {
      saw(deed) {
        const closed = deed.deed === 'settled' ? book.closedBy(deed.settlements) : []
        book.saw(deed)
        switch (deed.deed) {
          case 'leased':
            for (const ticket of deed.tickets) {
              book.enter(ticket, deed.nowMs)
              if (ticket.kind !== 'page') continue
              believe(ticket.url, ticket.again?.visitedAtMs)
              assert.equal(ticket.again !== undefined, done.has(ticket.url), ticket.url)
              if (!ticket.again) continue
              const plan = plans.get(ticket.url)
              assert.ok(recrawl && plan && !plan.isOpen && plan.dueAtMs <= deed.nowMs, JSON.stringify(plan))
              assert.equal(ticket.again.visitedAtMs, plan.visitedAtMs)
              plan.isOpen = true
              visits++
            }
            break
          case 'settled':
            for (const { ticket, settlement } of closed) {
              const { outcome } = settlement
              const { url, again, kind } = ticket
              if (kind === 'page' && outcome.kind === 'done') {
                done.add(url)
                const { afterMs } = outcome.again ?? {}
                if (afterMs === undefined) plans.delete(url)
                else plans.set(url, { visitedAtMs: deed.nowMs, dueAtMs: deed.nowMs + afterMs, isOpen: false })
              }
              if (again && outcome.kind === 'refused') plans.delete(url)
            }
            break
          case 'formerly visited':
            for (const { url } of deed.visits) if (!plans.get(url)?.isOpen) doubtful.add(url)
            break
          case 'planned':
            for (const { url, visitedAtMs, dueAtMs } of deed.visits) {
              if (done.has(url) && !plans.has(url)) plans.set(url, { visitedAtMs, dueAtMs, isOpen: false })
            }
            break
          case 'replanned':
            for (const { url, visitedAtMs, dueAtMs } of deed.visits) {
              const plan = plans.get(url)
              if (plan && !plan.isOpen && plan.visitedAtMs === visitedAtMs) plan.dueAtMs = dueAtMs
            }
            break
          case 'hinted':
            for (const { url, changedAtMs, leastMs = 0 } of deed.hints) {
              const plan = plans.get(url)
              if (plan && !plan.isOpen && plan.visitedAtMs < changedAtMs)
                plan.dueAtMs = Math.min(plan.dueAtMs, Math.max(deed.nowMs, plan.visitedAtMs + leastMs))
            }
            break
          case 'cleared':
            if (deed.host !== undefined) forget(deed.host)
            else {
              done = new Set()
              plans = new Map()
            }
            break
          case 'reopened':
            for (const plan of plans.values()) {
              plan.dueAtMs -= deed.backMs
              if (deed.backMs > 0) plan.visitedAtMs = Math.min(plan.visitedAtMs, deed.nowMs)
            }
        }
      },
      async ended() {
        if (recrawl) assert.ok(visits > 0, 'nothing was visited again')
      },
    }
  },
  { options: { ...UNBOUNDED, recrawl: true }, world: { hostility: 0 } },
)
