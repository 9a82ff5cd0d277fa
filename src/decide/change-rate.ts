/** How often a page changes, as far as its visits show. */
export interface ChangeRate {
  /** The mean time between two changes. */
  readonly meanMs: number
  /**
   * What the mean rests on. A visit tells most when about one change was to be expected since the last one: with x of them it adds
   * x ÷ (1 + x). 0: there was no visit again; the mean is a guess.
   */
  readonly evidence: number
}

/** What a guess counts beside the visits of a page. */
const GUESS_EVIDENCE = 0.25
/** Older visits are forgotten: no more than this many count. */
const MOST_VISITS = 20
const LEAST_EVIDENCE = 1e-6
export const LEAST_MEAN_MS = 1
/** 10,000 years. */
export const MOST_MEAN_MS = 3e14

/**
 * The rate after one more visit, by the bias-reduced estimator of Cho and Garcia-Molina ("Estimating Frequency of Change", 2003): of
 * n visits at an interval I, X find a change; then the rate is -ln((n - X + ½) / (n + ½)) / I. It is made for equal intervals,
 * and the visits of a page come at different ones. So what is known is expressed as visits at the interval of the newest one: as
 * many as have the same evidence, of which as many found a change as give the same rate. For equal intervals that is their formula,
 * with the guess in the place of a page that never changes.
 * A time that is not positive (the clock went back) says nothing.
 */
export function afterVisit(rate: ChangeRate, sinceMs: number, isChanged: boolean, guessMs = rate.meanMs): ChangeRate {
  if (!(sinceMs > 0 && sinceMs < Infinity)) return rate
  const [meanMs, evidence] = rate.evidence > 0 ? [rate.meanMs, rate.evidence] : [guessMs, GUESS_EVIDENCE]
  const expected = sinceMs / bounded(meanMs)
  const visits = Math.min((evidence * (1 + expected)) / expected, MOST_VISITS)
  // Without subtracting from 1, and without an exponential that is 0: the expected changes may be 1e-12 or 1e12.
  const changes = isChanged
    ? expected + Math.log1p(1 / (visits + 0.5))
    : -Math.log1p((Math.expm1(-expected) * (visits + 0.5)) / (visits + 1.5))
  const newMeanMs = bounded(sinceMs / changes)
  const share = sinceMs / newMeanMs
  return { meanMs: newMeanMs, evidence: Math.max(((visits + 1) * share) / (1 + share), LEAST_EVIDENCE) }
}

function bounded(meanMs: number): number {
  return Math.min(Math.max(meanMs, LEAST_MEAN_MS), MOST_MEAN_MS)
}
