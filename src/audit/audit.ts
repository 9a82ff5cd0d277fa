import { type Dirent, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type AnyRecord, type WarcEnd, walkWarc } from '../archive/any-warc.ts'
import { EscalonaError } from '../base/errors.ts'
import { message } from '../base/messages/message.ts'
import { whyOf } from '../base/system-error.ts'
import { Wildcard } from '../base/words/wildcard.ts'
import { prepareBase, webUrl } from '../url/web.ts'
import { answeredOf, type Exchange, Pairs, sentOf, stampOf, targetOf } from './exchanges.ts'
import { type HostAudit, HostTally } from './host-audit.ts'
import { RequestTable } from './request-table.ts'
import { MOST_ROBOTS_BYTES, RobotsFiles } from './robots-files.ts'

export interface AuditOptions {
  /** The smallest gap between two requests to a host. */
  readonly delayMs?: number
  /** Only hosts like this; `*` is any text. */
  readonly host?: string
  /** Share of the bytes that were read, from 0 to 1. */
  readonly onProgress?: (share: number) => void
}

export interface FileAudit {
  readonly path: string
  readonly end: WarcEnd
  readonly records: number
  /** HTML pages with a body, answered with 2xx. */
  readonly pages: number
  /** Answers with 2xx and a body that isn't HTML, robots.txt apart. */
  readonly notHtml: number
  readonly notHtmlExample: string | undefined
}

export interface Agent {
  /** Empty: none was sent. Undefined: there is no request record, and the file doesn't say. */
  readonly name: string | undefined
  /** The header `From`. */
  readonly from: string
  readonly requests: number
}

export interface Audit {
  readonly files: readonly FileAudit[]
  readonly requests: number
  /** What wrote the files, as they say. */
  readonly software: readonly string[]
  /** At most 100. */
  readonly agents: readonly Agent[]
  /** Most requests first. */
  readonly hosts: readonly HostAudit[]
  readonly doubts: readonly Doubt[]
}

/** Why the figures may differ from what happened: a kind, and how many requests, records, hosts or files it is true of. */
export interface Doubt {
  readonly kind: DoubtKind
  readonly count: number
}

export const DOUBTS = [
  'no-request-record',
  'to-the-second',
  'time-of-answer',
  'no-end',
  'no-robots',
  'no-agent',
  'no-date',
  'robots-left-out',
  'cut-file',
  'damaged-file',
  'foreign-file',
] as const
export type DoubtKind = (typeof DOUBTS)[number]

const MOST_HOSTS = 1_000_000
const MOST_AGENTS = 100
const MOST_SOFTWARE = 10
const HEAD_BYTES = 1 << 16
const WARC_NAME = /\.warc(?:\.gz)?(?:\.open)?$/i
/** Tools whose `WARC-Date` is the time at which a request was sent. */
const DATES_SENDING = /^(?:escalona|wget)\b/i
const OURS = /^escalona\b/i

/** How polite a crawler was, by its WARC files; `paths` are files, or folders in which they are looked for. */
export async function audit(paths: readonly string[], options: AuditOptions = {}): Promise<Audit> {
  const files = warcFiles(paths)
  const allBytes = files.reduce((sum, { bytes }) => sum + bytes, 0)
  const robots = new RobotsFiles()
  let readBytes = 0
  async function readAll(): Promise<Reading> {
    const reading = new Reading(robots, options.host)
    readBytes = 0
    for (const { path } of files)
      await reading.file(path, bytes => {
        readBytes += bytes
        options.onProgress?.(Math.min(readBytes / allBytes, 1))
      })
    reading.pairs.end()
    return reading
  }
  let reading = await readAll()
  if (robots.isLate) {
    robots.startOver()
    reading = await readAll()
  }
  return reading.result(options.delayMs)
}

interface WarcFile {
  readonly path: string
  readonly bytes: number
}

/** In the order of their names; none of them twice. */
function warcFiles(paths: readonly string[]): WarcFile[] {
  const found = new Map<string, WarcFile>()
  for (const path of paths) {
    try {
      const stat = statSync(path)
      const inside = stat.isDirectory() ? namesIn(path) : [path]
      if (inside.length === 0) throw new EscalonaError('AUDIT_NO_FILES', { path })
      for (const one of inside) {
        const { dev, ino, size, isFile } = fileStat(one)
        if (!isFile) throw new EscalonaError('FILE_UNREADABLE', { name: one, why: message('audit/not-a-file') })
        found.set(`${dev} ${ino}`, { path: one, bytes: size })
      }
    } catch (error) {
      if (error instanceof EscalonaError) throw error
      throw new EscalonaError('FILE_UNREADABLE', { name: path, why: whyOf(error) }, { cause: error })
    }
  }
  return [...found.values()]
}

