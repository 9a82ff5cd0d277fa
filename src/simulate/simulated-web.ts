import type { Records } from '../archive/records.ts'
import type { FetchJob, FetchResult, FoundLinks } from '../decide/job.ts'
import type { FormerAnswer } from '../decide/known-page.ts'
import type { Resolution } from '../fetch/dns.ts'
import { compileRobots } from '../robots/robots.ts'
import type { Web } from '../run/conductor.ts'
import type { CrawlSettings } from '../settings/settings.ts'
import type { Visited, Visitor } from '../visit/visitor.ts'
import type { VirtualClock } from './virtual-clock.ts'

/** How a host behaves. */
export interface SimulatedHost {
  readonly name: string
  /** Of several, the first is the best. Empty: there is no such name. */
  readonly ips: readonly string[]
  /** The links of a page; undefined: there is no such page. */
  links(path: string, url: string): FoundLinks | undefined
  /** Text of its robots.txt; undefined: 404. */
  readonly robots?: string
  /** How long an answer takes; default 10. */
  readonly answerMs?: number | ((path: string) => number)
  /** What its pages say, at a time; always the same by default. */
  readonly version?: (nowMs: number, path: string, url: string) => string
  /**
   * How it answers the question whether a page has changed; default `honest`. `never changed`: always 304. `304`: also when
   * that was not asked, to every visit again. `new tags`: with another ETag each time.
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

export interface SimulatedRequest {
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
const LOOKUP_MS = 1
/** How long a name that was looked up is known. */
const KNOWN_MS = 60_000
const PAGE_BYTES = 100

/** A web in memory, in virtual time: hosts with addresses, pages, a robots.txt and faults. */
export class SimulatedWeb implements Web, Visitor {
  readonly names = this
  readonly lookups = 0
  private readonly host: (name: string) => SimulatedHost | undefined
  private readonly time: VirtualClock
  private readonly resolved = new Map<string, { readonly found: Resolution; readonly untilMs: number }>()
  private readonly demoted = new Set<string>()
  private readonly open = new Set<() => void>()

  constructor(host: (name: string) => SimulatedHost | undefined, time: VirtualClock) {
    this.host = host
    this.time = time
  }

  /** Called when a request begins, and again when its answer has come (`endMs` is finite then). */
  protected asked(_request: SimulatedRequest): void {}
  protected answered(_request: SimulatedRequest): void {}

  async resolve(name: string): Promise<Resolution> {
    const host = this.host(name)
    const known = host?.trouble === undefined ? this.resolved.get(name) : undefined
    if (known !== undefined && known.untilMs > this.time.nowMs) return known.found
    await this.time.sleep(LOOKUP_MS)
    if (host === undefined || host.ips.length === 0) return { kind: 'gone' }
    const trouble = host.trouble?.(this.time.nowMs, '')
    if (trouble === 'dns') return { kind: 'unavailable', isOurs: false }
    if (trouble === 'our network') return { kind: 'unavailable', isOurs: true }
    const best = host.ips.toSorted((a, b) => Number(this.demoted.has(a)) - Number(this.demoted.has(b)))
    const found = { kind: 'found', addresses: best.map(ip => ({ ip, family: 4 as const, untilMs: Infinity })) } as const
    this.resolved.set(name, { found, untilMs: this.time.nowMs + KNOWN_MS })
    return found
  }

  demote(ip: string): void {
    this.demoted.add(ip)
    this.resolved.clear()
  }

  visit(host: string, job: FetchJob): Promise<Visited> {
    return new Promise(resolve => {
      const end = (result: FetchResult) => {
        this.open.delete(abandon)
        resolve({ result, close() {} })
      }
      const abandon = () => end({ kind: 'abandoned' })
      this.open.add(abandon)
      this.answer(this.host(host)!, job, end)
    })
  }

  abandon(): void {
    for (const abandon of [...this.open]) abandon()
  }

  requestsAllowed({ concurrency }: CrawlSettings): number {
    return concurrency
  }

  newVisitor(): Visitor {
    return this
  }

  forgetOffered(): void {}

  async close(): Promise<void> {}

