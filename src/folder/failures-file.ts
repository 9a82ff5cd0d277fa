import { join } from 'node:path'
import { parsedAs, type StoredShape } from '../base/structures/json-shape.ts'
import type { FrontierViews } from '../frontier/frontier.ts'
import { isHeld } from '../settings/reasons.ts'
import { JsonLinesFile, type JsonLinesOptions } from './json-lines-file.ts'

export const FAILURES_FILE = 'failures.jsonl'

/** A line of `failures.jsonl`: a link that ended without a page. */
export interface FailureLine {
  readonly url: string
  /** The page it was found on; missing for a seed. */
  readonly from?: string
  /** The name of the reason, such as `timeout` or `status-404`; `aboutReason` explains it. */
  readonly reason: string
  /** How many requests were made for it; missing for a link that ended because its host is gone. */
  readonly attempts?: number
  /** HTTP status of the last answer, if there was one. */
  readonly status?: number
  /** When it ended, in milliseconds since 1970. */
  readonly atMs: number
}

/** Another line of `failures.jsonl`: the link is back in the queue, so its earlier lines no longer hold. */
export interface RequeuedLine {
  readonly url: string
  readonly requeued: true
  /** In milliseconds since 1970. */
  readonly atMs: number
}

export type FailuresFile = JsonLinesFile<FailureLine | RequeuedLine>

const LINE: StoredShape = {
  ...{ url: 'string', atMs: 'number' },
  ...{ 'from?': 'string', 'reason?': 'string', 'attempts?': 'number', 'status?': 'number', 'requeued?': 'boolean' },
}

export function isFailure(line: FailureLine | RequeuedLine): line is FailureLine {
  return 'reason' in line
}

export function parseFailuresLine(text: string): FailureLine | RequeuedLine | undefined {
  return parsedAs(text, LINE)
}

/** Whether a link refused for this reason has a line. Links held by a setting have none, unless they had to be asked for, or their name. */
export function hasLine(reason: string): boolean {
  return !isHeld(reason) || reason === 'address' || reason === 'language'
}

const AT_ONCE = 1000
/** Far more than the lines of all tickets that can be open at once. */
const TAIL_BYTES = 16 << 20

export function openFailures(crawl: string, options: JsonLinesOptions): FailuresFile {
  return new JsonLinesFile(join(crawl, FAILURES_FILE), LINE, options)
}

/**
 * Drops the lines of links that did not end after all, or were not put back in the queue, because the run that wrote them was
 * killed before the frontier recorded it. `from`: the size of the file when that run began; everything before is certain.
 */
export async function dropUnsettled(file: FailuresFile, from: number, frontier: FrontierViews): Promise<void> {
  let firstDropped: number | undefined
  const kept: (FailureLine | RequeuedLine)[] = []
  const start = Math.max(from, file.bytes - TAIL_BYTES)
  const ended = new Set<string>()
  for (const { line } of file.lines(start)) if (isFailure(line)) ended.add(line.url)
  let some: { readonly at: number; readonly line: FailureLine | RequeuedLine }[] = []
  const judge = async () => {
    const explained = await frontier.explain(some.map(({ line }) => line.url))
    for (const [i, { at, line }] of some.entries()) {
      const isRefused = explained[i]!.state === 'refused'
      const isSettled = isFailure(line) ? isRefused : !isRefused || ended.has(line.url)
      if (!isSettled) firstDropped ??= at
      else if (firstDropped !== undefined) kept.push(line)
    }
    some = []
  }
  for (const one of file.lines(start)) {
    some.push(one)
    if (some.length === AT_ONCE) await judge()
  }
  await judge()
  if (firstDropped === undefined) return
  file.cut(firstDropped)
  file.append(kept)
}