function fileStat(path: string) {
  const stat = statSync(path, { bigint: true })
  return { dev: stat.dev, ino: stat.ino, size: Number(stat.size), isFile: stat.isFile() }
}

function namesIn(folder: string): string[] {
  const entries: Dirent[] = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  return entries.flatMap(entry => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return namesIn(path)
    return WARC_NAME.test(entry.name) && statSync(path, { throwIfNoEntry: false })?.isFile() ? [path] : []
  })
}

/** One reading of all files. */
class Reading {
  readonly pairs = new Pairs(exchange => this.note(exchange))
  private readonly robots: RobotsFiles
  private readonly wanted: Wildcard | undefined
  private readonly table = new RequestTable()
  private readonly hosts = new Map<string, number>()
  private readonly tallies: HostTally[] = []
  private readonly files: FileAudit[] = []
  private readonly software = new Set<string>()
  private readonly agents = new Map<string, Agent>()
  private readonly doubts = new Map<DoubtKind, number>()
  /** Of the file that is being read. */
  private maker = { software: '', agent: undefined as string | undefined }
  private current = { records: 0, pages: 0, notHtml: 0, notHtmlExample: undefined as string | undefined }

  constructor(robots: RobotsFiles, host: string | undefined) {
    this.robots = robots
    this.wanted = host === undefined ? undefined : new Wildcard(host.toLowerCase(), true)
  }

  async file(path: string, read: (bytes: number) => void): Promise<void> {
    this.maker = { software: '', agent: undefined }
    this.current = { records: 0, pages: 0, notHtml: 0, notHtmlExample: undefined }
    const end = await walkWarc(path, { wants: head => this.wants(head), record: record => this.take(record), read })
    this.files.push({ path, end, ...this.current })
    if (end !== 'whole') this.doubt(`${end}-file`)
  }

  private wants({ type, fields }: Pick<AnyRecord, 'type' | 'fields'>): number {
    switch (type) {
      case 'response':
        return this.robotsOf(targetOf(fields.get('warc-target-uri') ?? '')).length > 0
          ? HEAD_BYTES + 2 * MOST_ROBOTS_BYTES
          : HEAD_BYTES
      case 'request':
      case 'revisit':
      case 'warcinfo':
        return HEAD_BYTES
      default:
        return type === 'metadata' ? 64 : 0
    }
  }

  private robotsOf(target: { href: string; origin: string } | undefined): readonly string[] {
    return target === undefined ? [] : this.robots.originsOf(target.href, target.origin)
  }

  private take(record: AnyRecord): undefined | Promise<void> {
    this.current.records++
    const { type, fields } = record
    if (type === 'warcinfo') this.takeMaker(record.block.toString('latin1'))
    if (type !== 'request' && type !== 'response' && type !== 'revisit' && type !== 'metadata') return undefined
    const target = targetOf(fields.get('warc-target-uri') ?? '')
    if (target === undefined || this.wanted?.matches(target.host) === false) return undefined
    const stamp = stampOf(fields.get('warc-date') ?? '')
    if (stamp === undefined) {
      if (type !== 'metadata') this.doubt('no-date')
      return undefined
    }
    if (type === 'request') {
      this.pairs.add(fields, target, sentOf(record, stamp), undefined)
      return undefined
    }
    return answeredOf(record, stamp, this.robotsOf(target).length > 0).then(answered => {
      if (answered === undefined) return
      this.countPage(record, target.href, answered)
      this.pairs.add(fields, target, undefined, answered)
    })
  }

  private takeMaker(text: string): void {
    const field = (name: string) => new RegExp(`^${name}:(.*)$`, 'im').exec(text)?.[1]?.trim()
    this.maker = { software: field('software') ?? '', agent: field('http-header-user-agent') }
    if (this.maker.software !== '' && this.software.size < MOST_SOFTWARE) this.software.add(this.maker.software)
  }

