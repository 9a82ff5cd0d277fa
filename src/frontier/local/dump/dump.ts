import { type Clock, unixClock } from '../../../base/clock.ts'
import { registrableDomain } from '../../../url/registrable-domain.ts'
import {
  type DumpHead,
  type DumpHost,
  type DumpLink,
  type DumpRecord,
  type DumpServer,
  sortedServers,
} from '../../dump.ts'
import type { FrontierOptions } from '../../frontier.ts'
import { settingsOf } from '../../settings.ts'
import type { LinkTexts } from '../journal/link-texts.ts'
import type { Errand } from '../memory/errands.ts'
import type { HostId } from '../memory/hosts.ts'
import { type LinkId, REFUSED } from '../memory/links.ts'
import { returnOpen } from '../moves/reopening.ts'
import { readUnlocked } from '../read-only.ts'
import { BOUNDS, type FrontierState } from '../state/state.ts'
import { dumpOver } from './dump-over.ts'
import { dumpPlanned } from './dump-planned.ts'
import { GroupedLinks } from './grouped-links.ts'
import { LinkHomes } from './link-homes.ts'

/** What to dump. Give `strategy` and `delayMs` as its owner does: they decide about turns, and the delay of hosts in use. */
export interface LocalDumpOptions extends Pick<FrontierOptions, 'strategy' | 'delayMs'> {
  readonly folder: string
  /** Now, in milliseconds since 1970; default: the machine's clock. */
  readonly clock?: Clock
}

/**
 * The frontier in a folder as it is now, without its lock and without changing anything, even while another process uses it.
 * Reads its state into memory, as opening it does; texts are read one after the other.
 */
export async function* dumpLocal(options: LocalDumpOptions): AsyncGenerator<DumpRecord> {
  const { folder, clock = unixClock, ...rest } = options
  const settings = settingsOf(rest)
  const homes = new LinkHomes(folder)
  const { state, texts, journal } = await readUnlocked(folder, settings, homes, homes)
  try {
    const nowMs = Math.max(clock(), state.latestMs)
    returnOpen(state, { nowMs, delayMs: settings.delayMs })
    yield headOf(state)
    yield* serversOf(state, nowMs)
    yield* new HostDump(state, texts, homes, nowMs).records()
    yield* dumpPlanned(state, texts, homes, nowMs)
    yield* dumpOver(state, homes)
  } finally {
    journal.letGo()
  }
}

function headOf(state: FrontierState): DumpHead {
  const [maxHosts = 0, domainHosts = 0, pageHosts = 0] = BOUNDS.map((_, bound) => state.turnedAway[bound]!)
  return {
    kind: 'head',
    fingerprintSeed: state.fingerprintSeed,
    parts: state.parts,
    pages: state.pages,
    tickets: state.lastTicket,
    turns: [...state.choice.turns],
    turnedAway: { 'max-hosts': maxHosts, 'domain-hosts': domainHosts, 'page-hosts': pageHosts },
  }
}

/** Those that are not as if they had never been asked, by name. */
function serversOf(state: FrontierState, nowMs: number): DumpServer[] {
  const all = Array.from({ length: state.servers.known }, (_, n) => serverOf(state, n + 1, nowMs))
  return sortedServers(all)
}

function serverOf({ servers }: FrontierState, server: number, nowMs: number): DumpServer {
  const [readyAtMs, failedAtMs, failures] = [
    servers.readyAtMs(server),
    servers.lastFailureMs(server),
    servers.failures(server),
  ]
  return {
    kind: 'server',
    server: servers.text(server),
    ...(readyAtMs !== 0 && { readyInMs: readyAtMs - nowMs }),
    ...(failures > 0 && { failures }),
    ...(failedAtMs !== 0 && { failedAgoMs: nowMs - failedAtMs }),
  }
}

/** Dumps hosts, each with its links. */
class HostDump {
  private readonly state: FrontierState
  private readonly texts: LinkTexts
  private readonly nowMs: number
  private readonly refused: GroupedLinks
  private readonly errands = new Map<HostId, Errand[]>()
  private readonly visited = new Set<string>()

  constructor(state: FrontierState, texts: LinkTexts, homes: LinkHomes, nowMs: number) {
    this.state = state
    this.texts = texts
    this.nowMs = nowMs
    const { hosts, links } = state
    this.refused = new GroupedLinks(state, homes, link => links.state(link) === REFUSED)
    for (const errand of state.errands.all()) {
      const known = this.errands.get(errand.host)
      if (known === undefined) this.errands.set(errand.host, [errand])
      else known.push(errand)
    }
    for (let host = 1; host <= hosts.known; host++) {
      if (hosts.isVisited(host)) this.visited.add(registrableDomain(hosts.text(host)))
    }
  }

  *records(): Generator<DumpRecord> {
    const { hosts, lists } = this.state
    for (let host = 1; host <= hosts.known; host++) {
      yield this.hostOf(host)
      for (const errand of this.errands.get(host) ?? []) yield errandOf(errand)
      for (const link of lists.of(host)) yield this.linkOf(link)
      for (const link of this.refused.of(host)) yield this.linkOf(link)
    }
  }

  private hostOf(host: HostId): DumpHost {
    const { hosts, servers } = this.state
    const name = hosts.text(host)
    const readyAtMs = hosts.readyAtMs(host)
    const server = hosts.server(host)
    const [delayMs, failures, pages] = [hosts.delays.get(host), hosts.failures(host), hosts.pages(host)]
    return {
      kind: 'host',
      host: name,
      ...(readyAtMs !== 0 && { readyInMs: readyAtMs - this.nowMs }),
      ...(hosts.isResting(host) && { isResting: true as const }),
      ...(hosts.isProven(host) && { isProven: true as const }),
      ...(this.visited.has(registrableDomain(name)) && { isVisited: true as const }),
      ...(delayMs > 0 && { delayMs }),
      ...(server > 0 && { server: servers.text(server) }),
      ...(failures > 0 && { failures }),
      ...(pages > 0 && { pages }),
    }
  }

  private linkOf(link: LinkId): DumpLink {
    const { links, refusals } = this.state
    const { url, pathDepth, hops, note } = this.texts.read(link)
    const attempts = links.attempts(link)
    return {
      ...{ kind: 'link', url, pathDepth, hops },
      ...(note !== undefined && { note }),
      ...(attempts > 0 && { attempts }),
      ...(links.state(link) === REFUSED && { refused: refusals.reasons[links.reason(link)]! }),
    }
  }
}

function errandOf({ url, kind, pathDepth, hops, note, attempts }: Errand): DumpLink {
  return {
    ...{ kind: 'link', url, errand: kind, pathDepth, hops },
    ...(note !== undefined && { note }),
    ...(attempts > 0 && { attempts }),
  }
}
