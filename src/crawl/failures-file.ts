import { join } from 'node:path'
import type { Frontier } from '../frontier/frontier.ts'
import { JsonLinesFile, type JsonLinesOptions } from './json-lines-file.ts'

export const FAILURES_FILE = 'failures.jsonl'

/** A line of `failures.jsonl`: a link that ended without a page. If a URL has several lines, the last one counts. */
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

/** Whether a line is ours. */
export function isFailure(line: Partial<FailureLine>): line is FailureLine {
  return typeof line.url === 'string' && typeof line.reason === 'string'
}

const AT_ONCE = 1000
/** Far more than the lines of all tickets that can be open at once. */
const TAIL_BYTES = 16 << 20

export function openFailures(crawl: string, options: JsonLinesOptions): JsonLinesFile<FailureLine> {
  return new JsonLinesFile(join(crawl, FAILURES_FILE), options)
}

/**
 * Drops the lines of links that did not end after all, because the run that wrote them was killed before the frontier recorded
 * it. `from`: the size of the file when that run began; everything before is certain.
 */
export async function dropUnsettled(
  file: JsonLinesFile<FailureLine>,
  from: number,
  frontier: Pick<Frontier, 'explain'>,
): Promise<void> {
  let firstDropped: number | undefined
  const kept: FailureLine[] = []
  let some: { readonly at: number; readonly line: FailureLine }[] = []
  const judge = async () => {
    const explained = await frontier.explain(some.map(({ line }) => line.url))
    for (const [i, { at, line }] of some.entries()) {
      const isSettled = explained[i]!.state === 'refused'
      if (!isSettled) firstDropped ??= at
      else if (firstDropped !== undefined) kept.push(line)
    }
    some = []
  }
  for (const one of file.lines(Math.max(from, file.bytes - TAIL_BYTES))) {
    some.push(one)
    if (some.length === AT_ONCE) await judge()
  }
  await judge()
  if (firstDropped === undefined) return
  file.cut(firstDropped)
  file.append(kept)
}
