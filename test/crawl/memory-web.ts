// A web in memory: hosts with addresses, pages, a robots.txt and manners. Its log decides whether a crawler was polite.

import type { Records } from '../../src/archive/records.ts'
import type { FetchJob, FetchResult, FoundLink } from '../../src/decide/job.ts'
import { packLinks } from '../../src/decide/job.ts'
import type { FormerAnswer } from '../../src/decide/known-page.ts'
import type { Resolution } from '../../src/fetch/dns.ts'
import { compileRobots } from '../../src/robots/robots.ts'
import type { Web } from '../../src/run/conductor.ts'
import type { CrawlSettings } from '../../src/settings/settings.ts'
import type { Visited, Visitor } from '../../src/visit/visitor.ts'
import type { WoundClock } from './wound-clock.ts'

/** How a host behaves. */
export interface MemoryHost {
  readonly name: string
  /** Of several, the first is the best. Empty: there is no such name. */
  readonly ips: readonly string[]
  /** Paths, each with the URLs it links to. */
  readonly pages: ReadonlyMap<string, readonly string[]>
  /** Text of its robots.txt; undefined: 404. */
  readonly robots?: string
  /** How long an answer takes; 10 when nothing is said. */
  readonly answerMs?: number
  /** What its pages say, at a time; always the same when nothing is said. */
  readonly version?: (nowMs: number, path: string) => string
  /**
   * How it answers those who ask whether a page has changed; `honest` when nothing is said. `never changed`: 304 to whoever
   * asks that. `304`: to everybody who was there before. `new tags`: with another ETag each time.
   */
  readonly says?: 'honest' | 'never changed' | '304' | 'new tags'
  /** What is wrong with it, at a time. */
  readonly trouble?: (nowMs: number, path: string) => Trouble | undefined
}

/** `silent`: accepts and says nothing. `refuses`: no connection. `dns`: its name can't be looked up. A number: that status. */
export type Trouble =
  | 'silent'
  | 'refuses'
  | 'dns'
  | 'our network'
  | { readonly status: number; readonly retryAfterMs?: number }

export interface MemoryRequest {
  readonly host: string
  /** `proxy`: that was asked instead. */
  readonly ip: string
  readonly path: string
  readonly startMs: number
  endMs: number
  status: number | undefined
  /** Whether the question was if the page has changed. */
  readonly isConditional: boolean
}

const SILENT_MS = 8000
const REFUSED_MS = 1

export class MemoryWeb implements Web, Visitor {
  readonly log: MemoryRequest[] = []
  readonly hosts: ReadonlyMap<string, MemoryHost>
  readonly demoted = new Set<string>()
  readonly names = this
  readonly lookups = 0
  private readonly time: WoundClock
  private readonly open = new Set<() => void>()

  constructor(hosts: readonly MemoryHost[], time: WoundClock) {
    this.hosts = new Map(hosts.map(host => [host.name, host]))
    this.time = time
  }

  async resolve(name: string): Promise<Resolution> {
    const host = this.hosts.get(name)
    await this.time.sleep(1)
    if (host === undefined || host.ips.length === 0) return { kind: 'gone' }
    const trouble = host.trouble?.(this.time.nowMs, '')
    if (trouble === 'dns') return { kind: 'unavailable', isOurs: false }
    if (trouble === 'our network') return { kind: 'unavailable', isOurs: true }
    const best = host.ips.toSorted((a, b) => Number(this.demoted.has(a)) - Number(this.demoted.has(b)))
    const addresses = best.map(ip => ({ ip, family: 4 as const, untilMs: Infinity }))
    return { kind: 'found', addresses }
  }

  demote(ip: string): void {
    this.demoted.add(ip)
  }

  async visit(host: string, job: FetchJob): Promise<Visited> {
    let abandon = () => {}
    const abandoned = new Promise<FetchResult>(resolve => (abandon = () => resolve({ kind: 'abandoned' })))
    this.open.add(abandon)
    const result = await Promise.race([this.answer(host, job), abandoned])
    this.open.delete(abandon)
    return { result, close() {} }
  }

