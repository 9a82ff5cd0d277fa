import { answersSince } from '../../archive/scan.ts'
import type { Clock } from '../../base/clock.ts'
import { catalogue } from '../../base/words/language.ts'
import { shownDuration } from '../../base/words/quantity.ts'
import type { FilterLink } from '../../decide/filtered-links.ts'
import type { Loss } from '../../frontier/redis/recovering.ts'
import { agentOf, type CrawlSettings } from '../../settings/settings.ts'
import type { CrawlFolder } from './crawl-folder.ts'
import type { RunConfig } from './current-run.ts'
import { offerSeeds } from './enqueue.ts'
import { type FormerDeps, offerAgain } from './former-visits.ts'

const words = catalogue({
  en: {
    lost: (ago: string) =>
      `LOST: the frontier's engine has forgotten what it had acknowledged in the last ${ago}; the seeds, and what this machine archived since, are offered again`,
    lostAll:
      "LOST: the frontier's engine has forgotten this crawl, or all of a part of it; the seeds, and everything that this machine archived, are offered again",
    recovered: 'what was lost is offered again, and the crawl goes on; some pages of that time may be collected twice',
    damaged: (hosts: number) =>
      `what the frontier's engine has of ${hosts === 1 ? 'a host' : `${hosts} hosts`} is damaged; ${hosts === 1 ? 'it is' : 'they are'} set aside, with what waits there`,
  },
  pt: {
    lost: (ago: string) =>
      `PERDA: o servidor da fronteira esqueceu o que tinha confirmado nos últimos ${ago}; as sementes, e o que esta máquina arquivou desde então, são oferecidas de novo`,
    lostAll:
      'PERDA: o servidor da fronteira esqueceu esta coleta, ou toda uma parte dela; as sementes, e tudo o que esta máquina arquivou, são oferecidas de novo',
    recovered:
      'o que se perdeu foi oferecido de novo, e a coleta continua; algumas páginas desse tempo podem ser coletadas duas vezes',
    damaged: hosts =>
      `o que o servidor da fronteira tem de ${hosts === 1 ? 'um host' : `${hosts} hosts`} está danificado; ${hosts === 1 ? 'ele fica' : 'eles ficam'} de lado, com o que espera ali`,
  },
})

/** Besides the longest time that a request takes: an answer waits for the disk before its links are offered. */
const COMMIT_MS = 15_000

export function lossMessage({ agoMs }: Loss): string {
  return agoMs === undefined ? words().lostAll : words().lost(shownDuration(agoMs))
}

export function recoveredMessage(): string {
  return words().recovered
}

export function damagedMessage(hosts: number): string {
  return words().damaged(hosts)
}

/** Since when answers may have been requested whose links were offered since `lostMs`. */
export function requestedSinceMs(lostMs: number, { timeoutMs }: Pick<CrawlSettings, 'timeoutMs'>): number {
  return lostMs - timeoutMs - COMMIT_MS
}

/**
 * Offers a frontier again what it has forgotten, and this machine knows: what concerns the whole crawl, its seeds, the pages that this
 * machine archived, as done, and their links. Pages of other machines are theirs to offer.
 */
export async function recover(
  { agoMs }: Loss,
  folder: CrawlFolder,
  { rules, held, settings }: RunConfig,
  { filterLink, clock }: { readonly filterLink?: FilterLink | undefined; readonly clock: Clock },
): Promise<void> {
  const { path: crawl, frontier, pages } = folder
  const former = { crawl, frontier, pages, agent: agentOf(settings.userAgent), rules, held, filterLink }
  await folder.shared?.restoreBook()
  await offerSeeds(frontier, [...folder.seeds.all])
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
