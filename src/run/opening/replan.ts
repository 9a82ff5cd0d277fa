import { setImmediate as turn } from 'node:timers/promises'
import type { PageLine } from '../../archive/pages-file.ts'
import { carriedBy } from '../../decide/link-note.ts'
import type { RevisitPlan } from '../../decide/revisit-plan.ts'
import type { FrontierViews, LinkView, PlannedVisit, VisitPlans } from '../../frontier/frontier.ts'
import type { CrawlSettings } from '../../settings/settings.ts'

const AT_ONCE = 1000

/** The settings that intervals follow from. */
export const BOUNDS = ['recrawlFirstMs', 'recrawlMinMs', 'recrawlMaxMs'] as const satisfies (keyof CrawlSettings)[]

interface Deps {
  /** The lines of all visits so far. */
  readonly pages: Iterable<Pick<PageLine, 'url' | 'change'>>
  readonly frontier: Pick<FrontierViews, 'link'> & VisitPlans
  readonly plan: RevisitPlan
}

type PlannedView = LinkView & Required<Pick<LinkView, 'again'>>

/** Plans visits by other bounds than before. May be repeated after a kill: a visit that is planned by them stays as it is. */
export function planByBounds(deps: Deps): Promise<number> {
  return replan(deps, view => {
    const { url, hops, rank, note } = view
    const { visitedAtMs } = view.again
    const known = deps.plan.stateIn(url, note)
    const page = known && deps.plan.anew(known)
    if (page === undefined) return undefined
    const again = deps.plan.again({ url, hops, ...carriedBy(note) }, page)
    return {
      url,
      hops,
      rank,
      visitedAtMs,
      dueAtMs: visitedAtMs + again.afterMs,
      gain: again.gain,
      note: again.note!,
    }
  })
}

/** Makes all planned pages due that are wanted. Returns how many. */
export function planNow(deps: Deps, isWanted: (url: string) => boolean, nowMs: number): Promise<number> {
  return replan(deps, view => {
    const { url, hops, rank, note } = view
    if (!isWanted(url)) return undefined
    const { visitedAtMs } = view.again
    const { gain } = deps.plan.again({ url, hops }, deps.plan.stateIn(url, note) ?? deps.plan.unknown(visitedAtMs))
    return { url, hops, rank, visitedAtMs, dueAtMs: nowMs, gain, ...(note !== undefined && { note }) }
  })
}

/** A page that is visited meanwhile keeps the plan that its visit made. */
async function replan(
  { pages, frontier }: Deps,
  visitOf: (view: PlannedView) => PlannedVisit | undefined,
): Promise<number> {
  let planned = 0
  let some: PlannedVisit[] = []
  const flush = async () => {
    planned += await frontier.replan(some)
    some = []
    await turn()
  }
  for (const { url, change } of pages) {
    // Each page has one such line.
    if (change !== 'new') continue
    const view = await frontier.link(url)
    const visit = view?.again === undefined ? undefined : visitOf({ ...view, again: view.again })
    if (visit !== undefined && some.push(visit) >= AT_ONCE) await flush()
  }
  if (some.length > 0) await flush()
  return planned
}
