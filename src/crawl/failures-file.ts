import { join } from 'node:path'
import type { Frontier } from '../frontier/frontier.ts'
import { JsonLinesFile, type JsonLinesOptions } from './json-lines-file.ts'

export const FAILURES_FILE = 'failures.jsonl'

/** A line of `failures.jsonl`: a link that ended without a page. Of several lines of one URL, the last one holds. */
export interface FailureLine {
  readonly url: string
  /** The page it was found on; missing for a seed. */
  readonly from?: string
  /** See reasons.ts. */
  readonly reason: string
  /** How often it was requested; missing for a link that ended because its host is gone. */
  readonly attempts?: number
  /** Of the last answer, if there was one. */
  readonly status?: number
  /** When it ended, in milliseconds since 1970. */
  readonly atMs: number
}

const AT_ONCE = 1000
/** Far more than the lines of all tickets that can be open at a time. */
const TAIL_BYTES = 16 << 20

export function openFailures(crawl: string, options: JsonLinesOptions): JsonLinesFile<FailureLine> {
  return new JsonLinesFile(join(crawl, FAILURES_FILE), options)
}

/**
 * Drops the lines of links that did not end after all: the run that wrote them was killed before the frontier knew. `from`: how
 * long the file was when that run began; what was there before is certain.
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
