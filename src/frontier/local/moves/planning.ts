import type { ByteWriter } from '../../../base/structures/byte-writer.ts'
import type { Again, Hint, PlannedVisit } from '../../frontier.ts'
import type { LinkTexts, OfferedLink } from '../journal/link-texts.ts'
import { DONE, type LinkId, PAGE } from '../memory/links.ts'
import type { Planned } from '../memory/plans.ts'
import type { FrontierState } from '../state/state.ts'
import type { LocalOffering } from './offering.ts'

/** Plans the next visits of done links, and records it; see `events.ts`. */
export class Planning {
  private readonly state: FrontierState
  private readonly offering: LocalOffering
  private readonly texts: LinkTexts
  private readonly out: ByteWriter

  constructor(state: FrontierState, offering: LocalOffering, texts: LinkTexts, out: ByteWriter) {
    this.state = state
    this.offering = offering
    this.texts = texts
    this.out = out
  }

  /** Returns how many links were planned. `isAnew`: those that are planned already, and only those. */
  plan(visits: readonly PlannedVisit[], isAnew: boolean): number {
    const { state, out } = this
    let planned = 0
    for (const visit of visits) {
      const link = state.find(visit.url)
      const host = link === 0 ? 0 : state.hosts.find(state.key)
      // The host of a done link may be unknown, if it was imported from Redis.
      if (host === 0 || !(isAnew ? this.isStill(link, visit) : isDone(state.links.state(link)))) continue
      out.varint(link)
      out.varint(host)
      const { visitedAtMs, dueAtMs, gain, note } = visit
      if (isAnew) state.revisits.end(state.plans.of(link))
      const text = { url: visit.url, rank: visit.rank, hops: visit.hops, note }
      state.revisits.plan(link, host, this.writeVisit(text, visitedAtMs, dueAtMs, gain))
      planned++
    }
    return planned
  }

  /** Whether a link is planned, and was visited last when the visit says. */
  private isStill(link: LinkId, { visitedAtMs }: PlannedVisit): boolean {
    const { plans } = this.state
    const plan = plans.of(link)
    return plan !== 0 && !plans.isOut(plan) && plans.visitedAtMs(plan) === visitedAtMs
  }

  /** Returns how many links are due earlier because of it. */
  hint(hints: readonly Hint[], nowMs: number, most: number): number {
    const { state, out } = this
    const { plans } = state
    let hinted = 0
    for (const { url, changedAtMs, leastMs = 0 } of hints) {
      if (hinted >= most) break
      const link = state.find(url)
      const plan = link === 0 ? 0 : plans.of(link)
      if (plan === 0 || plans.isDue(plan) || plans.isOut(plan)) continue
      const dueAtMs = Math.max(nowMs, plans.visitedAtMs(plan) + leastMs)
      if (plans.dueAtMs(plan) <= dueAtMs || plans.visitedAtMs(plan) >= changedAtMs) continue
      out.varint(link)
      out.f64(dueAtMs)
      plans.hasten(plan, dueAtMs)
      hinted++
    }
    return hinted
  }

  /** Writes the next visit of a link that was visited now, or formerly. */
  write(text: OfferedLink, { afterMs, gain, note }: Again, visitedAtMs: number, nowMs: number): Planned {
    return this.writeVisit(note === undefined ? text : { ...text, note }, visitedAtMs, nowMs + afterMs, gain)
  }

  /** The text of a link that waits or is planned. */
  textOf(link: LinkId): OfferedLink {
    const { plans } = this.state
    const plan = plans.of(link)
    return plan === 0 ? this.texts.read(link) : this.texts.readAt(link, plans.segment(plan), plans.textAt(plan))
  }

  private writeVisit(text: OfferedLink, visitedAtMs: number, dueAtMs: number, gain: number): Planned {
    const { out } = this
    out.f64(visitedAtMs)
    out.f64(dueAtMs)
    out.f64(Math.fround(gain))
    return { visitedAtMs, dueAtMs, gain, ...this.offering.writeAgain(text) }
  }
}

function isDone(state: number): boolean {
  return state === DONE || state === PAGE
}
