/** −ln U of a 32-bit U is at most 22.2, so no value is further from its mean than this many spreads. */
const FURTHEST = 4.72
const BISECTIONS = 40
const SMALLEST_SPREAD = 1e-6

/**
 * Whole numbers from `least` up with a wanted mean and spread (standard deviation). A value is m ± s·√(−ln U) with a
 * random sign, rounded, and `least` where it would be smaller. Rounding adds to the spread and the lower bound to the
 * mean, so m and s are chosen such that what comes out has the mean and the spread that were asked for.
 *
 * Only additions, multiplications, divisions and comparisons are used, which every machine rounds alike; Math.log and
 * Math.exp are not. That is also why a value is found in a table of probabilities and not computed.
 */
export class SpreadLaw {
  /** What comes out; differs from what was asked for only where no whole numbers from `least` up have that spread. */
  readonly mean: number
  readonly spread: number
  private readonly first: number
  /** At i: how many of the 2³² random numbers give at most `first + i`. */
  private readonly thresholds: Float64Array

  constructor(mean: number, spread: number, least: number) {
    const shape = fittedShape(mean, spread, least)
    this.first = shape.first
    this.mean = shape.mean
    this.spread = Math.sqrt(shape.variance)
    this.thresholds = shape.cumulative.map(share => Math.floor(share * 2 ** 32))
    this.thresholds[this.thresholds.length - 1] = 2 ** 32
  }

  /** No value is larger. */
  get greatest(): number {
    return this.first + this.thresholds.length - 1
  }

  /** The value for a random number from 0 to 2³² − 1. */
  at(random: number): number {
    const { thresholds } = this
    let low = 0
    let high = thresholds.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (random < thresholds[middle]!) high = middle
      else low = middle + 1
    }
    return this.first + low
  }
}

interface Shape {
  /** The smallest value. */
  readonly first: number
  readonly mean: number
  readonly variance: number
  /** At i: the probability of at most `first + i`. */
  readonly cumulative: Float64Array
}

function shapeOf(m: number, s: number, least: number): Shape {
  const first = Math.max(least, Math.floor(m - s * FURTHEST))
  const last = Math.max(first, Math.ceil(m + s * FURTHEST))
  const cumulative = new Float64Array(last - first + 1)
  let mean = 0
  let square = 0
  let below = 0
  for (let i = 0; i < cumulative.length; i++) {
    const upTo = first + i === last ? 1 : lowerTail((first + i + 0.5 - m) / s)
    mean += i * (upTo - below)
    square += i * i * (upTo - below)
    cumulative[i] = below = upTo
  }
  return { first, mean: first + mean, variance: Math.max(square - mean * mean, 0), cumulative }
}

/** The shape with this mean whose variance is nearest: both grow with what is searched for. */
function fittedShape(mean: number, spread: number, least: number): Shape {
  if (Number.isInteger(mean) && spread === 0) return shapeOf(mean, SMALLEST_SPREAD, least)
  const s = bisected(SMALLEST_SPREAD, 20 * spread + 1, s => centredShape(mean, s, least).variance < spread * spread)
  return centredShape(mean, s, least)
}

function centredShape(mean: number, s: number, least: number): Shape {
  const m = bisected(least - FURTHEST * s - 1, mean + s + 1, m => shapeOf(m, s, least).mean < mean)
  return shapeOf(m, s, least)
}

function bisected(from: number, to: number, isTooSmall: (x: number) => boolean): number {
  let low = from
  let high = to
  for (let step = 0; step < BISECTIONS; step++) {
    const middle = (low + high) / 2
    if (isTooSmall(middle)) low = middle
    else high = middle
  }
  return high
}

/** e^−x for x ≥ 0, by plain arithmetic: the same bits on every machine. */
export function decay(x: number): number {
  if (x > 700) return 0
  let halvings = 0
  let small = x
  while (small > 0.125) {
    small /= 2
    halvings++
  }
  let term = 1
  let sum = 1
  for (let n = 1; n <= 10; n++) {
    term *= -small / n
    sum += term
  }
  for (; halvings > 0; halvings--) sum *= sum
  return sum
}

/** The probability that ±√(−ln U) with a random sign is at most x. */
export function lowerTail(x: number): number {
  const half = decay(x * x) / 2
  return x < 0 ? half : 1 - half
}
