import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { PAGES_FILE } from '../../archive/names.ts'
import { type PageLine, parsePageLine } from '../../archive/pages-file.ts'
import { EscalonaError } from '../../base/errors.ts'
import { linesFrom } from '../../base/files/line-file.ts'
import { catalogue } from '../../base/words/language.ts'
import type { RevisitPlan } from '../../decide/revisit-plan.ts'
import type { CrawlFrontier, PlannedVisit, VisitPlans } from '../../frontier/frontier.ts'
import { webUrl } from '../../url/web.ts'

const words = catalogue({
  en: {
    shared:
      'pages can be visited again only when the frontier is in the folder, and machines share this one; run this crawl without --recrawl',
  },
  pt: {
    shared:
      'as páginas só podem ser visitadas de novo quando a fronteira está na pasta, e esta é dividida entre máquinas; execute esta coleta sem --recrawl',
  },
})

const AT_ONCE = 1000

/** The plans of a frontier; throws `CRAWL_NO_RECRAWL` when it has none. */
export function plansOf({ plans }: CrawlFrontier): VisitPlans {
  if (plans === undefined) throw new EscalonaError('CRAWL_NO_RECRAWL', words().shared)
  return plans
}

/**
 * Plans the next visit of all pages that earlier runs archived without planning any. May be repeated after a kill: what is
 * planned already stays as it is.
 */
export async function planFormerPages(folder: string, plans: VisitPlans, plan: RevisitPlan): Promise<void> {
  let some: PlannedVisit[] = []
  for (const { text } of linesFrom(join(folder, PAGES_FILE))) {
    const line = parsePageLine(text)
    const visit = line && plannedVisit(line, plan)
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
  const { url, hops, from, change, dateMs } = line
  const parsed = webUrl(url)
  if (change === 'gone' || typeof parsed === 'string') return undefined
  // Not its original: with --dedup that is another page, which has another version.
  const { file, offset, length } = line
  const { title, bytes, tokens, linksOut, language } = line
  const facts = { title, bytes, tokens, linksOut, language }
  const page = plan.first({ place: { file, offset, length }, known: undefined, facts }, dateMs)
  const { afterMs, gain, note } = plan.again({ url, hops, from }, page)
  return { url, pathDepth: parsed.depth, hops, visitedAtMs: dateMs, dueAtMs: dateMs + afterMs, gain, note: note! }
}
