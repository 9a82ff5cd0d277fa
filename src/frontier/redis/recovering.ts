import { EscalonaError } from '../../base/errors.ts'
import type { TicketId } from '../frontier.ts'
import { FORMAT } from './crawl-structure.ts'
import type { OtherCrawler } from './crawlers.ts'
import { CRAWL_SCRIPTS } from './engine/scripts.ts'
import { changed, releaseExpired, renewTokens, tokensOf } from './servers.ts'
import {
  type Call,
  type CallTime,
  type EngineSession,
  grouped,
  inShards,
  localTime,
  shardFor,
  type TrackedShard,
} from './session.ts'
import { listOf, numberOf } from './shard/replies.ts'

/** What an engine has forgotten of what it had acknowledged to this crawler. */
export interface Loss {
  /** How long ago the oldest call was answered that may be gone; undefined: all of them may be, also those of earlier runs. */
  readonly agoMs: number | undefined
  /** How many shards have lost something. */
  readonly shards: number
}

/** How many shards are asked at once between two rounds: those that were called meanwhile have answered already. */
const ASKED_AT_ONCE = 64

/**
 * Notices that the engine has forgotten something, and makes it right.
 *
 * An engine forgets when its power is cut before the last second was on disk, when a copy that was behind takes over, or when it is
 * emptied. Each call tells a shard the number of the call before; a shard that does not know that one has lost it, says so, and
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
  private readonly now: () => CallTime
  /** The calls under way that lease something have ended. */
  private readonly quiet: () => Promise<unknown>
  private readonly lostIn = new Map<TrackedShard, number | undefined>()
  private isAsked = false
  private underWay: Promise<void> | undefined

  constructor(session: EngineSession, now: () => CallTime, quiet: () => Promise<unknown>) {
    this.session = session
    this.now = now
    this.quiet = quiet
    for (const shard of session.shards) shard.onLost = agoMs => this.heard(shard, agoMs)
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
    const idle = this.session.shards.filter(shard => shard.isIdleSince(idleSinceMs))
    for (let from = 0; from < idle.length; from += ASKED_AT_ONCE)
      await Promise.all(idle.slice(from, from + ASKED_AT_ONCE).map(shard => shard.confirm([])))
    return !this.isUnderWay
  }

  private heard(shard: TrackedShard, agoMs: number | undefined): void {
    this.lostIn.set(shard, oldest(this.lostIn.has(shard) ? [agoMs, this.lostIn.get(shard)] : [agoMs]))
    shard.isChanged = true
    void this.lookForLosses()
  }

  private async recover(): Promise<void> {
    const { shards, crawlers } = this.session
    while (this.isAsked) {
      this.isAsked = false
      await this.quiet()
      await Promise.all(
        shards.map(async shard => {
          const pages = await shard.confirm([])
          if (!this.lostIn.has(shard)) return
          // Pages whose settlements are gone do not count towards the limit until they are settled again.
          crawlers.pages -= shard.pages - pages
          shard.pages = pages
        }),
      )
      if (this.lostIn.size > 0) await this.recoverFrom(new Map(this.lostIn))
      else crawlers.heardOfLosses()
      if (this.isAsked) continue
      const { alive } = crawlers
      await Promise.all(shards.map(shard => shard.confirm(alive)))
    }
  }

  private async recoverFrom(lost: ReadonlyMap<TrackedShard, number | undefined>): Promise<void> {
    this.lostIn.clear()
    this.isAsked = false
    const call = { session: this.session, nowMs: this.now() }
    const shards = new Set(lost.keys())
    const agoMs = oldest([...lost.values()])
    await this.announce(agoMs)
    await Promise.all([...shards].map(shard => this.keepLeases(shard, call)))
    await this.keepRests(shards, call)
    // The servers of open tickets count them again.
    const { tickets, hosts } = this.session
    const tokens = tokensOf(tickets.all)
    const forgotten = tokens.filter(({ server }) => shards.has(this.session.shards[hosts.ofServer(server)]!))
    await renewTokens(call, forgotten)
    await wakeAll(call)
    await this.onLost({ agoMs, shards: shards.size })
  }

  /** Makes the others look, too, and writes what concerns the whole crawl again. */
  private async announce(agoMs: number | undefined): Promise<void> {
    const { engine, tag, shards, fingerprintSeed, opening, crawlers } = this.session
    const numbers = [FORMAT, shards.length, ...fingerprintSeed, opening, crawlers.losses]
    const since = agoMs === undefined ? '' : String(Math.ceil(agoMs))
    const [losses, isSame] = listOf(await engine.run(CRAWL_SCRIPTS.lost, tag, [...numbers.map(String), since]))
    if (numberOf(isSame) !== 1) throw new EscalonaError('FRONTIER_REPLACED')
    crawlers.losses = numberOf(losses)
  }

  /** Leases that this crawler has settled come back; hosts of tickets that are open here, but not there, wait until those are settled. */
  private async keepLeases(shard: TrackedShard, call: Call): Promise<void> {
    const { tickets, recent, settings, hosts } = this.session
    const open = tickets.in(shard.number).map(({ ticket }) => ticket)
    const ids = open.map(({ id }) => id)
    await releaseExpired(call, await shard.dropLeases(ids, call.nowMs))
    for (const at of await shard.renew(open, call.nowMs)) {
      const { id, host } = open[at]!
      // It may have been settled meanwhile.
      if (!tickets.remove(id)) continue
      recent.interrupted.set(id, host)
      await shard.block(hosts.of(host), settings.leaseMs, false, call.nowMs)
    }
    await changed(call, shard)
  }

  private async keepRests(lost: ReadonlySet<TrackedShard>, { nowMs }: Call): Promise<void> {
    const { session } = this
    const { recent, hosts } = session
    const inLost = (all: Iterable<[string, number]>) => {
      const some = [...all].filter(([host]) => lost.has(shardFor(session, host)))
      return grouped(some, ([host]) => hosts.of(host).shard)
    }
    await inShards(session, inLost(recent.delays), async (shard, list) => {
      for (const [host, delayMs] of list) await shard.setDelay(hosts.of(host), delayMs, nowMs)
    })
    await inShards(session, inLost(recent.restsAt(localTime(nowMs))), async (shard, list) => {
      for (const [host, restMs] of list) await shard.block(hosts.of(host), restMs, false, nowMs)
    })
  }
}

