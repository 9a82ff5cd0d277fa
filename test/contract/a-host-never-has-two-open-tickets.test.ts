import assert from 'node:assert/strict'
import type { TicketId } from '../../src/frontier/frontier.ts'
import { lawHolds } from './lives.ts'
import { OpenBook } from './open-book.ts'

lawHolds(
  'a host never has two open tickets, and no ticket has the number of another',
  options => {
    const book = new OpenBook(options.leaseMs)
    const ids = new Set<TicketId>()
    return {
      saw(deed) {
        book.saw(deed)
        if (deed.deed !== 'leased') return
        assert.ok(deed.tickets.length <= Math.max(deed.max, 0))
        for (const ticket of deed.tickets) {
          const other = [...book.open.values()].find(({ host }) => host === ticket.host)
          assert.equal(other, undefined, `${ticket.url} was leased while another ticket of its host was open`)
          assert.ok(!ids.has(ticket.id), `the number ${ticket.id} was used twice`)
          ids.add(ticket.id)
          book.enter(ticket, deed.nowMs)
        }
      },
      async ended({ rounds }) {
        assert.ok(ids.size > rounds(5), `only ${ids.size} tickets were leased`)
      },
    }
  },
  { options: { limit: 1e6 } },
)
