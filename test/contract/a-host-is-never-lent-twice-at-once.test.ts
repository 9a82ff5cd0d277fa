import assert from 'node:assert/strict'
import type { Ticket } from '../../src/frontier/frontier.ts'
import { lawHolds, Servers } from './lives.ts'

lawHolds('a host, or a group of tied hosts, never has two open tickets that were lent one after the other', options => {
  const servers = new Servers()
  let open: Ticket[] = []
  const close = (ids: readonly number[]) => {
    open = open.filter(({ id }) => !ids.includes(id))
  }
  return {
    saw(deed) {
      switch (deed.deed) {
        case 'lent':
          open = open.filter(({ dueMs }) => dueMs > deed.nowMs)
          assert.ok(deed.tickets.length <= Math.max(deed.max, 0))
          for (const ticket of deed.tickets) {
            const other = open.find(({ host }) => servers.of(host) === servers.of(ticket.host))
            assert.equal(other, undefined, `${ticket.url} was lent while another ticket of its server was open`)
            open.push(ticket)
          }
          break
        case 'settled':
          close(deed.settlements.map(({ ticketId }) => ticketId))
          break
        case 'given back':
          close(deed.ids)
          break
        case 'renewed':
          open = open.map(one => (deed.ids.includes(one.id) ? { ...one, dueMs: deed.nowMs + options.leaseMs } : one))
          break
        case 'tied':
          servers.tie(deed.hosts)
          break
        case 'reopened':
          open = []
          break
        case 'cleared':
          if (deed.host !== undefined) break
          open = []
          servers.clear()
      }
    },
  }
})