function oldest(agesMs: readonly (number | undefined)[]): number | undefined {
  return agesMs.reduce((a, b) => (a === undefined || b === undefined ? undefined : Math.max(a, b)), 0)
}

/** Tickets were settled, or given back, whose leases the engine had forgotten: their hosts wait only for this long now. */
export async function endInterrupted(
  { session, nowMs }: Call,
  ended: readonly { readonly ticketId: TicketId; readonly pauseMs: number }[],
): Promise<void> {
  const { recent, hosts } = session
  if (recent.interrupted.size === 0) return
  for (const { ticketId, pauseMs } of ended) {
    const host = recent.interrupted.get(ticketId)
    if (host === undefined || !recent.interrupted.delete(ticketId)) continue
    const shard = shardFor(session, host)
    await shard.block(hosts.of(host), recent.pauseMs(host, pauseMs), true, nowMs)
    shard.isChanged = true
  }
}

/**
 * Fences a crawler that was silent for so long that its leases are over. Its numbers are made right: permits of tickets that
 * it never settled are free again, and pages that it settled but never reported are counted. Nothing that it sends from
 * then on is accepted, so a crawler that was only cut off has to open the frontier anew. What it did not pass on is done:
 * all hosts that wait for a server are woken.
 */
export async function fence(call: Call, { id, opening }: OtherCrawler): Promise<void> {
  const { engine, tag, crawlers } = call.session
  const command = (which: number, number: number, step: 'begin' | 'end') =>
    engine.run(CRAWL_SCRIPTS.fence, tag, [id, String(which), String(number), step])
  const last = numberOf(await command(opening, crawlers.fenceAfterMs, 'begin'))
  if (last === 0) return
  const pages = await comeBack(call, id, last)
  await wakeAll(call)
  await command(last, pages, 'end')
}

/** Everything parked tries again: a crawler that died may have made room at a server and woken no host. */
export async function wakeAll({ session, nowMs }: Call): Promise<void> {
  await Promise.all(
    session.shards.map(async shard => {
      await shard.wakeAll(nowMs)
      shard.isChanged = true
    }),
  )
}

/** The tickets of a crawler from before an opening come back, in every shard. Returns how many pages it has done. */
export async function comeBack(call: Call, id: string, opening: number): Promise<number> {
  const { shards, owner } = call.session
  const former = await Promise.all(
    shards.map(async shard => {
      const { released, pages } = await shard.former(id, opening, call.nowMs)
      if (id === owner) shard.pages = pages
      await changed(call, shard)
      return { released, pages }
    }),
  )
  const leases = former.flatMap(({ released }) => released)
  await releaseExpired(call, leases)
  return former.reduce((total, { pages }) => total + pages, 0)
}
