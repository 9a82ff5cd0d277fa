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
