import { restMs, type Shown } from '../frontier.ts'
import type { Lease } from './leases.ts'
import type { FrontierState } from './state.ts'

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
  hosts.setProven(host, shown === 'answer')
  down.setFailures(host, shown === 'answer' ? 0 : hosts.failures(host) + 1)
  if (server !== 0 && shown !== 'silence') down.setServerFailures(server, 0)
  // Visits that hang at the same time count once.
  else if (server !== 0 && takenMs >= servers.lastFailureMs(server)) {
    const failures = servers.failures(server) + 1
    down.setServerFailures(server, failures)
    servers.setLastFailureMs(server, nowMs)
    if (failures > 1) standing.holdServer(server, nowMs, nowMs + restMs(failures - 1))
  }
  const ownRestMs = restMs(hosts.failures(host))
  hosts.holdUntil(host, nowMs + Math.max(pauseMs, ownRestMs), ownRestMs > pauseMs)
}
