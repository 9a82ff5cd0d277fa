import assert from 'node:assert/strict'
import type { TicketId } from '../../src/frontier/frontier.ts'
import { lawHolds } from './lives.ts'
import { OpenBook } from './open-book.ts'

interface Lease {
  readonly id: TicketId
  readonly server: string
  readonly atMs: number
  /** Closed unasked, or moved elsewhere: it leaves no gap. */
  isVoid: boolean
}

lawHolds(
  'no two tickets of a server are leased within its gap, save those closed unasked',
  ({ leaseMs, serverGapMs = 0 }) => {
    let leases: Lease[] = []
    let pairs = 0
    const leave = (id: TicketId) => {
      for (const lease of leases) if (lease.id === id) lease.isVoid = true
    }
    const book = new OpenBook(leaseMs, ({ id }, how) => {
      if (how === 'unasked') leave(id)
    })
    const enter = (id: TicketId, server: string, atMs: number) => {
      leases = leases.filter(lease => lease.atMs > atMs - serverGapMs)
      const near = leases.filter(lease => lease.server === server && !lease.isVoid)
      assert.deepEqual(near, [], `the ticket ${id} was leased at ${server} at ${atMs}`)
      pairs++
      leases.push({ id, server, atMs, isVoid: false })
    }
    return {
      saw(deed) {
        const before = deed.deed === 'placed' ? book.open.get(deed.id)?.server : undefined
        book.saw(deed)
        if (deed.deed === 'leased') {
          for (const ticket of deed.tickets) {
            book.enter(ticket, deed.nowMs)
            if (ticket.server !== undefined) enter(ticket.id, ticket.server, deed.nowMs)
          }
        }
        if (deed.deed === 'placed' && deed.holds && before !== deed.server) {
          leave(deed.id)
          enter(deed.id, deed.server, deed.nowMs)
        }
        if (deed.deed === 'reopened') leases = leases.map(lease => ({ ...lease, atMs: lease.atMs - deed.backMs }))
        if (deed.deed === 'cleared' && deed.host === undefined) leases = []
      },
      async ended({ rounds }) {
        assert.ok(pairs > rounds(5), `only ${pairs} tickets were leased at a server`)
      },
    }
  },
  { options: { serverGapMs: 50, limit: 1e6, retries: 100, unproven: 1e6, leaseMs: 1000 } },
)
