import { DUE_AT_ONCE, type Outcome } from '../../frontier.ts'
import type { HostId } from '../memory/hosts.ts'
import type { Lease } from '../memory/leases.ts'
import { DONE, type LinkId, PAGE, PLANNED } from '../memory/links.ts'
import type { PlanId, Planned } from '../memory/plans.ts'
import type { FrontierState } from './state.ts'

/**
 * What happens to done links that are visited again. Like the methods of the state: called when it happens and when the journal
 * is replayed, except `fallDue`. Which links are due is not stored: when a frontier is opened, none is before the first take.
 */
export class Revisits {
  private readonly state: FrontierState

  constructor(state: FrontierState) {
    this.state = state
  }

  /** Plans the next visit of a link that is done. */
  plan(link: LinkId, host: HostId, planned: Planned, isHinted = false): void {
    const { links } = this.state
    const isPage = links.state(link) === PAGE
    links.finish(link, PLANNED)
    this.restore(link, host, isPage, isHinted, planned)
  }

  /** Adds the next visit of a link whose state says that it has one. */
  restore(link: LinkId, host: HostId, isPage: boolean, isHinted: boolean, planned: Planned): void {
    this.state.plans.add(link, host, isPage, isHinted, planned)
    this.state.needed.change(planned.segment, 1)
  }

  /** There is no next visit any more. */
  end(plan: PlanId): void {
    const { plans, links } = this.state
    const [link, host] = [plans.link(plan), plans.host(plan)]
    const wasDue = plans.isDue(plan)
    this.state.needed.change(plans.segment(plan), -1)
    links.finish(link, plans.isPage(plan) ? PAGE : DONE)
    plans.remove(plan)
    if (wasDue) this.counted(host, -1)
  }

  /** Links whose time has come are due, but not all at once. */
  fallDue(nowMs: number): void {
    const { plans } = this.state
    for (let n = 0; n < DUE_AT_ONCE && plans.next !== 0 && plans.dueAtMs(plans.next) <= nowMs; n++) {
      this.counted(plans.host(plans.fall()), 1)
    }
  }

  /** Leases a visit; returns its link. */
  lease(plan: PlanId): LinkId {
    const { plans } = this.state
    const wasDue = plans.isDue(plan)
    plans.lease(plan)
    plans.setDueNext(plans.host(plan), false)
    if (wasDue) this.counted(plans.host(plan), -1)
    return plans.link(plan)
  }

  /** Closes the ticket of a visit. `planned`: the next one; undefined when there is none. */
  settle({ plan, link, attempt }: Lease, outcome: Outcome, planned: Planned | undefined): void {
    const { plans, links } = this.state
    if (outcome.kind === 'again') {
      links.setAttempts(link, attempt)
      plans.comeBack(plan)
    } else if (planned === undefined) this.end(plan)
    else {
      this.state.needed.change(plans.segment(plan), -1)
      this.state.needed.change(planned.segment, 1)
      links.finish(link, PLANNED)
      plans.renew(plan, planned)
    }
  }

  /** Ends all visits of a host but one that is leased. */
  forget(host: HostId): void {
    const { plans } = this.state
    for (const plan of [...plans.at(host)]) if (!plans.isOut(plan)) this.end(plan)
  }

  private counted(host: HostId, change: number): void {
    this.state.down.changeDue(host, change)
    this.state.hostQueue.counted(host)
  }
}
