/** A number's place in a shuffled order of `size` numbers, computed and not stored: n → (a·n + b) mod size, a bijection. */
export class Shuffle {
  private readonly size: number
  private readonly factor: number
  private readonly start: number

  /** The two shares, from 0 to below 1, choose the order. `size` is at most 2⁴⁶, so that every product is exact. */
  constructor(size: number, factorShare: number, startShare: number) {
    this.size = size
    const largest = Math.min(size, Math.floor(2 ** 53 / size))
    let factor = Math.max(1, Math.floor(largest * (0.3 + 0.4 * factorShare)))
    while (divisor(factor, size) !== 1) factor++
    this.factor = factor
    this.start = Math.floor(size * startShare)
  }

  placeOf(n: number): number {
    return (((this.factor * n) % this.size) + this.start) % this.size
  }
}

/** The greatest common divisor. */
function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b)
}
