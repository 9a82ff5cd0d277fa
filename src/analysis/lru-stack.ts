const FEWEST_PLACES = 64
const FULL_SHARE = 0.6

/**
 * The positions of words in a stack ordered by last use: the stack distance. Each touch takes O(log n) steps for n
 * different words, and memory is proportional to n, no matter how many touches there are.
 *
 * Each touch gets a number, its moment. A Fenwick tree over the moments marks those that are the last of a word, so the
 * number of words touched since a word's last touch is a sum over the tree. When the moments run out, the marked ones are
 * renumbered from 1, in order.
 */
export class LruStack {
  /** How many different words there are. */
  size = 0
  private words = new Float64Array(FEWEST_PLACES)
  /** The moment of the last touch of the word at each place; 0 where the place is free. */
  private moments = new Int32Array(FEWEST_PLACES)
  private tree = new Int32Array(2 * FEWEST_PLACES)
  private now = 0
  private last = -1

  /** Returns the word's position in the stack, from 1, before it moves to the top; 0 when it was never touched. */
  touch(word: number): number {
    if (word === this.last) return 1
    this.last = word
    if (this.now + 1 === this.tree.length) this.renumber()
    let place = this.placeOf(word)
    const before = this.moments[place]!
    this.now++
    if (before === 0) {
      if (this.size >= this.words.length * FULL_SHARE) {
        this.growTable()
        place = this.placeOf(word)
      }
      this.words[place] = word
      this.moments[place] = this.now
      this.size++
      this.mark(this.now, 1)
      return 0
    }
    const distance = this.size - this.markedUpTo(before) + 1
    this.mark(before, -1)
    this.mark(this.now, 1)
    this.moments[place] = this.now
    return distance
  }

  private mark(moment: number, by: number): void {
    const { tree } = this
    for (let at = moment; at < tree.length; at += at & -at) tree[at]! += by
  }

  private markedUpTo(moment: number): number {
    const { tree } = this
    let sum = 0
    for (let at = moment; at > 0; at &= at - 1) sum += tree[at]!
    return sum
  }

  /** Where the word is, or where it would go. */
  private placeOf(word: number): number {
    const { words, moments } = this
    const mask = words.length - 1
    let place = hashOf(word) & mask
    while (moments[place] !== 0 && words[place] !== word) place = (place + 1) & mask
    return place
  }

  private growTable(): void {
    const { words, moments } = this
    this.words = new Float64Array(words.length * 2)
    this.moments = new Int32Array(words.length * 2)
    for (let old = 0; old < words.length; old++) {
      if (moments[old] === 0) continue
      const place = this.placeOf(words[old]!)
      this.words[place] = words[old]!
      this.moments[place] = moments[old]!
    }
  }

  /** Takes time proportional to the number of moments; at least half as many touches come before the next time. */
  private renumber(): void {
    const { moments } = this
    const order = this.tree.fill(0)
    for (let place = 0; place < moments.length; place++) if (moments[place] !== 0) order[moments[place]!] = place + 1
    let next = 0
    for (let moment = 1; moment < order.length; moment++) {
      if (order[moment] !== 0) moments[order[moment]! - 1] = ++next
    }
    this.now = next
    const length = Math.max(2 * FEWEST_PLACES, 2 * next + 2)
    this.tree = length > order.length ? new Int32Array(length) : order
    for (let at = 1; at < this.tree.length; at++) {
      const first = at - (at & -at)
      this.tree[at] = Math.max(0, Math.min(at, next) - first)
    }
  }
}

function hashOf(word: number): number {
  let mixed = Math.imul(word | 0, 0x9e3779b1) ^ Math.imul(Math.floor(word / 2 ** 32), 0x85ebca6b)
  mixed ^= mixed >>> 15
  mixed = Math.imul(mixed, 0x2c1b3c6d)
  return mixed ^ (mixed >>> 13)
}
