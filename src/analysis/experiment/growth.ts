/** seconds ≈ factor · n^exponent. */
export interface Growth {
  readonly exponent: number
  readonly factor: number
  /** The share of the variation that the line explains, from 0 to 1; 1 when there is no variation. */
  readonly r2: number
}

/** The straight line through the logarithms of these points, by least squares; undefined with fewer than two. */
export function growthOf(points: readonly (readonly [n: number, seconds: number])[]): Growth | undefined {
  const logs = points
    .filter(([n, seconds]) => n > 0 && seconds > 0)
    .map(([n, s]) => [Math.log(n), Math.log(s)] as const)
  if (new Set(logs.map(([x]) => x)).size < 2) return undefined
  const meanX = mean(logs.map(([x]) => x))
  const meanY = mean(logs.map(([, y]) => y))
  const sxx = sum(logs.map(([x]) => (x - meanX) ** 2))
  const sxy = sum(logs.map(([x, y]) => (x - meanX) * (y - meanY)))
  const syy = sum(logs.map(([, y]) => (y - meanY) ** 2))
  const exponent = sxy / sxx
  const r2 = syy < 1e-12 ? 1 : sxy ** 2 / (sxx * syy)
  return { exponent, factor: Math.exp(meanY - exponent * meanX), r2 }
}

function mean(numbers: readonly number[]): number {
  return sum(numbers) / numbers.length
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0)
}
