import assert from 'node:assert/strict'
import { lawHolds } from './lives.ts'
import { OpenBook } from './open-book.ts'

lawHolds(
  'a host never has two open tickets, and no ticket has the number of another',
  options => {
    const book = new OpenBook(options.leaseMs)
    let lastId = 0
    return {
      saw(deed) {
        book.saw(deed)
        if (deed.deed !== 'leased') return
        assert.ok(deed.tickets.length <= Math.max(deed.max, 0))
        for (const ticket of deed.tickets) {
          const other = [...book.open.values()].find(({ host }) => host === ticket.host)
          assert.equal(other, undefined, `${ticket.url} was leased while another ticket of its host was open`)
          assert.ok(ticket.id > lastId, `the ticket ${ticket.id} came after ${lastId}`)
          lastId = ticket.id
          book.enter(ticket, deed.nowMs)
        }
      },
      async ended() {
        assert.ok(lastId > 5, `only ${lastId} tickets were leased`)
      },
    }
  },
  { options: { limit: 1e6 } },
)
