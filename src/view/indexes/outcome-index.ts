import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { PAGES_FILE } from '../../archive/names.ts'
import { type PageLine, parsePageLine } from '../../archive/pages-file.ts'
import { type Clock, systemClock } from '../../base/clock.ts'
import { type Bilingual, inBothLanguages } from '../../base/words/language.ts'
import { FAILURES_FILE, type FailureLine } from '../../folder/failures-file.ts'
import { parseFailureLine } from '../../folder/lines-of.ts'
import { aboutReason, isHeld } from '../../settings/reasons.ts'
import { hostOf } from '../../url/host-of.ts'
import type { PageList } from '../questions/page-shapes.ts'
import { LineIndex } from './line-index.ts'
import type { LineKind } from './line-table.ts'
import { type PageQuery, pagesFound } from './page-search.ts'

/** How long an answer about a host waits for the rest of the files to be read. */
const PATIENCE_MS = 30
/** How long the counts of hosts wait for them. */
const FAILURES_MS = 10
const REQUEUED = Buffer.from('","requeued":true')
const REASON = Buffer.from('"reason":"')
const QUOTE = 0x22

/** How a link of a host ended. */
export type HostOutcome =
  | { readonly kind: 'page'; readonly page: PageLine }
  | { readonly kind: 'ended'; readonly failure: FailureLine; readonly sentence: Bilingual }

/** How the links of a crawl ended: its pages and failures, by URL, by host and by time. */
export class OutcomeIndex {
  private readonly pages: LineIndex
  private readonly failures: LineIndex
  private readonly stopwatch: Clock

  constructor(folder: string, stopwatch: Clock = systemClock) {
    this.pages = new LineIndex(join(folder, PAGES_FILE), () => 'outcome', stopwatch)
    this.failures = new LineIndex(join(folder, FAILURES_FILE), kindOfFailure, stopwatch)
    this.stopwatch = stopwatch
  }

  find(query: PageQuery): Promise<PageList> {
    return pagesFound(query, this.pages, this.stopwatch)
  }

  async pageLineOf(url: string): Promise<PageLine | undefined> {
    const text = await this.pages.newestOf(url)
    return text === undefined ? undefined : parsePageLine(text)
  }

  /** Undefined also when the link is back in the queue. */
  async failureLineOf(url: string): Promise<FailureLine | undefined> {
    const text = await this.failures.newestOf(url)
    return text === undefined ? undefined : parseFailureLine(text)
  }

  /** Waits a moment until all failures have been read, so that their counts are right; those of millions take longer. */
  async readFailures(): Promise<void> {
    const startMs = this.stopwatch()
    await this.failures.catchUp()
    while (!this.failures.isComplete && this.stopwatch() - startMs < FAILURES_MS) await turn()
  }

  /** How many links of a host ended by an error or by its refusal. */
  failedOf(host: string): number {
    return this.failures.countOf(host)
  }

  /** How links of a host ended, newest first. */
  async latest(host: string, most: number): Promise<HostOutcome[]> {
    const startMs = this.stopwatch()
    await Promise.all([this.pages.catchUp(), this.failures.catchUp()])
    for (;;) {
      const outcomes = [...first(most, this.merged(host))]
      const isComplete = this.pages.isComplete && this.failures.isComplete
      if (isComplete || outcomes.length === most || this.stopwatch() - startMs > PATIENCE_MS) return outcomes
      await turn()
    }
  }

  close(): void {
    this.pages.close()
    this.failures.close()
  }

  /** Both files are in the order of time. */
  private *merged(host: string): Generator<HostOutcome, void, undefined> {
    const pages = parsedWith(parsePageLine, this.pages.outcomesAt(host), host)
    const failures = parsedWith(parseFailureLine, this.failures.outcomesAt(host), host)
    let page = pages.next().value
    let failure = failures.next().value
    while (page !== undefined || failure !== undefined) {
      if (failure === undefined || (page !== undefined && page.dateMs >= failure.atMs)) {
        yield { kind: 'page', page: page! }
        page = pages.next().value
      } else {
        yield endedBy(failure)
        failure = failures.next().value
      }
    }
  }
}

function endedBy(failure: FailureLine): HostOutcome {
  const sentence = () => aboutReason(failure.reason).sentence
  return { kind: 'ended', failure, sentence: inBothLanguages(sentence) }
}

/** Two hosts could have the same hashes. */
function* parsedWith<Line extends { readonly url: string }>(
  parse: (text: string) => Line | undefined,
  texts: Iterable<string>,
  host: string,
): Generator<Line, undefined, undefined> {
  for (const text of texts) {
    const line = parse(text)
    if (line !== undefined && hostOf(line.url) === host) yield line
  }
  return undefined
}

function* first<Item>(most: number, items: Iterable<Item>): Generator<Item, void, undefined> {
  let left = most
  if (left === 0) return
  for (const item of items) {
    yield item
    if (--left === 0) return
  }
}

/** Links that a setting keeps out have not failed. A quote inside of a URL is escaped, so what is found here are keys. */
function kindOfFailure(bytes: Buffer, urlEnd: number, end: number): LineKind {
  if (REQUEUED.equals(bytes.subarray(urlEnd, urlEnd + REQUEUED.length))) return 'undone'
  const start = bytes.subarray(urlEnd, end).indexOf(REASON) + urlEnd + REASON.length
  const reason = bytes.toString('latin1', start, bytes.indexOf(QUOTE, start))
  return isHeld(reason) ? 'outcome' : 'counted'
}
