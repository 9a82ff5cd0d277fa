import assert from 'node:assert/strict'
import { lawHolds } from './lives.ts'
import { OpenBook } from './open-book.ts'

lawHolds(
  'there are never more page tickets of unproven hosts, or auxiliary links, than their quotas say',
  ({ leaseMs }) => {
    const book = new OpenBook(leaseMs)
    let full = 0
    return {
      saw(deed) {
        book.saw(deed)
        if (deed.deed !== 'leased') return
        for (const ticket of deed.tickets) book.enter(ticket, deed.nowMs)
        const open = [...book.open.values()]
        const unproven = open.filter(({ kind, isProven }) => kind === 'page' && !isProven).length
        const auxiliaries = open.filter(({ kind }) => kind !== 'page').length
        assert.ok(unproven <= 3, `${unproven} page tickets of unproven hosts are open`)
        assert.ok(auxiliaries <= 2, `${auxiliaries} auxiliary links are open`)
        if (unproven === 3) full++
      },
      async ended() {
        assert.ok(full > 5, 'the quota was hardly ever used up')
      },
    }
  },
  { options: { unproven: 3, auxiliaries: 2, leaseMs: 1000, limit: 1e6 }, world: { hostility: 0.01 } },
)
