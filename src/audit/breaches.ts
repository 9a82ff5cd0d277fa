import type { Audit } from './audit.ts'
import type { ForbiddenExample, GapExample } from './host-audit.ts'

/** What a crawler has to keep to. */
export interface Rules {
  /** The smallest gap between two requests to a host, which also has to be left alone for as long as `Retry-After` says. */
  readonly delayMs: number | undefined
  /** What robots.txt says, `Crawl-delay` included. */
  readonly robots: boolean
  /** The course's: 1,000 pages per file, only HTML, no page twice. */
  readonly course: boolean
}

export const COURSE_DELAY_MS = 100
export const COURSE_PAGES = 1000

/** What was not kept to, where, and how often. */
export type Breach =
  | {
      readonly kind: 'delay' | 'retry-after' | 'crawl-delay'
      readonly host: string
      readonly count: number
      readonly example: GapExample
    }
  | { readonly kind: 'robots'; readonly host: string; readonly count: number; readonly example: ForbiddenExample }
  | {
      readonly kind: 'repeat'
      readonly host: string
      readonly count: number
      readonly example: { readonly timeMs: number }
    }
  | {
      readonly kind: 'not-html'
      readonly file: string
      readonly count: number
      readonly example: { readonly url: string }
    }
  /** `count`: the pages of the file. */
  | { readonly kind: 'pages-per-file'; readonly file: string; readonly count: number }

export function breachesOf({ hosts, files }: Audit, { delayMs, robots, course }: Rules): Breach[] {
  const breaches: Breach[] = []
  for (const one of hosts) {
    const { host } = one
    const gaps = (kind: 'delay' | 'retry-after' | 'crawl-delay', count: number, example: GapExample | undefined) => {
      if (example !== undefined) breaches.push({ kind, host, count, example })
    }
    if (delayMs !== undefined) {
      gaps('delay', one.tooSoon ?? 0, one.tooSoonExample)
      gaps('retry-after', one.withinRetryAfter, one.retryAfterExample)
    }
    if (robots) {
      if (one.forbiddenExample !== undefined)
        breaches.push({ kind: 'robots', host, count: one.forbidden, example: one.forbiddenExample })
      gaps('crawl-delay', one.withinCrawlDelay, one.crawlDelayExample)
    }
    if (course && one.repeatExampleMs !== undefined)
      breaches.push({
        kind: 'repeat',
        host,
        count: one.repeats - one.retries,
        example: { timeMs: one.repeatExampleMs },
      })
  }
  if (!course) return breaches
  /** The last file may have fewer pages; which one that is, nobody knows. */
  const smaller = files.filter(({ pages }) => pages < COURSE_PAGES)
  for (const { path, pages, notHtml, notHtmlExample } of files) {
    if (pages > COURSE_PAGES || (pages < COURSE_PAGES && smaller.length > 1))
      breaches.push({ kind: 'pages-per-file', file: path, count: pages })
    if (notHtmlExample !== undefined)
      breaches.push({ kind: 'not-html', file: path, count: notHtml, example: { url: notHtmlExample } })
  }
  return breaches
}
