import { hostOf } from '../../url/host-of.ts'
import type { Link } from '../frontier.ts'
import type { HostBounds } from './host-bounds.ts'
import type { Moment } from './moment.ts'
import type { Servers } from './servers.ts'
import { type EngineSession, grouped } from './session.ts'
import type { OfferedLink, ShardOffered } from './shard/moves.ts'

/** Offers links to the shards of their hosts. */
export class Offering {
  private readonly session: EngineSession
  private readonly bounds: HostBounds
  private readonly servers: Servers

  constructor(session: EngineSession, bounds: HostBounds, servers: Servers) {
    this.session = session
    this.bounds = bounds
    this.servers = servers
  }

  /** Begins to offer the links of one call, or of several settlements or visits. */
  async begin(groups: readonly (readonly Link[])[]): Promise<Offer> {
    const { places } = this.session
    const links = groups.flatMap((list, group) =>
      list.map(link => ({ link, host: places.of(hostOf(link.url)), group })),
    )
    const fresh = groups.map(() => 0)
    if (!this.bounds.isBounded) return new Offer(links, fresh, 0)
    const judged = await this.bounds.judge(links)
    return new Offer(judged.links, fresh, judged.reserved)
  }

  /** Offers those links of an offer that are meant. */
  async send(offer: Offer, isMeant: (link: OfferedLink) => boolean, now: Moment): Promise<void> {
    const groups = grouped(offer.links.filter(isMeant), ({ host }) => host.shard)
    await Promise.all(
      [...groups].map(async ([number, links]) => {
        const part = this.session.parts[number]!
        offer.heard(await part.shard.offer(links, now.engineMs))
        part.isChanged = true
        await this.servers.passOn(part, now)
      }),
    )
  }

  /** After all links of an offer were sent, by themselves or with settlements. */
  async end(offer: Offer): Promise<void> {
    if (this.bounds.isBounded) await this.bounds.over(offer.reserved, offer.became)
  }
}

/** Links that are being offered, and what came of it. */
export class Offer {
  readonly links: readonly OfferedLink[]
  /** How many were new, by group. */
  readonly fresh: number[]
  readonly reserved: number
  readonly became: string[] = []

  constructor(links: readonly OfferedLink[], fresh: number[], reserved: number) {
    this.links = links
    this.fresh = fresh
    this.reserved = reserved
  }

  /** `groups`: those of the counts in `fresh`; they are the same unless something else was sent along. */
  heard({ fresh, became }: ShardOffered, groups?: readonly number[]): void {
    for (const [i, count] of fresh.entries()) this.fresh[groups?.[i] ?? i]! += count
    this.became.push(...became)
  }
}
