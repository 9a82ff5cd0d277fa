import { setImmediate as turn } from 'node:timers/promises'
import type { PageLine } from '../../archive/pages-file.ts'
import { EscalonaError } from '../../base/errors.ts'
import { message } from '../../base/messages/message.ts'
import { closest } from '../../base/words/closest.ts'
import { type LinkRanks, rankOfUrl } from '../../decide/link-rank.ts'
import type { RevisitPlan } from '../../decide/revisit-plan.ts'
import { originOf, robotsLink } from '../../decide/robots-gate.ts'
import { sitemapLink } from '../../decide/sitemap-policy.ts'
import { type FailuresFile, hasLine } from '../../folder/failures-file.ts'
import { pageLines } from '../../folder/lines-of.ts'
import type {
  Frontier,
  FrontierViews,
  Link,
  LinkControl,
  LinkView,
  PlannedVisit,
  VisitPlans,
} from '../../frontier/frontier.ts'
import { sitemapIn } from '../../settings/check-options.ts'
import { type LinkChoice, linkTest, oneHost } from '../../settings/link-choice.ts'
import type { LinkRules } from '../../settings/link-rules.ts'
import { classOf, isReason, isRuled, undoneBy } from '../../settings/reasons.ts'
import type { CrawlSettings } from '../../settings/settings.ts'
import { hostOf } from '../../url/host-of.ts'
import { webUrl } from '../../url/web.ts'

const AT_ONCE = 1000
const CLASSES = ['failed', 'refused', 'held']

/** How many links were put back in the queue, by the reason they had been refused for. */
export type Requeued = Record<string, number>

/** Those of the reasons in `refusedFor` that `--retry` names, directly or by class. */
export function retried(retry: readonly string[], refusedFor: Readonly<Record<string, number>>): string[] {
  for (const text of retry)
    if (!CLASSES.includes(text) && !isReason(text) && !Object.hasOwn(refusedFor, text)) throw bad(text, refusedFor)
  return Object.keys(refusedFor).filter(reason => retry.includes(reason) || retry.includes(classOf(reason)))
}

export function undone(
  changed: ReadonlySet<keyof CrawlSettings>,
  refusedFor: Readonly<Record<string, number>>,
): string[] {
  return Object.keys(refusedFor).filter(reason => undoneBy(reason).some(setting => changed.has(setting)))
}

/** Called with links that are about to be put back in the queue. */
export type TakeBack = (refused: readonly { readonly url: string; readonly reason?: string }[]) => void

/** Takes back the lines of links in `failures.jsonl`. */
export function linesTakenBack(failures: Pick<FailuresFile, 'append'>, atMs: number): TakeBack {
  return refused => {
    const ended = refused.filter(({ reason }) => reason !== undefined && hasLine(reason))
    failures.append(ended.map(({ url }) => ({ url, requeued: true, atMs })))
  }
}

/** Puts links refused for these reasons back in the queue; with rules, except those that the same rule would refuse again. */
export async function requeueRefused(
  frontier: FrontierViews & LinkControl,
  reasons: readonly string[],
  rules?: LinkRules,
  takeBack: TakeBack = () => {},
  choice: LinkChoice = {},
): Promise<Requeued> {
  const requeued: Requeued = {}
  for await (const links of refusedLinks(frontier, reasons, choice)) {
    const again = links.filter(link => rules === undefined || !isStillRuledOut(link, rules))
    takeBack(again)
    if (again.length > 0) await frontier.requeue(again)
    for (const { reason } of again) requeued[reason!] = (requeued[reason!] ?? 0) + 1
  }
  return requeued
}

/** Links refused for these reasons, some at a time; of those, the chosen ones. */
export async function* refusedLinks(
  frontier: FrontierViews,
  reasons: readonly string[],
  choice: LinkChoice,
): AsyncGenerator<readonly LinkView[]> {
  if (reasons.length === 0) return
  const isChosen = linkTest(choice)
  const host = oneHost(choice)
  const which = { state: 'refused', reasons, ...(host !== undefined && { host }) } as const
  let after: string | undefined
  do {
    const page = await frontier.links(which, { ...(after !== undefined && { after }), limit: AT_ONCE })
    yield page.items.filter(isChosen)
    after = page.next
    // A frontier on this machine has it all in memory, and would keep the event loop busy.
    await turn()
  } while (after !== undefined)
}

