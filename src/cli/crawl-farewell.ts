import { join } from 'node:path'
import { printable } from '../base/printable.ts'
import { shownBytes, shownCount, shownDuration } from '../base/quantity.ts'
import type { CrawlEnd } from '../crawl/session.ts'
import type { Tally } from '../crawl/tally.ts'

const ENDINGS: Readonly<Record<CrawlEnd['because'], string>> = {
  limit: 'the limit is reached',
  'nothing left': 'nothing is left to do',
  stopped: 'stopped; the same command goes on',
}

const MOST_REASONS = 3

/** What a crawl says when it ends, a line each. */
export function farewell(tally: Tally, { because, frontier }: CrawlEnd, folder: string): string[] {
  const parts = [
    `${counted(tally.pages, 'page')} of ${counted(tally.pagesByHost.size, 'host')}`,
    shownBytes(tally.wireBytes),
    `${shownCount(frontier.waiting)} queued`,
    shownDuration(tally.workMs),
  ]
  const lines = [`${ENDINGS[because]}: ${parts.join(', ')}`]
  if (tally.pages === 0 && because !== 'stopped') lines.push(whyNothing(tally))
  return [...lines, `the report: ${printable(join(folder, 'report.html'))}`]
}

/** A crawl that brought nothing says why, so that nobody has to look for it. */
function whyNothing(tally: Tally): string {
  const reasons = [...tally.refused, ...tally.failed].sort((a, b) => b[1] - a[1]).slice(0, MOST_REASONS)
  const named = reasons.map(([reason, links]) => `${printable(reason)} (${counted(links, 'link')})`).join(', ')
  const hint = tally.refused.has('address') ? '; allow a network that is not public with --allow-network' : ''
  return `no page was archived: ${named === '' ? 'nothing was refused and nothing failed' : named}${hint}`
}

function counted(count: number, unit: string): string {
  return `${shownCount(count)} ${unit}${count === 1 ? '' : 's'}`
}
