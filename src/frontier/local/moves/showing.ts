import { restMs, type Shown } from '../../frontier.ts'
import type { HostId } from '../memory/hosts.ts'
import type { Lease } from '../memory/leases.ts'
import type { FrontierState } from '../state/state.ts'

/** Counts what a visit showed for its host and for its server. `pauseMs`: the least delay of the host from now on. */
export function show(
  state: FrontierState,
  { host, takenMs }: Lease,
  shown: Exclude<Shown, 'gone'>,
  pauseMs: number,
  nowMs: number,
): void {
  const { hosts, servers, down, standing } = state
  const server = hosts.server(host)
  if (shown === 'answer') {
    hosts.setProven(host, true)
    down.setFailures(host, 0)
    hosts.holdUntil(host, nowMs + pauseMs, false)
  } else showFailure(state, host, pauseMs, nowMs)
  if (server !== 0 && shown !== 'silence') down.setServerFailures(server, 0)
  // Visits that hang at the same time count once.
  else if (server !== 0 && takenMs >= servers.lastFailureMs(server)) {
    const failures = servers.failures(server) + 1
    down.setServerFailures(server, failures)
    servers.setLastFailureMs(server, nowMs)
    if (failures > 1) standing.holdServer(server, nowMs, nowMs + restMs(failures - 1))
  }
}

/** Counts one more failure in a row of a host, which rests for it. */
export function showFailure(state: FrontierState, host: HostId, pauseMs: number, nowMs: number): void {
  const { hosts, down } = state
  hosts.setProven(host, false)
  down.setFailures(host, hosts.failures(host) + 1)
  const ownRestMs = restMs(hosts.failures(host))
  hosts.holdUntil(host, nowMs + Math.max(pauseMs, ownRestMs), ownRestMs > pauseMs)
}
