/** A directed graph of pages, numbered from 0. Its arrays are shared memory, so that threads read one copy. */
export interface Graph {
  readonly pages: number
  /** The links of page p are `targets[offsets[p]]` to before `targets[offsets[p + 1]]`: in order, without loops and repeats. */
  readonly offsets: Uint32Array<SharedArrayBuffer>
  readonly targets: Uint32Array<SharedArrayBuffer>
}

export function sharedCopy(numbers: Uint32Array): Uint32Array<SharedArrayBuffer> {
  const copy = new Uint32Array(new SharedArrayBuffer(numbers.byteLength))
  copy.set(numbers)
  return copy
}

/** Numbers that are appended one by one. */
export class NumberList {
  length = 0
  private numbers: Uint32Array = new Uint32Array(1024)

  push(number: number): void {
    if (this.length === this.numbers.length) {
      const larger = new Uint32Array(this.length * 2)
      larger.set(this.numbers)
      this.numbers = larger
    }
    this.numbers[this.length++] = number
  }

  get all(): Uint32Array {
    return this.numbers.subarray(0, this.length)
  }
}

/** Makes a graph of one page after the other. */
export class GraphBuilder {
  loops = 0
  twice = 0
  readonly offsets = new NumberList()
  readonly targets = new NumberList()
  private page = 0
  /** At a page's number: 1 + the last page that links to it. */
  private linkedFrom = new Uint32Array(1024)

  constructor() {
    this.offsets.push(0)
  }

  /** Whether the link of the page at hand is new. */
  link(to: number): boolean {
    if (to === this.page) {
      this.loops++
      return false
    }
    if (to >= this.linkedFrom.length) {
      const larger = new Uint32Array(Math.max(to + 1, this.linkedFrom.length * 2))
      larger.set(this.linkedFrom)
      this.linkedFrom = larger
    }
    if (this.linkedFrom[to] === this.page + 1) {
      this.twice++
      return false
    }
    this.linkedFrom[to] = this.page + 1
    this.targets.push(to)
    return true
  }

  endPage(): void {
    this.offsets.push(this.targets.length)
    this.page++
  }

  graph(): Graph {
    return { pages: this.page, offsets: sharedCopy(this.offsets.all), targets: sharedCopy(this.targets.all) }
  }
}

/** The graph of these links; `from` and `to` are of one length. */
export function graphOfLinks(pages: number, from: Uint32Array, to: Uint32Array): GraphBuilder {
  const starts = new Uint32Array(pages + 1)
  for (const page of from) starts[page + 1]!++
  for (let page = 0; page < pages; page++) starts[page + 1]! += starts[page]!
  const ordered = new Uint32Array(to.length)
  const next = starts.slice()
  for (let n = 0; n < from.length; n++) ordered[next[from[n]!]!++] = to[n]!
  const builder = new GraphBuilder()
  for (let page = 0; page < pages; page++) {
    for (let at = starts[page]!; at < starts[page + 1]!; at++) builder.link(ordered[at]!)
    builder.endPage()
  }
  return builder
}

/** The pages that can be reached from these, in the order of a breadth-first search. */
export function reachable({ pages, offsets, targets }: Graph, starts: readonly number[]): Uint32Array {
  const isReached = new Uint8Array(pages)
  const queue = new Uint32Array(pages)
  let end = 0
  for (const page of starts) {
    if (isReached[page]) continue
    isReached[page] = 1
    queue[end++] = page
  }
  for (let at = 0; at < end; at++) {
    const page = queue[at]!
    for (let link = offsets[page]!; link < offsets[page + 1]!; link++) {
      const to = targets[link]!
      if (isReached[to]) continue
      isReached[to] = 1
      queue[end++] = to
    }
  }
  return queue.subarray(0, end)
}
