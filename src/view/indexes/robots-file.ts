import { readRecordStart } from '../../archive/read.ts'
import type { RecordLocation } from '../../archive/scan.ts'
import { httpOf, type RecordStart } from '../../archive/warc-record.ts'
import { systemClock } from '../../base/clock.ts'
import { lineMeanings } from '../../robots/groups.ts'
import { compileRobots } from '../../robots/robots.ts'
import { RobotsRules, type RulesKind } from '../../robots/rules.ts'
import { type RobotsFile, type RobotsState, robotsStateOf } from '../questions/host-shapes.ts'

/** More than counts of a robots.txt. */
const MOST_ROBOTS_BYTES = 600 * 1024
const MOST_LINES = 2000
const MOST_LINE_CHARS = 500
const MOST_SITEMAPS = 100

/** A host may have a robots.txt per scheme. */
export function robotsUrls(host: string): string[] {
  return ['https', 'http'].map(scheme => `${scheme}://${host}/robots.txt`)
}

/** Whether an answer to a request for robots.txt says what is allowed: neither a redirect nor trouble of the host does. */
export function isVerdict(status: number): boolean {
  return status < 300 || (status >= 400 && status < 500 && status !== 429)
}

/** An archived answer to a request for robots.txt; undefined when it cannot be read from the archive any more. */
export async function readRobots(
  { file, offset }: RecordLocation,
  folder: string,
): Promise<
  | {
      readonly record: Awaited<ReturnType<typeof readRecordStart>>
      readonly status: number
      readonly rules: Uint8Array
    }
  | undefined
> {
  const record = await readRecordStart(folder, file, offset, MOST_ROBOTS_BYTES).catch(() => undefined)
  if (record === undefined) return undefined
  const { status, body } = httpOf(record)
  // Any other answer has no rules, whatever its text is.
  return { record, status, rules: status >= 200 && status < 300 ? body : new Uint8Array(0) }
}

/** An archived robots.txt and what it means for this crawl; undefined when it cannot be read from the archive any more. */
export async function robotsFile(
  url: string,
  place: RecordLocation,
  folder: string,
  agent: string,
): Promise<RobotsFile | undefined> {
  const read = await readRobots(place, folder)
  if (read === undefined) return undefined
  const { record, status, rules } = read
  const { ofLine, crawlDelaySeconds, sitemaps } = lineMeanings(rules, agent)
  const lines = Buffer.from(rules)
    .toString()
    .replace(/^\ufeff/, '')
    .split(/\r\n|[\r\n]/)
  if (lines.at(-1) === '') lines.pop()
  return {
    url,
    status,
    fetchedAtMs: dateOf(record),
    lines: lines.slice(0, MOST_LINES).map((text, i) => {
      return { number: i + 1, text: text.slice(0, MOST_LINE_CHARS), means: ofLine.get(i + 1) }
    }),
    isCut: record.isCut || lines.length > MOST_LINES || lines.some(({ length }) => length > MOST_LINE_CHARS),
    crawlDelaySeconds,
    sitemaps: sitemaps.slice(0, MOST_SITEMAPS),
  }
}

function dateOf({ fields }: RecordStart): number | undefined {
  const dateMs = Date.parse(fields.find(([name]) => name === 'WARC-Date')?.[1] ?? '')
  return Number.isNaN(dateMs) ? undefined : dateMs
}

/** What a list may wait for; hosts that were not reached stay unknown until the next one. */
const LONGEST_MS = 30
const MOST_KEPT = 10_000

/** Says what the robots.txt of hosts comes to, from the archive: the rules in use are known to the process of a running crawl only. */
export class ArchivedRobots {
  private readonly folder: string
  private readonly answerOf: (url: string) => Promise<RecordLocation | undefined>
  private readonly kept = new Map<string, RobotsState>()

  constructor(folder: string, answerOf: (url: string) => Promise<RecordLocation | undefined>) {
    this.folder = folder
    this.answerOf = answerOf
  }

  async states(hosts: readonly string[], agent: string): Promise<readonly RobotsState[]> {
    const startMs = systemClock()
    const states: RobotsState[] = []
    for (const host of hosts) {
      const kept = this.kept.get(host)
      const isLate = systemClock() - startMs > LONGEST_MS
      states.push(kept ?? (isLate ? 'unknown' : await this.read(host, agent)))
    }
    return states
  }

  private async read(host: string, agent: string): Promise<RobotsState> {
    const kinds = await Promise.all(robotsUrls(host).map(url => this.kindOf(url, agent)))
    const state = robotsStateOf(kinds.filter(kind => kind !== undefined))
    if (state === 'unknown') return state
    if (this.kept.size >= MOST_KEPT) this.kept.clear()
    this.kept.set(host, state)
    return state
  }

  private async kindOf(url: string, agent: string): Promise<RulesKind | undefined> {
    const place = await this.answerOf(url)
    const read = place && (await readRobots(place, this.folder))
    // Where a redirect leads is not followed here.
    if (read === undefined || !isVerdict(read.status)) return undefined
    return new RobotsRules(compileRobots(read.rules, agent)).kind
  }
}
