import { readRecordStart } from '../../archive/read.ts'
import type { RecordLocation } from '../../archive/scan.ts'
import { httpOf, type RecordStart } from '../../archive/warc-record.ts'
import { lineMeanings } from '../../robots/groups.ts'
import type { RobotsFile } from '../questions/host-shapes.ts'

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