  abandon(): void {
    for (const abandon of this.open) abandon()
  }

  requestsAllowed({ concurrency }: CrawlSettings): number {
    return concurrency
  }

  newVisitor(): Visitor {
    return this
  }

  forgetOffered(): void {}

  async close(): Promise<void> {}

  private async answer(name: string, { url, address, wanted, former }: FetchJob): Promise<FetchResult> {
    const path = url.slice(url.indexOf('/', 8))
    const host = this.hosts.get(name)!
    const request: MemoryRequest = {
      host: name,
      ip: address?.ip ?? 'proxy',
      path,
      startMs: this.time.nowMs,
      endMs: Infinity,
      status: undefined,
      isConditional: former?.isConditional ?? false,
    }
    this.log.push(request)
    const end = async (ms: number, status: number | undefined) => {
      await this.time.sleep(ms)
      request.endMs = this.time.nowMs
      request.status = status
    }
    const trouble = host.trouble?.(this.time.nowMs, path)
    if (trouble === 'silent') {
      await end(SILENT_MS, undefined)
      return { kind: 'failed', why: 'timeout', isSilent: true }
    }
    if (trouble === 'refuses' || trouble === 'our network' || trouble === 'dns') {
      await end(REFUSED_MS, undefined)
      return { kind: 'failed', why: trouble === 'our network' ? 'network' : 'connect', isSilent: true }
    }
    const version = host.version?.(this.time.nowMs, path) ?? 'the only one'
    const isThere = this.isThere(host, path)
    const status = trouble?.status ?? (isThere ? (is304(host, version, former) ? 304 : 200) : 404)
    await end(host.answerMs ?? 10, status)
    const answer = {
      status,
      sentAtMs: request.startMs,
      tookMs: request.endMs - request.startMs,
      wireBytes: 100,
      retryAfterMs: trouble?.retryAfterMs,
      records: undefined,
    }
    if (wanted === 'robots') {
      const file = status === 200 ? (host.robots ?? '') : ''
      return { kind: 'robots', answer, rules: compileRobots(Buffer.from(file), 'escalona'), location: undefined }
    }
    const of304 = { bytes: Buffer.from(url), kind: 'revisit', isPage: true } as unknown as Records
    if (status === 304 && former?.isConditional)
      return { kind: 'not modified', answer: { ...answer, records: of304 }, known: former.known! }
    if (status !== 200) return { kind: 'other', answer }
    const records = {
      bytes: Buffer.from(url),
      kind: 'response' as const,
      responseBytes: 1,
      isPage: true,
      recordId: 'urn:uuid:1',
      date: new Date(this.time.nowMs).toISOString(),
      cdx: '',
      payloadDigest: version,
    }
    const etag = host.says === 'new tags' ? `"${this.log.length}"` : `"${version}"`
    const page = {
      title: path,
      opening: '',
      bytes: 100,
      tokens: 1,
      linksOut: 0,
      validators: { etag },
      textDigest: version,
      isWhole: true,
    }
    const links = packLinks((host.pages.get(path) ?? []).map(toLink))
    return {
      kind: 'page',
      answer: { ...answer, records: records as never },
      keep: 'yes',
      ...(former && { same: former.known?.textDigest === version ? ('payload' as const) : ('nothing' as const) }),
      page,
      links,
      refusedLinks: {},
    }
  }

  private isThere(host: MemoryHost, path: string): boolean {
    return path === '/robots.txt' ? host.robots !== undefined : host.pages.has(path)
  }
}

function is304({ says = 'honest' }: MemoryHost, version: string, former: FormerAnswer | undefined): boolean {
  if (says === '304') return former !== undefined
  if (former?.isConditional !== true) return false
  return says === 'never changed' || former.known?.validators.etag === `"${version}"`
}

function toLink(url: string): FoundLink {
  return { url, pathDepth: url.split('/').length - 3 }
}
