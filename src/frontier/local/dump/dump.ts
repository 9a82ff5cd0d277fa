import { type Clock, unixClock } from '../../../base/clock.ts'
import { grown } from '../../../base/structures/grow.ts'
import { domainHash } from '../../domain-hash.ts'
import {
  DoneLinks,
  type Dump,
  type DumpHost,
  type DumpLink,
  type DumpPlanned,
  type DumpRecord,
  type DumpServer,
  linkRecord,
  msUntil,
} from '../../dump.ts'
import type { FrontierOptions } from '../../frontier.ts'
import { settingsOf } from '../../options.ts'
import { LedgerFile, type LedgerMark, type LinkEntry } from '../journal/ledger.ts'
import type { HostId } from '../memory/hosts.ts'
import { DONE, type LinkId, PAGE, PLANNED, REFUSED } from '../memory/links.ts'
import { returnOpen } from '../moves/reopening.ts'
import { type ReadState, readUnlocked } from '../read-only.ts'
import { BOUNDS } from '../state/state.ts'

/** A few milliseconds' work. */
const RECORDS_AT_ONCE = 256

/** What to dump. Give `delayMs` as its owner does: hosts in use keep it. */
export interface LocalDumpOptions extends Pick<FrontierOptions, 'delayMs'> {
  readonly folder: string
  /** Now, in milliseconds since 1970; default: the machine's clock. */
  readonly clock?: Clock
}

/**
 * The frontier in a folder as it is now, without its lock and without changing anything, even while another process uses it.
 * Reads its state into memory, as opening it does; texts are read one after the other.
 */
export async function dumpLocal({ folder, clock = unixClock, delayMs = 0 }: LocalDumpOptions): Promise<Dump> {
  const homes = new LinkHomes(folder)
  const read = await readUnlocked(folder, settingsOf({ delayMs }), homes, homes)
  const { state } = read
  const nowMs = Math.max(clock(), state.latestMs)
  returnOpen(state, { nowMs, delayMs })
  const [maxHosts = 0, domainHosts = 0, pageHosts = 0] = BOUNDS.map((_, bound) => state.turnedAway[bound]!)
  const head = {
    ...{ fingerprintSeed: state.fingerprintSeed, parts: state.parts, known: state.links.last },
    ...{ hosts: state.hosts.known, auxiliaries: state.auxiliaries.waiting },
    turnedAway: { 'max-hosts': maxHosts, 'domain-hosts': domainHosts, 'page-hosts': pageHosts },
  }
  return { head, records: inBatches(recordsOf(read, homes, nowMs)) }
}

async function* inBatches(records: Iterable<DumpRecord>): AsyncGenerator<DumpRecord[]> {
  let batch: DumpRecord[] = []
  for (const record of records) {
    batch.push(record)
    if (batch.length < RECORDS_AT_ONCE) continue
    yield batch
    batch = []
  }
  yield batch
}

function* recordsOf(read: ReadState, homes: LinkHomes, nowMs: number): Generator<DumpRecord> {
  const { state, journal } = read
  const { hosts, servers, lists, links } = state
  try {
    for (let server = 1; server <= servers.known; server++) {
      const record = serverOf(read, server, nowMs)
      if (record.failures || (record.readyInMs ?? 0) > 0) yield record
    }
    for (let host = 1; host <= hosts.known; host++) yield hostOf(read, host, nowMs)
    for (const { note, ...auxiliary } of state.auxiliaries.all()) yield linkRecord(auxiliary, { ...auxiliary, note })
    for (let host = 1; host <= hosts.known; host++) for (const link of lists.of(host)) yield linkOf(read, link)
    for (let link = 1; link <= links.last; link++) if (links.state(link) === REFUSED) yield linkOf(read, link)
    yield* doneOf(read, homes)
    for (let link = 1; link <= links.last; link++) if (links.state(link) === PLANNED) yield plannedOf(read, link)
  } finally {
    journal.letGo()
  }
}

