import type { Clock } from '../base/clock.ts'
import type { HintRecord } from '../folder/sitemaps-file.ts'
import type { Hint, HostNotes, VisitPlans } from '../frontier/frontier.ts'
import { hostOf } from '../url/host-of.ts'
import { KEPT_MS } from './robots-gate.ts'

/** Sitemaps that are read at one host; of these, those that only other hosts name. */
const MOST_FILES = 1000
const MOST_FOREIGN_FILES = 500
/** Other hosts to which a host may send the crawl for sitemaps. */
const MOST_OTHER_HOSTS = 20
/** How much is remembered: origins that were looked at, and files. Beyond that the oldest are forgotten. */
const MOST_ORIGINS = 100_000
const MOST_KEPT_FILES = 200_000

interface HostFiles {
  readonly sinceMs: number
  /** Each file and for whom it was read. */
  readonly files: Set<string>
  foreign: number
  readonly elsewhere: Set<string>
}

const NO_FILES: HostFiles = { sinceMs: 0, files: new Set(), foreign: 0, elsewhere: new Set() }

/** Knows which sitemaps were read lately: each is read once a day, and no host is asked for too many. */
export class SitemapBook {
  private readonly frontier: Pick<HostNotes, 'noted'>
  private readonly readAtMs: Map<string, number>
  private readonly hosts = new Map<string, HostFiles>()
  private files = 0

  constructor(frontier: Pick<HostNotes, 'noted'>, readAtMs = new Map<string, number>()) {
    this.frontier = frontier
    this.readAtMs = readAtMs
  }

  /** Whether the sitemaps that the robots.txt of an origin names are to be read now. Returns a promise only if that is not in memory. */
  isDue(origin: string, nowMs: number): boolean | Promise<boolean> {
    if (this.wasRead(origin, nowMs)) return false
    return this.frontier.noted(hostOf(origin), noteKey(origin)).then(noted => {
      if (noted !== undefined) this.look(origin, nowMs)
      return noted === undefined
    })
  }

  /** Whether the sitemaps of an origin, or that of a seed (`sitemap:URL`), were read less than a day ago, as far as is in memory. */
  wasRead(origin: string, nowMs: number): boolean {
    return wasRead(this.readAtMs, origin, nowMs)
  }

  /** Notes that the sitemaps of an origin are being read, or that of a seed was. */
  look(origin: string, nowMs: number): void {
    this.readAtMs.delete(origin)
    if (this.readAtMs.size >= MOST_ORIGINS) this.readAtMs.delete(this.readAtMs.keys().next().value!)
    this.readAtMs.set(origin, nowMs)
  }

  /** Whether to read a file for a host: at most once a day, and not too many at one host. It counts as read from now on. */
  admits(url: string, of: string, nowMs: number): 'yes' | 'read' | 'too many' {
    const verdict = this.verdict(url, of, nowMs)
    if (verdict !== 'yes') return verdict
    const host = hostOf(url)
    const known = this.filesOf(host, nowMs)
    known.files.add(keyOf(url, host, of))
    if (of !== host) {
      known.foreign++
      this.filesOf(of, nowMs).elsewhere.add(host)
    }
    if (++this.files > MOST_KEPT_FILES) this.forgetOldest(host)
    return verdict
  }

  /** The same without a change. */
  verdict(url: string, of: string, nowMs: number): 'yes' | 'read' | 'too many' {
    const host = hostOf(url)
    const { files, foreign } = this.known(host, nowMs) ?? NO_FILES
    if (files.has(keyOf(url, host, of))) return 'read'
    if (files.size >= MOST_FILES) return 'too many'
    if (of === host) return 'yes'
    const { elsewhere } = this.known(of, nowMs) ?? NO_FILES
    const maySend = elsewhere.size < MOST_OTHER_HOSTS || elsewhere.has(host)
    return foreign < MOST_FOREIGN_FILES && maySend ? 'yes' : 'too many'
  }

  /** The frontier has lost what was offered: sitemaps are read again where they are found. */
  forgetAll(): void {
    this.readAtMs.clear()
    this.hosts.clear()
    this.files = 0
  }

  private known(host: string, nowMs: number): HostFiles | undefined {
    const known = this.hosts.get(host)
    return known !== undefined && nowMs - known.sinceMs < KEPT_MS ? known : undefined
  }

