// A crawler that offers 60 links, takes 8 tickets, settles 5, and then does nothing until it is killed.

import { parseWhere } from '../../../src/frontier/redis/engine/where.ts'
import { openRedis } from '../../../src/frontier/redis/open.ts'
import { done, links } from './crew.ts'

const where = parseWhere(process.argv[2]!)
const frontier = await openRedis({ where, crawler: 'mortal', limit: 20, leaseMs: 400, beatMs: 60_000 })
await frontier.offer(links(60))
const { tickets } = await frontier.take(8)
await frontier.settle(tickets.slice(0, 5).map(ticket => done(ticket)))
process.send!('settled')
setInterval(() => {}, 1000)
