/** Digits of 16 bits, the most significant first. */
export interface OrderKeys {
  readonly levels: number
  /** True when the digits of all these things, at least one, are the same. */
  read(level: number, things: Uint32Array, digits: Uint16Array): boolean
  compare(a: number, b: number): number
}

const DIGITS = 1 << 16
/** Sorted at once. */
const FEW = 4096

/**
 * Part of a sorted list, without sorting all of it: digit by digit, things are counted by their value, and only those that reach into the part are
 * looked at further: some milliseconds for a million. Equal things keep their order.
 */
export function orderedPart(things: Uint32Array, keys: OrderKeys, offset: number, limit: number): number[] {
  const part: number[] = []
  takePart(things, keys, 0, offset, offset + limit, part)
  return part
}

function takePart(
  things: Uint32Array,
  keys: OrderKeys,
  level: number,
  start: number,
  end: number,
  part: number[],
): void {
  if (start >= things.length || start >= end) return
  if (level === keys.levels || things.length <= FEW) {
    const sorted = level === keys.levels ? things : things.slice().sort((a, b) => keys.compare(a, b))
    for (let i = start; i < Math.min(end, sorted.length); i++) part.push(sorted[i]!)
    return
  }
  const digits = new Uint16Array(things.length)
  if (keys.read(level, things, digits)) {
    takePart(things, keys, level + 1, start, end, part)
    return
  }
  const counts = new Uint32Array(DIGITS)
  for (let i = 0; i < digits.length; i++) counts[digits[i]!]!++
  const [first, last, before] = reached(counts, start, end)
  const places = new Uint32Array(last - first + 2)
  for (let digit = first; digit <= last; digit++) places[digit - first + 1] = places[digit - first]! + counts[digit]!
  const some = new Uint32Array(places[last - first + 1]!)
  const next = places.slice()
  for (let i = 0; i < digits.length; i++) {
    const digit = digits[i]!
    if (digit >= first && digit <= last) some[next[digit - first]!++] = things[i]!
  }
  for (let digit = first; digit <= last; digit++) {
    const from = places[digit - first]!
    const equals = some.subarray(from, places[digit - first + 1])
    const begin = before + from
    takePart(equals, keys, level + 1, Math.max(0, start - begin), end - begin, part)
  }
}

/** `before`: how many things come before the first. */
function reached(counts: Uint32Array, start: number, end: number): [first: number, last: number, before: number] {
  let first = 0
  let before = 0
  while (before + counts[first]! <= start) before += counts[first++]!
  let last = first
  let sum = before + counts[first]!
  while (sum < end && last < DIGITS - 1) sum += counts[++last]!
  return [first, last, before]
}