  private filesOf(host: string, nowMs: number): HostFiles {
    const known = this.known(host, nowMs)
    if (known !== undefined) return known
    this.forget(host)
    const files: HostFiles = { sinceMs: nowMs, files: new Set(), foreign: 0, elsewhere: new Set() }
    this.hosts.set(host, files)
    return files
  }

  private forgetOldest(except: string): void {
    for (const host of this.hosts.keys()) {
      if (this.files <= MOST_KEPT_FILES) return
      if (host !== except) this.forget(host)
    }
  }

  private forget(host: string): void {
    this.files -= this.hosts.get(host)?.files.size ?? 0
    this.hosts.delete(host)
  }
}

function keyOf(url: string, host: string, of: string): string {
  return of === host ? url : `${of} ${url}`
}

/** A time that has not come says nothing: the clock went back. */
export function wasRead(readAtMs: ReadonlyMap<string, number>, origin: string, nowMs: number): boolean {
  const agoMs = nowMs - (readAtMs.get(origin) ?? -Infinity)
  return agoMs >= 0 && agoMs < KEPT_MS
}

/** The key of the note at a host that the sitemaps of an origin were offered, for other machines of the crawl. */
export function noteKey(origin: string): string {
  return `sitemaps ${origin.slice(0, origin.indexOf(':'))}`
}

/** This many visits decide whether a host is believed. */
const LEAST_VISITS = 5
/** Then both counts are halved: what a host said long ago counts less. */
const MOST_VISITS = 40
/** Beyond that the oldest is forgotten. */
const MOST_HOSTS = 10_000

interface HintDeps {
  readonly plans: Pick<VisitPlans, 'hint'>
  /** How true the hints of each host were; later runs have it too. */
  readonly records: Map<string, HintRecord>
  readonly clock: Clock
  leastMs(): number
}

/** The pages of a host that were hinted at before it is known how true its hints are. */
interface Trial {
  readonly sinceMs: number
  pages: number
}

/** Passes on dates of changes in sitemaps, unless most visits that followed found none. Until that is known, a few per host and day. */
export class HintBook {
  private readonly deps: HintDeps
  private readonly trials = new Map<string, Trial>()

  constructor(deps: HintDeps) {
    this.deps = deps
  }

  /** Makes pages due that were changed since their last visit. Returns how many. */
  async offer(hints: readonly Hint[]): Promise<number> {
    const leastMs = this.deps.leastMs()
    const byHost = new Map<string, Hint[]>()
    for (const hint of hints) {
      const host = hostOf(hint.url)
      const own = byHost.get(host) ?? []
      own.push({ ...hint, leastMs })
      byHost.set(host, own)
    }
    let hinted = 0
    for (const [host, own] of byHost) hinted += await this.offerOf(host, own)
    return hinted
  }

  learn(host: string, found: boolean): void {
    const record = this.recordOf(host)
    if (found) record.isTrue++
    else record.isUntrue++
    if (record.isTrue + record.isUntrue > MOST_VISITS) {
      record.isTrue >>= 1
      record.isUntrue >>= 1
    }
    keep(this.deps.records, host, record)
  }

  private async offerOf(host: string, hints: readonly Hint[]): Promise<number> {
    const { plans, clock } = this.deps
    const { isTrue, isUntrue } = this.recordOf(host)
    if (isTrue + isUntrue >= LEAST_VISITS) return isUntrue <= isTrue ? plans.hint(hints) : 0
    const trial = this.trialOf(host, clock())
    const room = LEAST_VISITS - trial.pages
    if (room === 0) return 0
    // Another sitemap may hint at the same host meanwhile.
    trial.pages += room
    const hinted = await plans.hint(hints, room)
    trial.pages -= room - hinted
    return hinted
  }

  /** A visit that fails proves nothing, so a trial ends after a day. */
  private trialOf(host: string, nowMs: number): Trial {
    const known = this.trials.get(host)
    if (known !== undefined && nowMs - known.sinceMs < KEPT_MS) return known
    const trial = { sinceMs: nowMs, pages: 0 }
    keep(this.trials, host, trial)
    return trial
  }

  private recordOf(host: string): HintRecord {
    return this.deps.records.get(host) ?? { isTrue: 0, isUntrue: 0 }
  }
}

function keep<Value>(map: Map<string, Value>, host: string, value: Value): void {
  map.delete(host)
  map.set(host, value)
  if (map.size > MOST_HOSTS) map.delete(map.keys().next().value!)
}
