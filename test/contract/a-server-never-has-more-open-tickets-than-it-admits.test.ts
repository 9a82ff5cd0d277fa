import assert from 'node:assert/strict'
import { lawHolds } from './lives.ts'
import { OpenBook } from './open-book.ts'

lawHolds(
  'a server never has more than perServer open tickets',
  ({ leaseMs, perServer = 4 }, { exactOrder }) => {
    const book = new OpenBook(leaseMs)
    const full = new Set<string>()
    return {
      saw(deed) {
        book.saw(deed)
        if (deed.deed === 'leased') for (const ticket of deed.tickets) book.enter(ticket, deed.nowMs)
        if (deed.deed !== 'leased' && deed.deed !== 'placed') return
        // In a divided frontier, a ticket that has expired leaves its server before a take has found it.
        const all = [...book.open.values()].filter(({ dueMs }) => exactOrder || dueMs > deed.nowMs)
        for (const { server } of all) {
          if (server === undefined) continue
          const open = all.filter(other => other.server === server).length
          assert.ok(open <= perServer, `${open} tickets are open at ${server}, which admits ${perServer}`)
          if (open === perServer) full.add(server)
        }
      },
      async ended() {
        assert.ok(full.size > 0, 'no server was ever full')
      },
    }
  },
  { options: { perServer: 2, leaseMs: 60_000, limit: 1e6 }, world: { hostility: 0.01 } },
)
