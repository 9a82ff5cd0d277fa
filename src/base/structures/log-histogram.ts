const BUCKETS_PER_OCTAVE = 4

/**
 * Bucket i counts values from 2^(i/4) to below 2^((i+1)/4), so a bucket is 19 % wide. What is below 1, or not a number, counts as 1; what is beyond
 * 2^53 as 2^53.
 */
export class LogHistogram {
  readonly counts: number[]

  constructor(counts: readonly number[] = []) {
    this.counts = [...counts]
  }

  add(value: number): void {
    const bucket = value > 1 ? Math.floor(Math.log2(Math.min(value, 2 ** 53)) * BUCKETS_PER_OCTAVE) : 0
    while (this.counts.length <= bucket) this.counts.push(0)
    this.counts[bucket]!++
  }

  get total(): number {
    return this.counts.reduce((sum, count) => sum + count, 0)
  }

  /** The buckets that count something, with their ends. */
  *buckets(): Generator<{ readonly from: number; readonly to: number; readonly count: number }> {
    for (const [bucket, count] of this.counts.entries()) {
      if (count > 0) yield { from: startOf(bucket), to: startOf(bucket + 1), count }
    }
  }

  /** The end of a bucket, so up to 19 % too high. 0 when there is none. */
  quantile(share: number): number {
    let rest = share * this.total
    for (const [bucket, count] of this.counts.entries()) {
      rest -= count
      if (count > 0 && rest <= 0) return startOf(bucket + 1)
    }
    return 0
  }
}

function startOf(bucket: number): number {
  return 2 ** (bucket / BUCKETS_PER_OCTAVE)
}
