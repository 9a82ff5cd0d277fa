// Escalona's frontier on Redis, as a crawler uses it.
import { VISITED } from '../frontier/work.mjs'
import { library } from '../measured.mjs'
import { serverOf } from './work.mjs'

const { openRedis, parseWhere } = await library()

/** As many as are open at a time in a busy crawler. */
const AT_ONCE = 512

export async function open({ addresses, name, shards, wait, client }) {
  const where = parseWhere(`redis://${addresses.join()}/${name}?shards=${shards}&wait=${wait}`)
  const frontier = await openRedis({ where, crawler: `client-${client}`, serverGapMs: 25 })

  async function settle(tickets) {
    const { late } = await frontier.settle(tickets.map(({ id }) => ({ ticketId: id, ...VISITED })))
    if (late.length > 0) throw new Error(`${late.length} leases expired`)
    return tickets.length
  }

  return {
    /** Returns how many were new. */
    offer: links => frontier.offer(links),
    /** Takes and settles; returns how many, 0 for nothing at the moment, undefined when nothing is left. */
    async visit(most) {
      const { tickets, end } = await frontier.take(Math.min(most, AT_ONCE))
      return end === undefined ? settle(tickets) : undefined
    },
    /** The same, with a server for each host. */
    async place() {
      const { tickets, end } = await frontier.take(AT_ONCE)
      const isOurs = await Promise.all(tickets.map(({ id, host }) => frontier.place(id, serverOf(host))))
      return end === undefined ? settle(tickets.filter((_, n) => isOurs[n])) : undefined
    },
    close: () => frontier.close(),
  }
}
