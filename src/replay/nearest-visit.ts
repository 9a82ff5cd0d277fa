import { isBrokenOff, type Visit } from '../archive/visits-of.ts'

/** Answers that readers want to see, before any others. */
function isGood(visit: Visit): boolean {
  return visit.kind === 'revisit' || (visit.status >= 200 && visit.status < 400 && !isBrokenOff(visit))
}
const SECOND_MS = 1000

/** The visit of that second, or else the nearest one that got what it asked for, or else the nearest. */
export function nearestVisit(visits: readonly Visit[], dateMs: number): Visit | undefined {
  const distance = (visit: Visit): number => Math.abs(visit.dateMs - dateMs)
  const nearest = (some: readonly Visit[]): Visit | undefined => {
    let best: Visit | undefined
    for (const visit of some) if (best === undefined || distance(visit) < distance(best)) best = visit
    return best
  }
  const same = nearest(visits)
  if (same === undefined || Math.floor(same.dateMs / SECOND_MS) === Math.floor(dateMs / SECOND_MS)) return same
  return nearest(visits.filter(isGood)) ?? same
}
