import assert from 'node:assert/strict'
import type { Ticket } from '../../src/frontier/frontier.ts'
import { lawHolds, Servers } from './lives.ts'

lawHolds('no ticket is lent before its host is ready, also across a restart', options => {
  const servers = new Servers()
  const delaysMs = new Map<string, number>()
  const timesMs = new Map<string, number>()
  let open: (Ticket & { readonly takenMs: number })[] = []
  let early = 0

  const notBefore = (server: string, atMs: number) => timesMs.set(server, Math.max(timesMs.get(server) ?? 0, atMs))
  const delayOf = (server: string) => Math.max(delaysMs.get(server) ?? 0, options.delayMs)
  return {
    saw(deed) {
      switch (deed.deed) {
        case 'lent':
          open = open.filter(({ dueMs }) => dueMs > deed.nowMs)
          for (const ticket of deed.tickets) {
            const atMs = timesMs.get(servers.of(ticket.host)) ?? 0
            assert.ok(atMs <= deed.nowMs, `${ticket.url} was lent ${atMs - deed.nowMs} ms before its time`)
            open.push({ ...ticket, takenMs: deed.nowMs })
          }
          if ([...timesMs.values()].some(atMs => atMs > deed.nowMs)) early++
          break
        case 'settled':
          for (const { ticketId, delayMs } of deed.settlements) {
            const server = servers.of(open.find(({ id }) => id === ticketId)!.host)
            if (delayMs !== undefined) notBefore(server, deed.nowMs + Math.max(delayMs, delayOf(server)))
            open = open.filter(({ id }) => id !== ticketId)
          }
          break
        case 'given back':
          open = open.filter(({ id }) => !deed.ids.includes(id))
          break
        case 'renewed':
          open = open.map(one => (deed.ids.includes(one.id) ? { ...one, dueMs: deed.nowMs + options.leaseMs } : one))
          break
        case 'delay set':
          delaysMs.set(servers.of(deed.host), deed.delayMs)
          break
        case 'blocked':
          notBefore(servers.of(deed.host), deed.atMs)
          break
        case 'tied': {
          const tied = servers.tie(deed.hosts)
          if (!tied) break
          delaysMs.set(tied.server, Math.max(...tied.from.map(one => delaysMs.get(one) ?? 0)))
          for (const one of tied.from) notBefore(tied.server, timesMs.get(one) ?? 0)
          break
        }
        case 'reopened':
          for (const { host, takenMs } of open) notBefore(servers.of(host), takenMs + delayOf(servers.of(host)))
          open = []
          break
        case 'cleared':
          if (deed.host !== undefined) break
          open = []
          servers.clear()
          delaysMs.clear()
          timesMs.clear()
      }
    },
    async ended() {
      assert.ok(early > 20, `only ${early} times somebody had to wait`)
    },
  }
})
