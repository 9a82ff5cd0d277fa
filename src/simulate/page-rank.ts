import type { Graph } from './graph.ts'

const DAMPING = 0.85
const MOST_ROUNDS = 100
/** Rounds end when all values together change by less than this. */
const SMALLEST_CHANGE = 1e-9

/** The PageRank of every page; they sum to 1. A page without links links to all. */
export function pageRank({ pages, offsets, targets }: Pick<Graph, 'pages'> & Links): Float64Array<SharedArrayBuffer> {
  let ranks = new Float64Array(new SharedArrayBuffer(8 * pages)).fill(1 / pages)
  let next = new Float64Array(new SharedArrayBuffer(8 * pages))
  for (let round = 0; round < MOST_ROUNDS; round++) {
    next.fill(0)
    let loose = 0
    for (let page = 0; page < pages; page++) {
      const start = offsets[page]!
      const end = offsets[page + 1]!
      if (start === end) {
        loose += ranks[page]!
        continue
      }
      const share = ranks[page]! / (end - start)
      for (let link = start; link < end; link++) next[targets[link]!]! += share
    }
    const base = (1 - DAMPING + DAMPING * loose) / pages
    let change = 0
    for (let page = 0; page < pages; page++) {
      next[page] = base + DAMPING * next[page]!
      change += Math.abs(next[page]! - ranks[page]!)
    }
    ;[ranks, next] = [next, ranks]
    if (change < SMALLEST_CHANGE) break
  }
  return ranks
}

interface Links {
  readonly offsets: Uint32Array
  readonly targets: Uint32Array
}

/** The PageRank of these pages in the graph of them alone, in their order. */
export function pageRankAmong({ pages, offsets, targets }: Graph, some: Uint32Array): Float64Array {
  const numbers = new Int32Array(pages).fill(-1)
  for (const [n, page] of some.entries()) numbers[page] = n
  let links = 0
  const own = new Uint32Array(some.length + 1)
  const walk = (keep: (n: number, to: number) => void) => {
    for (const [n, page] of some.entries())
      for (let link = offsets[page]!; link < offsets[page + 1]!; link++) {
        const to = numbers[targets[link]!]!
        if (to >= 0) keep(n, to)
      }
  }
  walk(n => {
    own[n + 1]!++
    links++
  })
  for (let n = 0; n < some.length; n++) own[n + 1]! += own[n]!
  const kept = new Uint32Array(links)
  let at = 0
  walk((_, to) => {
    kept[at++] = to
  })
  return pageRank({ pages: some.length, offsets: own, targets: kept })
}
