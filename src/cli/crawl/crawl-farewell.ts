import { join } from 'node:path'
import { shellWord } from '../../base/words/printable.ts'
import { shownBytes, shownCount, shownDuration } from '../../base/words/quantity.ts'
import { sitemapCounts, type Waterfall, waterfall } from '../../folder/stats/outcome-counts.ts'
import type { Stats } from '../../folder/stats/stats.ts'
import type { CrawlEnd, CrawlShare } from '../../run/session.ts'
import { aboutReason } from '../../settings/reasons.ts'
import { endingWords } from './ending-words.ts'

const MOST_REASONS = 3

/**
 * The lines at the end of a crawl: how much was collected, what became of every link, and why some links are not pages.
 * `isIdle`: this run archived nothing.
 */
export function farewell(stats: Stats, end: CrawlEnd, folder: string, isIdle: boolean): string[] {
  const words = endingWords()
  const { because, frontier, hosts, share } = end
  const pages = share === undefined ? stats.pages : frontier.pages
  const parts = [
    words.ofHosts(counted(words.pages, pages), shownCount(hosts.hosts), hosts.hosts === 1),
    shownBytes(stats.wireBytes),
    words.queued(shownCount(frontier.waiting)),
    shownDuration(stats.workMs),
  ]
  const links = waterfall(frontier)
  const lines = [`${words.endings[because]}: ${parts.join(', ')}`]
  if (share !== undefined && pages > 0) lines.push(shareLine(share, pages))
  if (stats.losses > 0) lines.push(words.losses(shownCount(stats.losses)))
  if (pages === 0) lines.push(words.nothingArchived)
  if (isIdle && because === 'limit') lines.push(words.raiseLimit(counted(words.pages, pages)))
  if (isIdle && because === 'bytes') lines.push(words.raiseBytes)
  if (links.known > 0) lines.push(sum(links), ...mainReasons(links))
  else lines.push(...seedTrouble(stats))
  const visits = revisits(stats)
  if (visits !== undefined) lines.push(visits)
  const files = sitemaps(stats)
  if (files !== undefined) lines.push(files)
  const notRemembered = stats.refusedLinks.get('held-limit') ?? 0
  if (notRemembered > 0) lines.push(reasonLine('held-limit', notRemembered))
  if (frontier.down > 0) lines.push(words.down(counted(words.links, frontier.down), commonTrouble(stats)))
  if (links.failed.count > 0) lines.push(words.failures(`escalona list ${shellWord(folder)} --state failed`))
  return [...lines, words.report(shellWord(join(folder, 'report.html')))]
}

function shareLine({ where, pages, machines }: CrawlShare, all: number): string {
  // After a clear, the folder has more pages than the frontier knows.
  const percent = Math.min(100, Math.round((pages / all) * 100))
  const command = `escalona frontier ${shellWord(where)} report -o report`
  return endingWords().share(shownCount(pages), percent, shownCount(machines), machines === 1, command)
}

/** `visits again 9 = 2 changed + 7 the same`; undefined when there were none. */
function revisits({ revisits }: Stats): string | undefined {
  const words = endingWords()
  const terms = (['changed', 'same', 'gone', 'failed'] as const)
    .map(found => [found, revisits.get(found) ?? 0] as const)
    .filter(([, count]) => count > 0)
  if (terms.length === 0) return undefined
  const all = terms.reduce((sum, [, count]) => sum + count, 0)
  const shown = terms.map(([found, count]) => `${shownCount(count)} ${words.revisits[found](count === 1)}`)
  return `${words.visitsAgain(shownCount(all))} = ${shown.join(' + ')}`
}

/** `sitemaps 3 = 1 read + 2 not read (status-404, timeout)`; undefined when there were none. */
function sitemaps(stats: Stats): string | undefined {
  const words = endingWords()
  const { read, notRead, reasons } = sitemapCounts(stats.sitemaps)
  if (read + notRead === 0) return undefined
  const why = reasons.slice(0, MOST_REASONS).map(({ reason }) => reason)
  const terms = [
    ...(read > 0 ? [`${shownCount(read)} ${words.sitemapsRead(read === 1)}`] : []),
    ...(notRead > 0 ? [`${shownCount(notRead)} ${words.sitemapsNotRead(notRead === 1)} (${why.join(', ')})`] : []),
  ]
  return `${words.sitemaps(shownCount(read + notRead))} = ${terms.join(' + ')}`
}

/** `known links 52 = 10 archived + 2 refused + 40 waiting`, without terms that are zero. */
function sum(links: Waterfall): string {
  const words = endingWords()
  const terms: readonly (readonly [number, (isOne: boolean) => string])[] = [
    [links.archived, words.archived],
    [links.redirected, words.redirected],
    [links.refused.count, words.refused],
    [links.failed.count, words.failed],
    [links.held.count, words.held],
    [links.waiting, words.waiting],
    [links.leased, words.leased],
  ]
  const shown = terms.filter(([count]) => count > 0).map(([count, name]) => `${shownCount(count)} ${name(count === 1)}`)
  return `${words.known(shownCount(links.known))} = ${shown.join(' + ')}`
}

/** The most frequent reasons, each with its sentence and what to do about it. */
function mainReasons({ refused, failed, held }: Waterfall): string[] {
  return [...refused.reasons, ...failed.reasons, ...held.reasons]
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST_REASONS)
    .map(({ reason, count }) => reasonLine(reason, count))
}

function reasonLine(reason: string, count: number): string {
  const { sentence, advice } = aboutReason(reason)
  return `  ${reason}, ${counted(endingWords().links, count)}: ${sentence} ${advice}`.trimEnd()
}

/** The most common failure. Links at hosts that are down keep waiting, so no reason is stored for them. */
function commonTrouble({ again, failed }: Stats): string {
  const [most] = [...again, ...failed].sort((a, b) => b[1] - a[1])
  return most === undefined ? '' : ` (${most[0]}: ${aboutReason(most[0]).sentence.replace(/\.$/, '')})`
}

/** Why a crawl whose seeds are sitemaps has found no link: these are no links themselves. */
function seedTrouble({ again, failed, sitemaps }: Stats): string[] {
  const named = sitemapCounts(sitemaps).reasons.map(
    ({ reason, count }) => [reason.startsWith('sitemap') ? reason : `sitemap-${reason}`, count] as const,
  )
  const [most] = [...named, ...failed, ...again].sort((a, b) => b[1] - a[1])
  if (most === undefined) return []
  const { sentence, advice } = aboutReason(most[0])
  return [`  ${most[0]}: ${sentence} ${advice}`.trimEnd()]
}

function counted(words: (count: string, isOne: boolean) => string, count: number): string {
  return words(shownCount(count), count === 1)
}
