import type { HostNotes } from '../frontier/frontier.ts'
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
  /** The other hosts where files are read for this one. */
  readonly elsewhere: Set<string>
}

/** Knows which sitemaps were read lately: each is read once a day, and no host is asked for too many. */
export class SitemapBook {
  private readonly frontier: Pick<HostNotes, 'noted'>
  /** When the sitemaps of an origin's robots.txt, or that of a seed, were last read. */
  private readonly readAtMs: Map<string, number>
  private readonly hosts = new Map<string, HostFiles>()
  private files = 0

  /** `readAtMs`: of earlier runs. */
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
    const host = hostOf(url)
    const known = this.filesOf(host, nowMs)
    const isForeign = of !== host
    const key = isForeign ? `${of} ${url}` : url
    if (known.files.has(key)) return 'read'
    if (known.files.size >= MOST_FILES || (isForeign && known.foreign >= MOST_FOREIGN_FILES)) return 'too many'
    if (isForeign && !this.sends(of, host, nowMs)) return 'too many'
    known.files.add(key)
    if (isForeign) known.foreign++
    if (++this.files > MOST_KEPT_FILES) this.forgetOldest(host)
    return 'yes'
  }

  /** Whether a host may send the crawl to another one. */
  private sends(of: string, host: string, nowMs: number): boolean {
    const { elsewhere } = this.filesOf(of, nowMs)
    if (elsewhere.size < MOST_OTHER_HOSTS) elsewhere.add(host)
    return elsewhere.has(host)
  }

  /** The frontier has lost what was offered: sitemaps are read again where they are found. */
  forgetAll(): void {
    this.readAtMs.clear()
    this.hosts.clear()
    this.files = 0
  }

  private filesOf(host: string, nowMs: number): HostFiles {
    const known = this.hosts.get(host)
    if (known !== undefined && nowMs - known.sinceMs < KEPT_MS) return known
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

/** A time that has not come says nothing: the clock went back. */
export function wasRead(readAtMs: ReadonlyMap<string, number>, origin: string, nowMs: number): boolean {
  const agoMs = nowMs - (readAtMs.get(origin) ?? -Infinity)
  return agoMs >= 0 && agoMs < KEPT_MS
}

/** The key of the note at a host that the sitemaps of an origin were offered, for other machines of the crawl. */
export function noteKey(origin: string): string {
  return `sitemaps ${origin.slice(0, origin.indexOf(':'))}`
}
