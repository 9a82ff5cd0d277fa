/** In the order of both lists. */
export interface Run {
  readonly before: number
  readonly after: number
  readonly length: number
}

interface Gap {
  readonly beforeStart: number
  readonly beforeEnd: number
  readonly afterStart: number
  readonly afterEnd: number
}

/** Up to this many removals and additions, the shortest way is searched for. */
const MOST_EDITS = 200

/**
 * What is between the runs was removed or added. Equal items are equal numbers. Myers' greedy search finds the least change where there is little;
 * where there is more, items that occur once in both lists are fixed points, and the search continues between them. Nearly linear.
 */
export function commonRuns(before: readonly number[], after: readonly number[]): Run[] {
  const runs: Run[] = []
  const open: Gap[] = [{ beforeStart: 0, beforeEnd: before.length, afterStart: 0, afterEnd: after.length }]
  for (let gap = open.pop(); gap !== undefined; gap = open.pop()) {
    const inner = trimmed(gap, before, after, runs)
    if (inner.beforeStart === inner.beforeEnd || inner.afterStart === inner.afterEnd) continue
    const found = shortestWay(inner, before, after)
    if (found !== undefined) runs.push(...found)
    else open.push(...betweenFixedPoints(inner, before, after, runs))
  }
  return joined(runs.sort((a, b) => a.before - b.before))
}

function trimmed(gap: Gap, before: readonly number[], after: readonly number[], runs: Run[]): Gap {
  let { beforeStart, beforeEnd, afterStart, afterEnd } = gap
  while (beforeStart < beforeEnd && afterStart < afterEnd && before[beforeStart] === after[afterStart]) {
    beforeStart++
    afterStart++
  }
  if (beforeStart > gap.beforeStart)
    runs.push({ before: gap.beforeStart, after: gap.afterStart, length: beforeStart - gap.beforeStart })
  while (beforeStart < beforeEnd && afterStart < afterEnd && before[beforeEnd - 1] === after[afterEnd - 1]) {
    beforeEnd--
    afterEnd--
  }
  if (beforeEnd < gap.beforeEnd) runs.push({ before: beforeEnd, after: afterEnd, length: gap.beforeEnd - beforeEnd })
  return { beforeStart, beforeEnd, afterStart, afterEnd }
}

/** E. W. Myers, An O(ND) Difference Algorithm (1986); undefined when it takes too many edits. */
function shortestWay(gap: Gap, before: readonly number[], after: readonly number[]): Run[] | undefined {
  const width = gap.beforeEnd - gap.beforeStart
  const height = gap.afterEnd - gap.afterStart
  const most = Math.min(MOST_EDITS, width + height)
  /** `most + 1` is the middle one. */
  const reach = new Int32Array(2 * most + 3)
  const history: Int32Array[] = []
  for (let edits = 0; edits <= most; edits++) {
    history.push(reach.slice(most + 1 - edits - 1, most + 1 + edits + 2))
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const at = most + 1 + diagonal
      const isDown = diagonal === -edits || (diagonal !== edits && reach[at - 1]! < reach[at + 1]!)
      let x = isDown ? reach[at + 1]! : reach[at - 1]! + 1
      while (x < width && x - diagonal < height && before[gap.beforeStart + x] === after[gap.afterStart + x - diagonal])
        x++
      reach[at] = x
      if (x >= width && x - diagonal >= height) return wayBack(gap, history, width, height)
    }
  }
  return undefined
}

/** From its end to its beginning. `history[d]` begins at diagonal -d - 1. */
function wayBack(gap: Gap, history: readonly Int32Array[], width: number, height: number): Run[] {
  const runs: Run[] = []
  let x = width
  let y = height
  for (let edits = history.length - 1; edits > 0; edits--) {
    const former = history[edits]!
    const diagonal = x - y
    const reached = (one: number): number => former[one + edits + 1]!
    const isDown = diagonal === -edits || (diagonal !== edits && reached(diagonal - 1) < reached(diagonal + 1))
    const fromX = isDown ? reached(diagonal + 1) : reached(diagonal - 1)
    const fromY = fromX - (isDown ? diagonal + 1 : diagonal - 1)
    const startX = isDown ? fromX : fromX + 1
    const startY = isDown ? fromY + 1 : fromY
    if (x > startX) runs.push({ before: gap.beforeStart + startX, after: gap.afterStart + startY, length: x - startX })
    x = fromX
    y = fromY
  }
  if (x > 0) runs.push({ before: gap.beforeStart, after: gap.afterStart, length: x })
  return runs
}

/** Of items that occur once in both lists, in the same order; none without such items. */
function betweenFixedPoints(gap: Gap, before: readonly number[], after: readonly number[], runs: Run[]): Gap[] {
  const points = increasing(uniquePairs(gap, before, after))
  const gaps: Gap[] = []
  let { beforeStart, afterStart } = gap
  if (points.length === 0) return gaps
  for (const [beforeEnd, afterEnd] of points) {
    runs.push({ before: beforeEnd, after: afterEnd, length: 1 })
    gaps.push({ beforeStart, beforeEnd, afterStart, afterEnd })
    beforeStart = beforeEnd + 1
    afterStart = afterEnd + 1
  }
  gaps.push({ beforeStart, beforeEnd: gap.beforeEnd, afterStart, afterEnd: gap.afterEnd })
  return gaps
}

/** In the order of `before`. */
function uniquePairs(gap: Gap, before: readonly number[], after: readonly number[]): (readonly [number, number])[] {
  const places = new Map<number, number>()
  for (let at = gap.afterStart; at < gap.afterEnd; at++) places.set(after[at]!, places.has(after[at]!) ? -1 : at)
  const counts = new Map<number, number>()
  for (let at = gap.beforeStart; at < gap.beforeEnd; at++) counts.set(before[at]!, (counts.get(before[at]!) ?? 0) + 1)
  const pairs: (readonly [number, number])[] = []
  for (let at = gap.beforeStart; at < gap.beforeEnd; at++) {
    const place = counts.get(before[at]!) === 1 ? (places.get(before[at]!) ?? -1) : -1
    if (place !== -1) pairs.push([at, place])
  }
  return pairs
}

/** The longest selection in which the second numbers grow. */
function increasing(pairs: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  /** The last pair of the best selection of each length, and for each pair the one before it. */
  const ends: number[] = []
  const former: number[] = []
  for (let i = 0; i < pairs.length; i++) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (pairs[ends[middle]!]![1] < pairs[i]![1]) low = middle + 1
      else high = middle
    }
    former.push(low === 0 ? -1 : ends[low - 1]!)
    ends[low] = i
  }
  const chosen: (readonly [number, number])[] = []
  for (let i = ends.at(-1) ?? -1; i !== -1; i = former[i]!) chosen.push(pairs[i]!)
  return chosen.reverse()
}

function joined(runs: readonly Run[]): Run[] {
  const all: Run[] = []
  for (const run of runs) {
    const last = all.at(-1)
    const isNext =
      last !== undefined && last.before + last.length === run.before && last.after + last.length === run.after
    if (isNext) all[all.length - 1] = { ...last, length: last.length + run.length }
    else all.push(run)
  }
  return all
}
