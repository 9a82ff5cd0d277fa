/**
 * Kendall's τ-b of two rankings of the same things: 1 when they agree in every pair, -1 when in none; ties count for
 * neither. Knight's algorithm, O(n log n). 0 when one of them has no order at all.
 */
export function kendallTau(a: Float64Array, b: Float64Array): number {
  const { length } = a
  if (length < 2) return 1
  const order = Uint32Array.from({ length }, (_, n) => n).sort((x, y) => a[x]! - a[y]! || b[x]! - b[y]!)
  const pairs = (length * (length - 1)) / 2
  const tiedA = tiedPairs(order, (x, y) => a[x] === a[y])
  const tiedBoth = tiedPairs(order, (x, y) => a[x] === a[y] && b[x] === b[y])
  // Pairs that are in order by `a` and out of order by `b` are the exchanges that a merge sort makes.
  const swaps = sortCounting(order, b)
  const tiedB = tiedPairs(order, (x, y) => b[x] === b[y])
  const both = Math.sqrt((pairs - tiedA) * (pairs - tiedB))
  return both === 0 ? 0 : (pairs - tiedA - tiedB + tiedBoth - 2 * swaps) / both
}

/** How many pairs are in runs of equal things. */
function tiedPairs(order: Uint32Array, isEqual: (x: number, y: number) => boolean): number {
  let pairs = 0
  let run = 1
  for (let n = 1; n <= order.length; n++) {
    if (n < order.length && isEqual(order[n - 1]!, order[n]!)) run++
    else {
      pairs += (run * (run - 1)) / 2
      run = 1
    }
  }
  return pairs
}

/** Sorts by `keys`, from small to large, and returns how many pairs were out of order. */
function sortCounting(order: Uint32Array, keys: Float64Array): number {
  const { length } = order
  let from = order
  let into: Uint32Array = new Uint32Array(length)
  let swaps = 0
  for (let width = 1; width < length; width *= 2) {
    for (let start = 0; start < length; start += 2 * width) {
      const middle = Math.min(start + width, length)
      const end = Math.min(start + 2 * width, length)
      let left = start
      let right = middle
      for (let at = start; at < end; at++) {
        if (left < middle && (right >= end || keys[from[left]!]! <= keys[from[right]!]!)) into[at] = from[left++]!
        else {
          into[at] = from[right++]!
          swaps += middle - left
        }
      }
    }
    ;[from, into] = [into, from]
  }
  if (from !== order) order.set(from)
  return swaps
}
