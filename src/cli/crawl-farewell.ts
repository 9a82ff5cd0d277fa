import { join } from 'node:path'
import { printable } from '../base/words/printable.ts'
import { shownBytes, shownCount, shownDuration } from '../base/words/quantity.ts'
import type { CrawlEnd } from '../crawl/session.ts'
import type { Stats } from '../crawl/stats/stats.ts'

const ENDINGS: Readonly<Record<CrawlEnd['because'], string>> = {
  limit: 'the limit is reached',
  'nothing left': 'nothing is left to do',
  stopped: 'stopped; the same command goes on',
  time: 'the time is over; the same command goes on',
  bytes: 'the archive has the size that was allowed; raise --max-bytes to go on',
}

const MOST_REASONS = 3

/** What a crawl says when it ends, a line each. */
export function farewell(stats: Stats, { because, frontier, hosts }: CrawlEnd, folder: string): string[] {
  const parts = [
    `${counted(stats.pages, 'page')} of ${counted(hosts.hosts, 'host')}`,
    shownBytes(stats.wireBytes),
    `${shownCount(frontier.waiting)} queued`,
    shownDuration(stats.workMs),
  ]
  const lines = [`${ENDINGS[because]}: ${parts.join(', ')}`]
  if (frontier.down > 0)
    lines.push(`${counted(frontier.down, 'link')} left at hosts that do not answer; the same command tries them again`)
  if (stats.pages === 0 && because !== 'stopped') lines.push(whyNothing(stats))
  return [...lines, `the report: ${printable(join(folder, 'report.html'))}`]
}

/** A crawl that brought nothing says why, so that nobody has to look for it. */
function whyNothing(stats: Stats): string {
  const reasons = [...stats.refused, ...stats.failed].sort((a, b) => b[1] - a[1]).slice(0, MOST_REASONS)
  const named = reasons.map(([reason, links]) => `${printable(reason)} (${counted(links, 'link')})`).join(', ')
  const hint = stats.refused.has('address') ? '; allow a network that is not public with --allow-network' : ''
  return `no page was archived: ${named === '' ? 'nothing was refused and nothing failed' : named}${hint}`
}

function counted(count: number, unit: string): string {
  return `${shownCount(count)} ${unit}${count === 1 ? '' : 's'}`
}