  private countPage(
    { type, fields }: AnyRecord,
    href: string,
    { status, isHtml, hasBody }: { status: number; isHtml: boolean; hasBody: boolean },
  ): void {
    if (type !== 'response' || status < 200 || status > 299 || !hasBody) return
    // A page that says noindex is archived by us, and isn't a page of the crawl.
    if (isHtml && OURS.test(this.maker.software) && fields.get('escalona-page') === undefined) return
    if (isHtml) this.current.pages++
    else if (!href.endsWith('/robots.txt') && this.robots.originsOf(href, '').length === 0) {
      this.current.notHtml++
      this.current.notHtmlExample ??= href
    }
  }

  private note({ href, host, origin, sent, answered }: Exchange): void {
    const { timeMs, isCoarse } = (sent ?? answered)!
    const tookMs = sent === undefined || answered === undefined ? 0 : answered.timeMs - sent.timeMs
    const durationMs = tookMs > 0 ? tookMs : undefined
    const agent = sent?.agent ?? this.maker.agent
    const number = this.hostNumber(host)
    const tally = this.tallies[number]!
    const status = answered?.status ?? 0
    const robotsFor = this.robots.originsOf(href, origin)
    const isRobots = robotsFor.length > 0
    this.table.add({ host: number, href, timeMs, isCoarse, durationMs, status, isRobots })
    if (answered?.robots !== undefined) for (const one of robotsFor) this.robots.add(one, answered.robots, timeMs)
    const target =
      isRobots && answered?.location !== undefined ? webUrl(answered.location, prepareBase(href)) : undefined
    if (typeof target === 'object') this.robots.redirected(href, robotsFor, target.href)
    tally.judged(href, timeMs, this.robots.judge(origin, href, tokenOf(agent ?? ''), timeMs, isRobots))
    if (answered?.retryAfterMs !== undefined) tally.askedToWait(timeMs, answered.retryAfterMs)
    this.countAgent(agent, sent?.from ?? '')
    if (sent === undefined) this.doubt('no-request-record')
    if (isCoarse) this.doubt('to-the-second')
    if (durationMs === undefined && !DATES_SENDING.test(this.maker.software)) this.doubt('time-of-answer')
    if (durationMs === undefined) this.doubt('no-end')
    if (agent === undefined || agent === '') this.doubt('no-agent')
  }

  private hostNumber(host: string): number {
    const known = this.hosts.get(host)
    if (known !== undefined) return known
    if (this.hosts.size >= MOST_HOSTS) throw new EscalonaError('AUDIT_TOO_MUCH/hosts', { most: MOST_HOSTS })
    const number = this.tallies.push(new HostTally(host)) - 1
    this.hosts.set(host, number)
    return number
  }

  private countAgent(name: string | undefined, from: string): void {
    const key = JSON.stringify([name ?? 0, from])
    const requests = (this.agents.get(key)?.requests ?? 0) + 1
    if (requests > 1 || this.agents.size < MOST_AGENTS) this.agents.set(key, { name, from, requests })
  }

  private doubt(kind: DoubtKind, count = 1): void {
    this.doubts.set(kind, (this.doubts.get(kind) ?? 0) + count)
  }

  result(delayMs: number | undefined): Audit {
    const hosts: HostAudit[] = []
    for (const own of this.table.byHost(this.tallies.length))
      hosts.push(this.tallies[hosts.length]!.audit(this.table, own, delayMs))
    this.doubt('no-robots', hosts.filter(({ robots }) => robots === 'missing').length)
    this.doubt('robots-left-out', this.robots.leftOut)
    const doubts = DOUBTS.map(kind => ({ kind, count: this.doubts.get(kind) ?? 0 })).filter(({ count }) => count > 0)
    return {
      files: this.files,
      requests: this.table.size,
      software: [...this.software],
      agents: [...this.agents.values()].sort((a, b) => b.requests - a.requests),
      hosts: hosts.sort((a, b) => b.requests - a.requests || (a.host < b.host ? -1 : 1)),
      doubts,
    }
  }
}

/** `Examplebot` of `Mozilla/5.0 (compatible; Examplebot/1.0; …)`: robots.txt knows crawlers by it, and nobody by `Mozilla`. */
function tokenOf(agent: string): string {
  return /^Mozilla\/.*?\bcompatible;[ +]*([\w-]+)/.exec(agent)?.[1] ?? agent
}
