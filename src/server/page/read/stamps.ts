import type { VisitLine } from '../../../replay/reading-room.ts'
// Times in addresses of the reading room, as web archives write them.
import { dateOfStamp, stampOf } from '../../../replay/rewrite/at-path.ts'

export { dateOfStamp, stampOf }

/** The index of the visit that a stamp means: of that second, or the nearest; -1 when there are no visits. */
export function indexOfVisit(visits: readonly VisitLine[], stamp: string): number {
  const wantedMs = dateOfStamp(stamp)
  // Without a time, the newest that got what it asked for.
  if (Number.isNaN(wantedMs)) {
    const good = visits.findLastIndex(isGood)
    return good === -1 ? visits.length - 1 : good
  }
  const distance = (visit: VisitLine): number => Math.abs(Math.floor(visit.dateMs / 1000) * 1000 - wantedMs)
  let best = visits.length === 0 ? -1 : 0
  visits.forEach((visit, at) => {
    if (distance(visit) < distance(visits[best]!)) best = at
  })
  return best
}

export function isGood({ status, isSame, isBrokenOff }: VisitLine): boolean {
  return isSame || (status >= 200 && status < 400 && !isBrokenOff)
}

/** What a visit found, in a word. */
export function kindOf(visit: VisitLine): 'full' | 'same' | 'bad' {
  return visit.isSame ? 'same' : isGood(visit) ? 'full' : 'bad'
}
