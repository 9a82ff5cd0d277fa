import type { FrontierState } from '../state/state.ts'

/** An opening of a frontier; applied the same way when the journal is replayed. */
export interface Reopening {
  readonly nowMs: number
  /** The options of that opening. */
  readonly delayMs: number
  readonly retries: number
}

/**
 * Open tickets come back, and their hosts keep their delay, since they may have been asked until now. Hosts and servers
 * that were down get one more try. When the clock is behind the latest time ever seen, all times are moved back by the
 * difference. Returns that difference, and whether anything changed.
 */
export function reopen(state: FrontierState, opening: Reopening): { movedMs: number; hasChanged: boolean } {
  const { nowMs } = opening
  const movedMs = Math.max(0, state.latestMs - nowMs)
  if (movedMs > 0) moveBack(state, movedMs, nowMs)
  state.latestMs = nowMs
  const returned = returnOpen(state, opening)
  const raised = raiseHosts(state, opening) + raiseServers(state, opening)
  return { movedMs, hasChanged: movedMs > 0 || returned > 0 || raised > 0 }
}

/** Open tickets come back; their hosts keep their delay. Returns how many. */
export function returnOpen(state: FrontierState, opening: Omit<Reopening, 'retries'>): number {
  const open = state.leases.all().sort((a, b) => a.ticketId - b.ticketId)
  for (const lease of open) {
    state.comeBack(lease)
    state.hosts.holdUntil(lease.host, opening.nowMs + delayOf(state, lease.host, opening), false)
  }
  return open.length
}

function moveBack({ hosts, servers, plans }: FrontierState, byMs: number, nowMs: number): void {
  plans.moveBack(byMs, nowMs)
  for (let host = 1; host <= hosts.known; host++) hosts.setReadyAtMs(host, hosts.readyAtMs(host) - byMs)
  for (let server = 1; server <= servers.known; server++) {
    servers.setReadyAtMs(server, servers.readyAtMs(server) - byMs)
    servers.setLastFailureMs(server, servers.lastFailureMs(server) - byMs)
  }
}

function raiseHosts(state: FrontierState, opening: Reopening): number {
  const { hosts, down } = state
  const { nowMs, retries } = opening
  let raised = 0
  for (let host = 1; host <= hosts.known; host++) {
    if (hosts.failures(host) <= retries) continue
    down.setFailures(host, retries)
    raised++
    if (!hosts.isResting(host)) continue
    hosts.setReadyAtMs(host, Math.min(hosts.readyAtMs(host), nowMs + delayOf(state, host, opening)))
  }
  return raised
}

function raiseServers({ servers, down }: FrontierState, { nowMs, retries }: Reopening): number {
  let raised = 0
  for (let server = 1; server <= servers.known; server++) {
    if (servers.failures(server) <= retries) continue
    down.setServerFailures(server, retries)
    servers.setReadyAtMs(server, Math.min(servers.readyAtMs(server), nowMs))
    raised++
  }
  return raised
}

function delayOf({ hosts }: FrontierState, host: number, { delayMs }: Pick<Reopening, 'delayMs'>): number {
  return Math.max(hosts.delays.get(host), delayMs)
}
