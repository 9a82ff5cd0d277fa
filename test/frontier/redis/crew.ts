// Several crawlers on one crawl, in this process, each with its own connections.
import type { FrontierOptions, Link, Settlement, Ticket } from '../../../src/frontier/frontier.ts'
import { parseWhere } from '../../../src/frontier/redis/engine/where.ts'
import { openRedis, type RedisFrontier, type RedisOptions } from '../../../src/frontier/redis/open.ts'
import type { Owner, Server } from '../../redis/servers.ts'

let names = 0

/** A crawl of its own name on a server; its crawlers are closed after the test. */
export class Crew {
  readonly name = `crawl${++names}`
  private readonly t: Owner
  private readonly server: Server
  private readonly shared: Partial<RedisOptions>
  private readonly shards: number

  constructor(t: Owner, server: Server, shards: number, shared: Partial<RedisOptions> = {}) {
    this.t = t
    this.server = server
    this.shards = shards
    this.shared = shared
  }

  get url(): string {
    return this.server.url(this.name, `?shards=${this.shards}`)
  }

  async join(crawler: string, options: Partial<RedisOptions> = {}): Promise<RedisFrontier> {
    const where = parseWhere(this.url)
    const frontier = await openRedis({ ...this.shared, ...options, where, crawler })
    this.t.after(() => frontier.close())
    return frontier
  }
}

/** One link for each of these hosts, each of a domain of its own. */
export function links(hosts: number, each = 1, start = 0): Link[] {
  return Array.from({ length: hosts * each }, (_, i) =>
    link(`host${start + Math.floor(i / each)}.example${start + Math.floor(i / each)}.com`, i % each),
  )
}

export function link(host: string, n = 0): Link {
  return { url: `https://${host}/${n}`, rank: 1, hops: 0 }
}

export function done(ticket: Ticket, more: Partial<Settlement> = {}): Settlement {
  return {
    ticketId: ticket.id,
    outcome: { kind: 'done', isPage: true },
    links: [],
    shown: 'answer',
    delayMs: 0,
    ...more,
  }
}

export type { FrontierOptions }
