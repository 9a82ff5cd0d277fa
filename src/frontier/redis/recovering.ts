import { EscalonaError } from '../../base/errors.ts'
import type { TicketId } from '../frontier.ts'
import { crawlScripts } from './crawl-scripts.ts'
import { FORMAT } from './crawl-structure.ts'
import { words } from './engine/crawl-words.ts'
import { wakeAll } from './fencing.ts'
import type { Moment } from './moment.ts'
import type { Part } from './part.ts'
import type { Servers } from './servers.ts'
import { type EngineSession, grouped, partFor } from './session.ts'
import { listOf, numberOf } from './shard/replies.ts'

/** What an engine has forgotten of what it had acknowledged to this crawler. */
export interface Loss {
  /** How long ago the oldest call was answered that may be gone; undefined: all of them may be, also those of earlier runs. */
  readonly agoMs: number | undefined
  /** How many shards have lost something. */
  readonly shards: number
}

/** Between two rounds in which shards are asked: those that were called meanwhile have answered already. */
const ASKED_AT_ONCE = 64

/**
 * Notices that the engine has forgotten something, and makes it right.
 *
 * An engine forgets when its power is cut before the last second was on disk, when a copy that was behind takes over, or when somebody
 * empties it. Each call tells a shard the number of the call before; a shard that does not know that one has lost it, says so, and
 * leases nothing until every living crawler has asked it (`lua/parts/hold.lua`). It also leases nothing when its process is another one
 * than before: only the crawlers can say whether something is gone.
 *
 * Each crawler makes right what it did itself: leases that it still has, hosts that it just asked, and, through `onLost`, the pages
 * that it archived and their links. Until then it takes nothing.
 */
export class Recovering {
  /** Called with what was lost; resolves when that is recovered. */
  onLost: (loss: Loss) => Promise<void> = async () => {}
  /** Why this crawl can't go on. */
  failure: unknown
  private readonly session: EngineSession
  private readonly servers: Servers
  private readonly now: () => Moment
  /** The calls under way that lease something have ended. */
  private readonly quiet: () => Promise<unknown>
  private readonly lostIn = new Map<Part, number | undefined>()
  private isAsked = false
  private underWay: Promise<void> | undefined

  constructor(session: EngineSession, servers: Servers, now: () => Moment, quiet: () => Promise<unknown>) {
    this.session = session
    this.servers = servers
    this.now = now
    this.quiet = quiet
    for (const part of session.parts) part.shard.onLost = agoMs => this.heard(part, agoMs)
  }

  /** Whether something is being looked for, or made right: nothing may be leased meanwhile. */
  get isUnderWay(): boolean {
    return this.underWay !== undefined
  }

  /** Asks all shards whether something is gone, and recovers it. */
  lookForLosses(): Promise<void> {
    this.isAsked = true
    this.underWay ??= this.recover()
      .catch(error => {
        this.failure = error
      })
      .finally(() => {
        this.underWay = undefined
      })
    return this.underWay
  }

  /** Asks the shards that were not called since this time; whether nothing is gone. */
  async isAllThere(idleSinceMs: number): Promise<boolean> {
    const idle = this.session.parts.filter(({ shard }) => shard.isIdleSince(idleSinceMs))
    for (let from = 0; from < idle.length; from += ASKED_AT_ONCE)
      await Promise.all(idle.slice(from, from + ASKED_AT_ONCE).map(({ shard }) => shard.confirm([])))
    return !this.isUnderWay
  }

  private heard(part: Part, agoMs: number | undefined): void {
    this.lostIn.set(part, oldest(this.lostIn.has(part) ? [agoMs, this.lostIn.get(part)] : [agoMs]))
    part.isChanged = true
    void this.lookForLosses()
  }

  private async recover(): Promise<void> {
    const { parts, crawlers } = this.session
    while (this.isAsked) {
      this.isAsked = false
      await this.quiet()
      await this.each(parts, async part => {
        const pages = await part.shard.confirm([])
        if (this.lostIn.has(part)) this.countPages(part, pages)
      })
      if (this.lostIn.size > 0) await this.recoverFrom(new Map(this.lostIn))
      else crawlers.heardOfLosses()
      if (this.isAsked) continue
      const alive = crawlers.alive
      await this.each(parts, async part => void (await part.shard.confirm(alive)))
    }
  }

  private async recoverFrom(lost: ReadonlyMap<Part, number | undefined>): Promise<void> {
    this.lostIn.clear()
    this.isAsked = false
    const now = this.now()
    const parts = [...lost.keys()]
    const agoMs = oldest([...lost.values()])
    await this.announce(agoMs)
    await this.each(parts, part => this.keepLeases(part, now))
    await this.keepRests(new Set(parts), now)
    await this.keepTokens(new Set(parts), now)
    await wakeAll(this.session, now)
    await this.onLost({ agoMs, shards: parts.length })
  }

