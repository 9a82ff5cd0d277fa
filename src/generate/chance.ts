/** Random numbers that can begin anywhere: the same seed and place give the same sequence on every machine. */
export class Chance {
  private readonly seed: number
  private state = 0

  /** A whole number of up to 53 bits. */
  constructor(seed: number) {
    this.seed = mixed(mixed(seed | 0) ^ Math.floor(seed / 2 ** 32))
  }

  /** Goes to the beginning of the sequence that belongs to these two numbers. */
  goTo(a: number, b: number): void {
    this.state = mixed(mixed(this.seed ^ Math.imul(a, 0x9e3779b1)) ^ Math.imul(b, 0x85ebca6b))
  }

  /** From 0 to 2³² − 1. The steps are those of mulberry32. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return (t ^ (t >>> 14)) >>> 0
  }

  /** From 0 to below 1. */
  share(): number {
    return this.next() / 2 ** 32
  }
}

function mixed(n: number): number {
  let m = n | 0
  m = Math.imul(m ^ (m >>> 16), 0x85ebca6b)
  m = Math.imul(m ^ (m >>> 13), 0xc2b2ae35)
  return m ^ (m >>> 16)
}
