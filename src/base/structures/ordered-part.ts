/** What things, numbered from 0, are ordered by: digits of 16 bits, the most significant first. */
export interface OrderKeys {
  /** How many digits there can be. */
  readonly levels: number
  /** Writes the digit of each of these things, which are at least one, to `digits`; true when all are the same. */
  read(level: number, things: Uint32Array, digits: Uint16Array): boolean
  /** Below 0: `a` comes first. 0: they are equal, and stay as they are. */
  compare(a: number, b: number): number
}

const DIGITS = 1 << 16
/** So few are sorted at once. */
const FEW = 4096

/**
 * Part of a sorted list, without sorting all of it: `limit` things from the `offset`-th on. Digit by digit, the things are counted by
 * their value, and only those whose values reach into the part are looked at further: some milliseconds for a million. Equal
 * things stay in their order.
 */
export function orderedPart(things: Uint32Array, keys: OrderKeys, offset: number, limit: number): number[] {
  const part: number[] = []
  takePart(things, keys, 0, offset, offset + limit, part)
  return part
}

/** Appends the things from `start` to below `end` in the order of the list. */
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

/** The first and the last digit of things from `start` to below `end`, and how many things come before the first. */
function reached(counts: Uint32Array, start: number, end: number): [first: number, last: number, before: number] {
  let first = 0
  let before = 0
  while (before + counts[first]! <= start) before += counts[first++]!
  let last = first
  let sum = before + counts[first]!
  while (sum < end && last < DIGITS - 1) sum += counts[++last]!
  return [first, last, before]
}