  /** Makes the others look, too, and writes what concerns the whole crawl again. */
  private async announce(agoMs: number | undefined): Promise<void> {
    const { engine, tag, parts, structure, opening, crawlers } = this.session
    const [seed0, seed1] = structure.fingerprintSeed
    const numbers = [FORMAT, parts.length, seed0, seed1, opening, crawlers.losses]
    const since = agoMs === undefined ? '' : String(Math.ceil(agoMs))
    const [losses, isSame] = listOf(await engine.run(crawlScripts.lost, tag, [...numbers.map(String), since]))
    if (numberOf(isSame) !== 1) throw new EscalonaError('FRONTIER_REPLACED', words().replaced)
    crawlers.losses = numberOf(losses)
  }

  /** Leases that this crawler has settled come back; hosts of tickets that are open here, but not there, wait until those are settled. */
  private async keepLeases(part: Part, now: Moment): Promise<void> {
    const { tickets, recent, settings, places } = this.session
    const open = tickets.in(part.number)
    const dropped = await part.shard.dropLeases(
      open.map(({ ticket }) => ticket.id),
      now.engineMs,
    )
    await this.servers.release(
      dropped.flatMap(({ server, token }) =>
        server === undefined ? [] : [{ server, token, how: 'expired' as const }],
      ),
      now,
    )
    const gone = await part.shard.renew(
      open.map(({ ticket }) => ticket),
      now.engineMs,
    )
    for (const { ticket } of gone.map(place => open[place]!)) {
      // It may have been settled meanwhile.
      if (!tickets.remove(ticket.id)) continue
      recent.interrupted.set(ticket.id, ticket.host)
      await part.shard.block(places.of(ticket.host), settings.leaseMs, false, now.engineMs)
    }
    await this.servers.passOn(part, now)
    part.isChanged = true
  }

  private async keepRests(lost: ReadonlySet<Part>, now: Moment): Promise<void> {
    const { session } = this
    const isLost = ({ host }: { readonly host: string }) => lost.has(partFor(session, host))
    const delays = [...session.recent.delays].map(([host, delayMs]) => ({ host, delayMs })).filter(isLost)
    const rests = session.recent.restsAt(now.localMs).filter(isLost)
    await this.each([...grouped(delays, ({ host }) => session.places.of(host).shard).values()], async list => {
      for (const { host, delayMs } of list)
        await partFor(session, host).shard.setDelay(session.places.of(host), delayMs, now.engineMs)
    })
    await this.each([...grouped(rests, ({ host }) => session.places.of(host).shard).values()], async list => {
      for (const { host, restMs } of list)
        await partFor(session, host).shard.block(session.places.of(host), restMs, false, now.engineMs)
    })
  }

  /** The servers of open tickets count them again. */
  private async keepTokens(lost: ReadonlySet<Part>, now: Moment): Promise<void> {
    const { tickets, places, parts } = this.session
    const tokens = tickets.all.flatMap(({ server, ticket: { token } }) =>
      server === undefined ? [] : [{ server, token }],
    )
    await this.servers.renew(
      tokens.filter(({ server }) => lost.has(parts[places.ofServer(server)]!)),
      now,
    )
  }

  /** Pages whose settlements are gone do not count towards the limit until they are settled again. */
  private countPages(part: Part, pages: number): void {
    this.session.crawlers.pages -= part.pages - pages
    part.pages = pages
  }

  private async each<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
    await Promise.all(items.map(work))
  }
}

function oldest(agesMs: readonly (number | undefined)[]): number | undefined {
  return agesMs.reduce((a, b) => (a === undefined || b === undefined ? undefined : Math.max(a, b)), 0)
}

/** Tickets were settled, or given back, whose leases the engine had forgotten: their hosts wait only for this long now. */
export async function endInterrupted(
  session: EngineSession,
  ended: readonly { readonly ticketId: TicketId; readonly pauseMs: number }[],
  now: Moment,
): Promise<void> {
  const { recent, places } = session
  if (recent.interrupted.size === 0) return
  for (const { ticketId, pauseMs } of ended) {
    const host = recent.interrupted.get(ticketId)
    if (host === undefined || !recent.interrupted.delete(ticketId)) continue
    const part = partFor(session, host)
    await part.shard.block(places.of(host), recent.pauseMs(host, pauseMs), true, now.engineMs)
    part.isChanged = true
  }
}
