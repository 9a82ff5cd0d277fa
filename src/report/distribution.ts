import { LogHistogram } from '../base/structures/log-histogram.ts'

/** The distribution of values, in buckets that span 19 % of their size. */
export interface Distribution {
  readonly count: number
  /** At least half of the values, 90 % and 99 % of them are below these whole numbers; 0 when there are none. */
  readonly p50: number
  readonly p90: number
  readonly p99: number
  /** The buckets that are not empty, from the smallest values to the largest. */
  readonly buckets: readonly Bucket[]
}

export interface Bucket {
  /** Values from here to below `to`; those under 1 count as 1. */
  readonly from: number
  readonly to: number
  readonly count: number
}

/** The distribution in the counts of a `LogHistogram`. */
export function distribution(counts: readonly number[]): Distribution {
  const histogram = new LogHistogram(counts)
  return {
    count: histogram.total,
    p50: Math.ceil(histogram.quantile(0.5)),
    p90: Math.ceil(histogram.quantile(0.9)),
    p99: Math.ceil(histogram.quantile(0.99)),
    buckets: counts.flatMap((count, place) => (count === 0 ? [] : [{ ...emptyBucket(place), count }])),
  }
}

export function emptyBucket(place: number): Bucket {
  return { from: rounded(2 ** (place / 4)), to: rounded(2 ** ((place + 1) / 4)), count: 0 }
}

/** Which bucket of the histogram begins here. */
export function placeOf(from: number): number {
  return Math.round(Math.log2(from) * 4)
}

/** Rounds to four digits, enough for 1,024. */
function rounded(value: number): number {
  return Number(value.toPrecision(4))
}