export async function requeueSeeds(
  frontier: FrontierViews & LinkControl,
  seeds: readonly Link[],
  takeBack: TakeBack,
): Promise<number> {
  let requeued = 0
  for (let at = 0; at < seeds.length; at += AT_ONCE) {
    const some = seeds.slice(at, at + AT_ONCE)
    const explained = await frontier.explain(some.map(({ url }) => url))
    takeBack(explained.flatMap((one, i) => (one.state === 'refused' ? { url: some[i]!.url, reason: one.reason } : [])))
    requeued += await frontier.requeue(some)
  }
  return requeued
}

function isStillRuledOut({ url, host, hops, reason }: LinkView, rules: LinkRules): boolean {
  return isRuled(reason!) && rules.refusal({ href: url, host }, hops) === reason
}

function bad(text: string, refusedFor: Readonly<Record<string, number>>): EscalonaError {
  const near = closest(text, [...CLASSES, ...Object.keys(refusedFor)])
  const hint = near === undefined ? '' : message('run/hint', { name: near })
  return new EscalonaError('CRAWL_BAD_RETRY', { text, hint })
}

const MOST_ORIGINS = 10_000

/** Offers seeds, and what they redirected to. `urls`: canonical. Returns the pages among them as links. */
export async function offerSeeds(
  frontier: Frontier,
  urls: readonly string[],
  ranks: Pick<LinkRanks, 'ofUrl'>,
): Promise<Link[]> {
  const links = urls.map(url => seedLink(url, ranks))
  await offerAll(frontier, links)
  return links.filter(({ kind }) => kind !== 'sitemap')
}

/** So that sitemaps of the seeds' hosts are read though no page there is due. `isRead`: whether those of an origin were, lately. */
export async function offerRobots(
  frontier: Frontier,
  seeds: Iterable<string>,
  isRead: (origin: string) => boolean,
): Promise<void> {
  const origins = new Set<string>()
  for (const seed of seeds) {
    const origin = originOf(sitemapIn(seed) ?? seed)
    if (origins.size < MOST_ORIGINS && !isRead(origin)) origins.add(origin)
  }
  await offerAll(frontier, [...origins].map(robotsLink))
}

/** Offers links, a few at a time. */
export async function offerAll(frontier: Frontier, links: readonly Link[]): Promise<void> {
  for (let at = 0; at < links.length; at += AT_ONCE) await frontier.offer(links.slice(at, at + AT_ONCE))
}

function seedLink(url: string, ranks: Pick<LinkRanks, 'ofUrl'>): Link {
  const sitemap = sitemapIn(url)
  if (sitemap !== undefined) return sitemapLink(sitemap, { of: hostOf(sitemap), level: 0, isSeed: true })
  return { url, rank: ranks.ofUrl(url, 0), hops: 0 }
}

/** For pages of runs that did not revisit. May be repeated after a kill: what is planned already stays as it is. */
export async function planFormerPages(folder: string, plans: VisitPlans, plan: RevisitPlan): Promise<void> {
  let some: PlannedVisit[] = []
  for (const line of pageLines(folder)) {
    const visit = plannedVisit(line, plan)
    if (visit !== undefined) some.push(visit)
    if (some.length < AT_ONCE) continue
    await plans.plan(some)
    some = []
    await turn()
  }
  if (some.length > 0) await plans.plan(some)
}

/** Undefined for a page that is gone. Everything else about its last answer is read from its record when it is visited. */
function plannedVisit(line: PageLine, plan: RevisitPlan): PlannedVisit | undefined {
  const { url, hops, from, label, data, change, dateMs } = line
  if (change === 'gone' || typeof webUrl(url) === 'string') return undefined
  // Not its original: with --dedup that is another page, which has another version.
  const { file, offset, length } = line
  const { title, bytes, tokens, linksOut, language } = line
  const facts = { title, bytes, tokens, linksOut, language }
  const page = plan.first({ place: { file, offset, length }, known: undefined, facts }, dateMs)
  const { afterMs, gain, note } = plan.again({ url, hops, ...(from !== undefined && { from }), label, data }, page)
  return { url, rank: rankOfUrl(url), hops, visitedAtMs: dateMs, dueAtMs: dateMs + afterMs, gain, note: note! }
}
