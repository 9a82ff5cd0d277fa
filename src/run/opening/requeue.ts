import { setImmediate as turn } from 'node:timers/promises'
import { EscalonaError } from '../../base/errors.ts'
import { closest } from '../../base/words/closest.ts'
import { catalogue } from '../../base/words/language.ts'
import { printable } from '../../base/words/printable.ts'
import { type FailuresFile, hasLine } from '../../folder/failures-file.ts'
import type { FrontierViews, Link, LinkControl, LinkView } from '../../frontier/frontier.ts'
import type { LinkRules } from '../../settings/link-rules.ts'
import { classOf, isReason, undoneBy } from '../../settings/reasons.ts'
import type { CrawlSettings } from '../../settings/settings.ts'

const AT_ONCE = 1000
/** Reasons given by the link rules, which can therefore be checked again. */
export const RULED: readonly string[] = ['scope', 'max-depth', 'include', 'exclude']
const CLASSES = ['failed', 'refused', 'held']

const words = catalogue({
  en: {
    badRetry: (text: string, hint: string) =>
      `--retry takes failed, refused, held or a reason such as timeout or status-404, not ${text}${hint}`,
    hint: (name: string) => `; did you mean ${name}?`,
  },
  pt: {
    badRetry: (text: string, hint: string) =>
      `--retry pede failed, refused, held ou um motivo como timeout ou status-404, não ${text}${hint}`,
    hint: (name: string) => `; você quis dizer ${name}?`,
  },
})

/** How many links were put back in the queue, by the reason they had been refused for. */
export type Requeued = Record<string, number>

/** Those of the reasons in `refusedFor` that `--retry` names, directly or by class. */
export function retried(retry: readonly string[], refusedFor: Readonly<Record<string, number>>): string[] {
  for (const text of retry)
    if (!CLASSES.includes(text) && !isReason(text) && !Object.hasOwn(refusedFor, text)) throw bad(text, refusedFor)
  return Object.keys(refusedFor).filter(reason => retry.includes(reason) || retry.includes(classOf(reason)))
}

/** The reasons that a change of these settings may undo. */
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
): Promise<Requeued> {
  const requeued: Requeued = {}
  if (reasons.length === 0) return requeued
  let after: string | undefined
  do {
    const page = await frontier.links(
      { state: 'refused', reasons },
      { ...(after !== undefined && { after }), limit: AT_ONCE },
    )
    const again = page.items.filter(link => rules === undefined || !isStillRuledOut(link, rules))
    takeBack(again)
    if (again.length > 0) await frontier.requeue(again)
    for (const { reason } of again) requeued[reason!] = (requeued[reason!] ?? 0) + 1
    after = page.next
    // A frontier on this machine has it all in memory, and would keep the event loop busy.
    await turn()
  } while (after !== undefined)
  return requeued
}

/** Puts seeds that were refused or failed back in the queue. */
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
  return RULED.includes(reason!) && rules.refusal({ href: url, host }, hops) === reason
}

function bad(text: string, refusedFor: Readonly<Record<string, number>>): EscalonaError {
  const near = closest(text, [...CLASSES, ...Object.keys(refusedFor)])
  const hint = near === undefined ? '' : words().hint(near)
  return new EscalonaError('CRAWL_BAD_RETRY', words().badRetry(printable(text), hint))
}
