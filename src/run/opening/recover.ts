import { answersSince } from '../../archive/scan.ts'
import type { Clock } from '../../base/clock.ts'
import { said } from '../../base/messages/message.ts'
import type { FilterLink } from '../../decide/filtered-links.ts'
import { RevisitPlan } from '../../decide/revisit-plan.ts'
import { languageDetector } from '../../extract/detect-language.ts'
import type { Loss } from '../../frontier/redis/recovering.ts'
import { agentOf, type CrawlSettings } from '../../settings/settings.ts'
import type { CrawlFolder } from './crawl-folder.ts'
import type { RunConfig } from './current-run.ts'
import { offerSeeds } from './enqueue.ts'
import { type FormerDeps, offerAgain } from './former-visits.ts'

/** Besides the longest time that a request takes: an answer waits for the disk before its links are offered. */
const COMMIT_MS = 15_000

export function lossMessage({ agoMs }: Loss): string {
  return agoMs === undefined ? said('run/lost-all') : said('run/lost', { ago: agoMs })
}

export function recoveredMessage(): string {
  return said('run/recovered')
}

export function damagedMessage(hosts: number): string {
  return said('run/damaged', { hosts })
}

/** Since when answers may have been requested whose links were offered since `lostMs`. */
export function requestedSinceMs(lostMs: number, { timeoutMs }: Pick<CrawlSettings, 'timeoutMs'>): number {
  return lostMs - timeoutMs - COMMIT_MS
}

/** Offers again what this machine knows: the shared book, seeds, its archived pages as done, and their links. */
export async function recover(
  { agoMs }: Loss,
  folder: CrawlFolder,
  { rules, held, ranks, earlier, settings, revisits }: RunConfig,
  { filterLink, clock }: { readonly filterLink?: FilterLink | undefined; readonly clock: Clock },
): Promise<void> {
  const { path: crawl, frontier, pages, shared } = folder
  const plan = revisits ? new RevisitPlan(settings, shared?.place.crawler) : undefined
  const agent = agentOf(settings.userAgent)
  const detectLanguage = await languageDetector(settings)
  const judges = { rules, held, ranks, earlier, filterLink }
  const former = { plan, crawl, frontier, pages, agent, detectLanguage, ...judges }
  await shared?.restoreBook()
  await offerSeeds(frontier, [...folder.seeds.all], ranks)
  const sinceMs = agoMs === undefined ? 0 : requestedSinceMs(clock() - agoMs, settings)
  await offerAnsweredSince(sinceMs, former, settings)
}

/** Offers again what this machine asked for since this time, in ms since 1970. */
export async function offerAnsweredSince(
  sinceMs: number,
  former: FormerDeps,
  { maxDepth }: Pick<CrawlSettings, 'maxDepth'>,
): Promise<void> {
  for (const answers of answersSince(former.crawl, sinceMs)) await offerAgain(answers, former, maxDepth)
}