  private answer(host: SimulatedHost, job: FetchJob, end: (result: FetchResult) => void): void {
    const { url, address, former } = job
    const path = url.slice(url.indexOf('/', 8))
    const { nowMs } = this.time
    const request: SimulatedRequest = {
      host: host.name,
      ip: address?.ip ?? 'proxy',
      path,
      startMs: nowMs,
      endMs: Infinity,
      status: undefined,
      isConditional: former?.isConditional ?? false,
    }
    this.asked(request)
    const after = (ms: number, status: number | undefined, result: () => FetchResult) =>
      this.time.timer(ms, () => {
        request.endMs = this.time.nowMs
        request.status = status
        this.answered(request)
        end(result())
      })
    const trouble = host.trouble?.(nowMs, path)
    if (trouble === 'silent') {
      after(SILENT_MS, undefined, () => ({ kind: 'failed', why: 'timeout', isSilent: true }))
      return
    }
    if (typeof trouble === 'string') {
      const why = trouble === 'our network' ? 'network' : 'connect'
      after(REFUSED_MS, undefined, () => ({ kind: 'failed', why, isSilent: true }))
      return
    }
    const version = host.version?.(nowMs, path, url) ?? 'the only one'
    const links = job.wanted === 'robots' ? undefined : host.links(path, url)
    const isThere = job.wanted === 'robots' ? host.robots !== undefined : links !== undefined
    const status = trouble?.status ?? (isThere ? (is304(host, version, former) ? 304 : 200) : 404)
    const { answerMs = 10 } = host
    after(typeof answerMs === 'number' ? answerMs : answerMs(path), status, () =>
      resultOf(host, job, request, { status, version, links: links ?? [], retryAfterMs: trouble?.retryAfterMs }),
    )
  }
}

interface Said {
  readonly status: number
  readonly version: string
  readonly links: FoundLinks
  readonly retryAfterMs: number | undefined
}

function resultOf(
  host: SimulatedHost,
  { wanted, former }: FetchJob,
  request: SimulatedRequest,
  said: Said,
): FetchResult {
  const { status, version, links, retryAfterMs } = said
  const { startMs, endMs, path } = request
  const answer = {
    ...{ status, sentAtMs: startMs, tookMs: endMs - startMs, wireBytes: PAGE_BYTES, retryAfterMs },
    records: undefined,
  }
  if (wanted === 'robots') {
    const file = status === 200 ? (host.robots ?? '') : ''
    return { kind: 'robots', answer, rules: compileRobots(Buffer.from(file), 'escalona'), location: undefined }
  }
  if (status === 304 && former?.isConditional)
    return {
      kind: 'not modified',
      answer: { ...answer, records: recordsOf('revisit', version, endMs) },
      known: former.known!,
    }
  if (status !== 200) return { kind: 'other', answer }
  const etag = host.says === 'new tags' ? `"${startMs} ${path}"` : `"${version}"`
  const same = former?.known?.textDigest === version ? ('payload' as const) : ('nothing' as const)
  return {
    kind: 'page',
    answer: { ...answer, records: recordsOf('response', version, endMs) },
    keep: 'yes',
    ...(former && { same }),
    page: {
      ...{ title: path, opening: '', bytes: PAGE_BYTES, tokens: 1, linksOut: countOf(links) },
      ...{ validators: { etag }, textDigest: version, isWhole: true },
    },
    links,
    refusedLinks: {},
  }
}

function countOf(links: FoundLinks): number {
  return links.reduce((sum, { lines }) => sum + lines.split('\n').length, 0)
}

const NO_BYTES = new Uint8Array(0)

function recordsOf(kind: 'response' | 'revisit', payloadDigest: string, nowMs: number): Records {
  const date = new Date(nowMs).toISOString()
  return { kind, bytes: NO_BYTES, responseBytes: 0, isPage: true, recordId: 'urn:uuid:1', date, cdx: '', payloadDigest }
}

function is304({ says = 'honest' }: SimulatedHost, version: string, former: FormerAnswer | undefined): boolean {
  if (says === '304') return former !== undefined
  if (former?.isConditional !== true) return false
  return says === 'never changed' || former.known?.validators.etag === `"${version}"`
}
