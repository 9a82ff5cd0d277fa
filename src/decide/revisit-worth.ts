/** What visits again are for: `freshness`, that the archive equals the web; or `changes`, that it has as many versions as possible. */
export type RevisitGoal = 'freshness' | 'changes'

/**
 * Of a page that changes by a Poisson law, x times between two visits on average, it is fresh for (1 - e^-x) ÷ x of the time, and
 * 1 - e^-x of the visits find a change. One more visit per time makes it fresh for (1 - (1 + x) e^-x) × its mean time between changes longer, and
 * finds 1 - (1 + x) e^-x more versions (Cho and Garcia-Molina 2000). That is what a visit is worth, in milliseconds or in versions. As
 * many visits do most where one more is worth the same at every page.
 */
export function worthOf(goal: RevisitGoal, meanMs: number, everyMs: number): number {
  return (goal === 'freshness' ? meanMs : 1) * gainAt(everyMs / meanMs)
}

/** The interval at which one more visit is worth this. Infinity: it never is. */
export function intervalFor(goal: RevisitGoal, meanMs: number, worth: number): number {
  return meanMs * changesAt(goal === 'freshness' ? worth / meanMs : worth)
}

/** 1 - (1 + x) e^-x, from 0 to 1. */
export function gainAt(changes: number): number {
  // Of a small number, the difference would have no digits left.
  if (changes < 1e-3) return changes * changes * (0.5 - changes / 3)
  return changes > MOST_CHANGES ? 1 : 1 - (1 + changes) * Math.exp(-changes)
}

const MOST_CHANGES = 40
const MOST_STEPS = 50

/** The number of changes at which the gain is this; Infinity when it is never that much. By Newton's method. */
export function changesAt(gain: number): number {
  if (!(gain > 0)) return 0
  if (gain >= 1) return Infinity
  let changes = Math.sqrt(2 * gain)
  for (let step = 0; step < MOST_STEPS; step++) {
    const move = (gain - gainAt(changes)) / (changes * Math.exp(-changes))
    changes = Math.min(changes + move, MOST_CHANGES)
    if (Math.abs(move) < 1e-9 * changes) break
  }
  return changes
}
