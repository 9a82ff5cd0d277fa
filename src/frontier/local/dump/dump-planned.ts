import type { DumpPlanned } from '../../dump.ts'
import type { LinkTexts } from '../journal/link-texts.ts'
import { type LinkId, PLANNED } from '../memory/links.ts'
import type { FrontierState } from '../state/state.ts'
import { GroupedLinks } from './grouped-links.ts'
import type { LinkHomes } from './link-homes.ts'

/** The done links that are planned, by host, then in the order in which they became known: it decides between equal gains. */
export function* dumpPlanned(
  state: FrontierState,
  texts: LinkTexts,
  homes: LinkHomes,
  nowMs: number,
): Generator<DumpPlanned> {
  const { links, hosts, plans } = state
  if (plans.count === 0) return
  const planned = new GroupedLinks(state, homes, link => links.state(link) === PLANNED)
  for (let host = 1; host <= hosts.known; host++) {
    for (const link of planned.of(host).sort()) yield plannedOf(state, texts, link, nowMs)
  }
}

function plannedOf({ links, plans }: FrontierState, texts: LinkTexts, link: LinkId, nowMs: number): DumpPlanned {
  const plan = plans.of(link)
  const { url, pathDepth, hops, note } = texts.readAt(link, plans.segment(plan), plans.textAt(plan))
  const attempts = links.attempts(link)
  return {
    ...{ kind: 'planned', url, done: plans.isPage(plan) ? 'page' : 'other', pathDepth, hops },
    ...(note !== undefined && { note }),
    ...(attempts > 0 && { attempts }),
    ...{ againInMs: plans.dueAtMs(plan) - nowMs, visitedAtMs: plans.visitedAtMs(plan), gain: plans.gain(plan) },
    ...(plans.isHinted(plan) && { isHinted: true as const }),
  }
}
