// Done links that the oracle visits again.
import { type Again, DUE_AT_ONCE, type Hint, type PlannedVisit } from '../../src/frontier/frontier.ts'
import { OracleParts } from './frontier-oracle-parts.ts'
import type { KnownHost, KnownLink } from './frontier-oracle-state.ts'
import { refuseBadHints, refuseBadPlans } from './frontier-validity.ts'

export class OracleAgain extends OracleParts {
  async plan(visits: readonly PlannedVisit[], nowMs = this.clock()): Promise<number> {
    return this.planAll(visits, nowMs, link => !link.plan)
  }

  async replan(visits: readonly PlannedVisit[], nowMs = this.clock()): Promise<number> {
    return this.planAll(visits, nowMs, (link, visitedAtMs) => link.plan?.visitedAtMs === visitedAtMs)
  }

  private planAll(
    visits: readonly PlannedVisit[],
    nowMs: number,
    isWanted: (link: KnownLink, visitedAtMs: number) => boolean,
  ): number {
    this.refuseWhenClosed()
    refuseBadPlans(visits)
    this.saw(nowMs)
    let planned = 0
    for (const { url, note, visitedAtMs, dueAtMs, gain, rank, hops } of visits) {
      const link = this.state.links.get(url)
      if (link?.state !== 'done' || !isWanted(link, visitedAtMs)) continue
      this.planNext(link, { afterMs: dueAtMs - nowMs, gain }, visitedAtMs, nowMs)
      link.plan!.dueAtMs = dueAtMs
      Object.assign(link, { note, rank: Math.min(rank, 255), hops })
      planned++
    }
    return planned
  }

  async hint(hints: readonly Hint[], most = Infinity, nowMs = this.clock()): Promise<number> {
    this.refuseWhenClosed()
    refuseBadHints(hints)
    this.saw(nowMs)
    let hinted = 0
    for (const { url, changedAtMs, leastMs = 0 } of hints) {
      const link = this.state.links.get(url)
      if (link?.state !== 'done' || !link.plan) continue
      const { isDue, dueAtMs, visitedAtMs } = link.plan
      const soonestMs = Math.max(nowMs, visitedAtMs + leastMs)
      if (hinted >= most || isDue || dueAtMs <= soonestMs || visitedAtMs >= changedAtMs) continue
      Object.assign(link.plan, { dueAtMs: soonestMs, isHinted: true })
      hinted++
    }
    return hinted
  }

  /** Plans the next visit of a done link, or none. */
  protected planNext(link: KnownLink, again: Again | undefined, visitedAtMs: number, nowMs: number): void {
    link.host.due = link.host.due.filter(other => other !== link)
    if (link.kind !== 'page' || !again) {
      link.plan = undefined
      return
    }
    const gain = Math.fround(again.gain)
    const number = link.plan?.number ?? this.state.plansEver++
    link.plan = { number, visitedAtMs, dueAtMs: nowMs + again.afterMs, gain, isHinted: false, isDue: false }
    link.attempt = 1
    link.note = again.note ?? link.note
  }

  /** Planned links whose time has come are due from now on, the earliest first. */
  protected becomeDue(nowMs: number): void {
    const come = this.comingLinks().filter(({ plan }) => plan!.dueAtMs <= nowMs)
    come.sort((a, b) => a.plan!.dueAtMs - b.plan!.dueAtMs || this.placeOf(a) - this.placeOf(b))
    for (const link of come.slice(0, DUE_AT_ONCE)) {
      link.plan!.isDue = true
      link.host.due.push(link)
    }
  }

  /** The next page of a host: new and due ones in turn. */
  protected nextPage(host: KnownHost): KnownLink {
    const isDueTurn = host.due.length > 0 && (host.isDueNext || host.list.length === 0 || this.isFull())
    host.isDueNext = !isDueTurn && host.due.length > 0
    if (!isDueTurn) return host.list.shift()!
    const [link] = host.due.sort(
      (a, b) => b.plan!.gain - a.plan!.gain || a.plan!.dueAtMs - b.plan!.dueAtMs || this.placeOf(a) - this.placeOf(b),
    )
    host.due = host.due.slice(1)
    link!.plan!.isDue = false
    return link!
  }

  /** What decides between links of the same gain and time: which one was known first. */
  protected placeOf(link: KnownLink): number {
    return link.number
  }

  protected saw(nowMs: number): void {
    this.state.latestMs = Math.max(this.state.latestMs, nowMs)
  }
}
