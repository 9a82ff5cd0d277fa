import type { FrontierSettings } from '../../options.ts'
import { Domains } from '../choice/domains.ts'
import { newChoice, usesDomains } from '../choice/page-choice.ts'
import type { FrontierState } from '../state/state.ts'

/** Lets other settings hold from now on, while the frontier is in use. Returns whether the turns begin anew. */
export function change(state: FrontierState, settings: FrontierSettings): boolean {
  const former = state.settings
  state.settings = settings
  if (settings.delayMs !== former.delayMs) moveInBacklog(state, former.delayMs)
  if (settings.perServer !== former.perServer) state.hostQueue.setPerServer(settings.perServer)
  const isOther = settings.strategy !== former.strategy
  if (isOther || isBounded(settings.unproven) !== isBounded(former.unproven)) exchangeChoice(state, isOther)
  state.weighPages()
  return isOther
}

function isBounded(most: number): boolean {
  return most < Number.POSITIVE_INFINITY
}

function moveInBacklog(state: FrontierState, formerMs: number): void {
  const { hosts, lists, backlog } = state
  for (let host = 1; host <= hosts.known; host++) {
    const count = lists.count(host)
    if (count > 0) backlog.move(host, count, count, Math.max(hosts.delays.get(host), formerMs), state.delayOf(host))
  }
}

function exchangeChoice(state: FrontierState, isOther: boolean): void {
  const turns = [...state.choice.turns]
  prepareDomains(state)
  state.choice = newChoice(state)
  if (!isOther) for (const [n, turn] of turns.entries()) state.choice.turns[n] = turn
  state.hostQueue.setChoice(state.choice)
}

/** A strategy that needs the domains finds them as if it had been used from the beginning. */
function prepareDomains(state: FrontierState): void {
  const { hosts } = state
  if (!usesDomains(state.settings)) {
    state.domains = undefined
    return
  }
  const domains = state.domains ?? new Domains(hosts)
  domains.forgetFirsts()
  for (let host = 1; host <= hosts.known; host++) {
    if (state.domains === undefined) domains.admit(host)
    if (hosts.isVisited(host)) domains.setVisited(hosts.domain(host))
  }
  state.domains = domains
}
