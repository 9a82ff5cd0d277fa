import type { Outcome, Shown } from '../../frontier.ts'
import type { HostId } from '../memory/hosts.ts'
import type { Lease } from '../memory/leases.ts'
import type { LinkId } from '../memory/links.ts'
import type { Planned } from '../memory/plans.ts'
import type { FrontierState } from '../state/state.ts'
import { show, showFailure } from './showing.ts'

/** Closes a ticket. `planned`: the next visit of a link that is done. `pauseMs`: the least delay of its host from now on. */
export function finish(
  state: FrontierState,
  lease: Lease,
  outcome: Outcome,
  planned: Planned | undefined,
  shown: Shown | undefined,
  pauseMs: number,
  nowMs: number,
): void {
  const { host } = lease
  state.leaveServer(lease, shown !== undefined)
  state.leases.delete(lease)
  if (lease.plan !== 0) state.revisits.settle(lease, outcome, planned)
  else endFirstVisit(state, lease, outcome, planned)
  if (shown === 'gone') goAway(state, host, outcome.kind === 'refused' ? outcome.reason : '', pauseMs, nowMs)
  else if (shown !== undefined) show(state, lease, shown, pauseMs, nowMs)
  state.standing.close(host)
}

function endFirstVisit(state: FrontierState, lease: Lease, outcome: Outcome, planned: Planned | undefined): void {
  const { link, host, auxiliary, attempt } = lease
  if (outcome.kind === 'again') {
    if (auxiliary === undefined) state.links.setAttempts(link, attempt)
    else auxiliary.attempts = attempt
    state.returnLease(lease)
  } else if (auxiliary !== undefined) state.auxiliaries.end(auxiliary)
  else if (outcome.kind === 'done') {
    state.endLink(link, host, outcome.isPage)
    if (planned !== undefined) state.revisits.plan(link, host, planned)
  } else {
    state.links.setAttempts(link, attempt)
    state.refuse(link, state.refusals.numberOf(outcome.reason))
  }
}

/** A waiting or planned link is done, by a visit of an earlier run. */
export function finishFormer(
  state: FrontierState,
  link: LinkId,
  host: HostId,
  isPage: boolean,
  planned: Planned | undefined,
): void {
  const plan = state.plans.of(link)
  if (plan === 0) {
    state.endLink(link, host, isPage)
    state.lists.passOver(host, link)
    state.counted(host, -1)
  } else state.revisits.end(plan)
  if (planned !== undefined) state.revisits.plan(link, host, planned)
}

/** A host does not exist. It may come back, so its planned visits stay; while it has any, it rests as after a failure. */
function goAway(state: FrontierState, host: HostId, reason: string, pauseMs: number, nowMs: number): void {
  forgetWaiting(state, host, reason)
  if (state.plans.allAt(host) > 0) showFailure(state, host, pauseMs, nowMs)
}

/** Refuses the page links that wait at a host, or so many of the first, and drops its auxiliary links and planned visits. */
export function forgetAll(state: FrontierState, host: HostId, reason: string, most = Infinity): void {
  state.revisits.forget(host)
  forgetWaiting(state, host, reason, most)
}

function forgetWaiting(state: FrontierState, host: HostId, reason: string, most = Infinity): void {
  for (let auxiliary = state.takeAuxiliary(host); auxiliary !== undefined; auxiliary = state.takeAuxiliary(host)) {
    state.auxiliaries.end(auxiliary)
  }
  const links = Math.min(state.lists.count(host), most)
  const number = links === 0 ? 0 : state.refusals.numberOf(reason)
  for (let n = 0; n < links; n++) state.refuse(state.lists.takeFirst(host), number)
  state.counted(host, -links)
}