function serverOf({ state: { servers } }: ReadState, server: number, nowMs: number): DumpServer {
  const failedAtMs = servers.lastFailureMs(server)
  return {
    ...{ kind: 'server', server: servers.text(server), readyInMs: msUntil(servers.readyAtMs(server), nowMs) },
    failures: servers.failures(server) || undefined,
    failedAgoMs: failedAtMs === 0 ? undefined : nowMs - failedAtMs,
  }
}

function hostOf({ state: { hosts, servers } }: ReadState, host: HostId, nowMs: number): DumpHost {
  const server = hosts.server(host)
  return {
    ...{ kind: 'host', host: hosts.text(host), readyInMs: msUntil(hosts.readyAtMs(host), nowMs) },
    isResting: hosts.isResting(host) || undefined,
    isProven: hosts.isProven(host) || undefined,
    isVisited: hosts.isVisited(host) || undefined,
    delayMs: hosts.delays.get(host) || undefined,
    server: server === 0 ? undefined : servers.text(server),
    failures: hosts.failures(host) || undefined,
    pages: hosts.pages(host) || undefined,
    received: hosts.received.get(host) || undefined,
    turns: hosts.turns.get(host) || undefined,
  }
}

function linkOf({ state: { links, refusals }, texts }: ReadState, id: LinkId): DumpLink {
  const { note, ...link } = texts.read(id)
  const refused = links.state(id) === REFUSED ? refusals.reasons[links.reason(id)] : undefined
  return linkRecord(link, { note, refused, attempts: links.attempts(id) })
}

function* doneOf({ state: { hosts, links, plans, parts } }: ReadState, homes: LinkHomes): Generator<DumpRecord> {
  const partOf = new Uint32Array(hosts.known + 1)
  for (let host = 1; host <= hosts.known; host++) partOf[host] = domainHash(hosts.text(host)) % parts
  const done = new DoneLinks()
  for (let link = 1; link <= links.last; link++) {
    const state = links.state(link)
    if (state !== PAGE && state !== DONE && state !== PLANNED) continue
    const { host, low, high } = homes.of(link)
    const isPage = state === PLANNED ? plans.isPage(plans.of(link)) : state === PAGE
    yield* done.add({ part: partOf[host]!, low, high, isPage })
  }
  yield* done.rest()
}

function plannedOf({ state: { links, plans }, texts }: ReadState, link: LinkId): DumpPlanned {
  const plan = plans.of(link)
  const { url, rank, hops, note } = texts.readAt(link, plans.segment(plan), plans.textAt(plan))
  const times = { visitedAtMs: plans.visitedAtMs(plan), dueAtMs: plans.dueAtMs(plan), gain: plans.gain(plan) }
  const visit = { url, rank, hops, ...(note !== undefined && { note }), ...times }
  return {
    kind: 'planned',
    visit,
    attempts: links.attempts(link) || undefined,
    isHinted: plans.isHinted(plan) || undefined,
  }
}

const AT_FIRST = 1 << 12
const WORDS = 3

/**
 * A ledger that is only read, and remembers what a frontier in use does not need in memory: each link's host, and its whole
 * fingerprint. 12 bytes per link.
 */
class LinkHomes extends LedgerFile {
  private words: Int32Array = new Int32Array(AT_FIRST)
  private last: LinkId = 0

  of(link: LinkId): Pick<LinkEntry, 'host' | 'low' | 'high'> {
    const at = WORDS * link
    return { host: this.words[at]!, low: this.words[at + 1]!, high: this.words[at + 2]! }
  }

  override add({ host, low, high }: LinkEntry): void {
    const at = WORDS * ++this.last
    if (at + WORDS > this.words.length) this.words = grown(this.words, this.words.length)
    this.words[at] = host
    this.words[at + 1] = low
    this.words[at + 2] = high
  }

  override restart(): void {
    this.last = 0
  }

  override read(mark: LedgerMark, count: number, onLink: (entry: Readonly<LinkEntry>) => void): void {
    super.read(mark, count, entry => {
      this.add(entry)
      onLink(entry)
    })
  }
}
