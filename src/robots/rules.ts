import { EscalonaError } from '../base/errors.ts'
import { HEAD, MAGIC, NONE, PREFIX, VERSION, WILDCARD } from './block.ts'
import { PathOctets, pathOf } from './path-octets.ts'

/** Whether a robots.txt allows a URL, and which of its lines decided that. */
export interface Verdict {
  readonly allowed: boolean
  /** From 1; undefined when no line applies. */
  readonly line: number | undefined
  /** Comparing costs too much, so it counts as refused; `line`: where that was found out. */
  readonly tooComplex?: true
}

export type RulesKind = 'none' | 'rules' | 'forbids all'

/** A file with more rules than this is not examined for whether it forbids everything. */
const MOST_EXAMINED = 1000

const NO_RULE: Verdict = { allowed: true, line: undefined }

/** One at a time, so one serves all. */
const path = new PathOctets()

/**
 * Reads the bytes that `compileRobots` made. Nothing is unpacked, so making one costs the same whatever the file; the bytes must not change.
 *
 * A verdict has two steps. The longest prefix of the path is looked up among the sorted prefixes of all rules; it knows the best rule without a
 * star, its parents' included. Then the wildcards of that prefix and its parents are compared, strongest first, down to the rank that is known
 * already, each only if the path has a certain piece of it. Comparing takes a limited number of steps; a URL that needs more is refused.
 */
export class RobotsRules {
  /** As written: a hostile file asks for years. */
  readonly crawlDelaySeconds: number | undefined
  private readonly block: Uint8Array
  private readonly view: DataView
  private readonly prefixes: number
  private readonly atPrefixes: number
  private readonly wildcards: number
  private readonly atWildcards: number
  private readonly atTexts: number
  private readonly atSitemaps: number
  private knownSitemaps: readonly string[] | undefined

  /** Throws when this isn't a whole block of this version. Other damage is found when it is read. */
  constructor(block: Uint8Array) {
    const view = new DataView(block.buffer, block.byteOffset, block.byteLength)
    if (block.length < HEAD.bytes || view.getUint32(HEAD.magic, true) !== MAGIC) {
      throw new EscalonaError('ROBOTS_BLOCK_FOREIGN')
    }
    if (view.getUint32(HEAD.version, true) !== VERSION) {
      throw new EscalonaError('ROBOTS_BLOCK_VERSION')
    }
    this.block = block
    this.view = view
    this.prefixes = view.getUint32(HEAD.prefixes, true)
    this.wildcards = view.getUint32(HEAD.wildcards, true)
    this.atPrefixes = HEAD.bytes + 4 * view.getUint32(HEAD.decisions, true)
    this.atWildcards = this.atPrefixes + PREFIX.bytes * this.prefixes
    this.atTexts = this.atWildcards + WILDCARD.bytes * this.wildcards
    this.atSitemaps = this.atTexts + view.getUint32(HEAD.textBytes, true)
    if (view.getUint32(HEAD.length, true) !== block.length || this.atSitemaps > block.length) throw damaged()
    const seconds = view.getFloat64(HEAD.crawlDelay, true)
    this.crawlDelaySeconds = Number.isNaN(seconds) ? undefined : seconds
  }

  get sitemaps(): readonly string[] {
    try {
      this.knownSitemaps ??= this.readSitemaps()
      return this.knownSitemaps
    } catch (error) {
      throw fromOutside(error)
    }
  }

  get kind(): RulesKind {
    const decisions = this.view.getUint32(HEAD.decisions, true)
    if (decisions === 0) return 'none'
    path.load('/')
    try {
      const prefix = this.longestPrefix()
      if (prefix === NONE || this.ofPrefix(prefix, PREFIX.rank) === NONE || decisions > MOST_EXAMINED) return 'rules'
      for (let rank = 0; rank < decisions; rank++) if ((this.decision(rank) & 1) === 1) return 'rules'
      return 'forbids all'
    } catch (error) {
      throw fromOutside(error)
    }
  }

  /** Of `url` only path and query count. */
  verdict(url: string): Verdict {
    const text = pathOf(url)
    if (text === '/robots.txt') return NO_RULE
    path.load(text)
    try {
      return this.judge()
    } catch (error) {
      throw fromOutside(error)
    }
  }

  private judge(): Verdict {
    const longest = this.longestPrefix()
    if (longest === NONE) return NO_RULE
    let rank = this.ofPrefix(longest, PREFIX.rank)
    if (this.ofPrefix(longest, PREFIX.length) === path.length) {
      rank = Math.min(rank, this.ofPrefix(longest, PREFIX.wholeRank))
    }
    for (let prefix = longest; prefix !== NONE; prefix = this.parentOf(prefix)) {
      rank = this.bestWildcard(prefix, rank)
      if (path.isOverBudget) return { allowed: false, line: this.decision(rank) >>> 1, tooComplex: true }
    }
    if (rank === NONE) return NO_RULE
    const decision = this.decision(rank)
    return { allowed: (decision & 1) === 1, line: decision >>> 1 }
  }

  /** The best wildcard of this prefix that matches, or `best`, or the one with which the budget ended. */
  private bestWildcard(prefix: number, best: number): number {
    const { block, view, atTexts } = this
    const start = this.ofPrefix(prefix, PREFIX.wildcards)
    const end = prefix + 1 < this.prefixes ? this.ofPrefix(prefix + 1, PREFIX.wildcards) : this.wildcards
    if (start === end) return best
    path.expect(end - start)
    const from = this.ofPrefix(prefix, PREFIX.length)
    for (let i = start; i < end; i++) {
      const at = this.atWildcards + WILDCARD.bytes * i
      const rank = view.getUint32(at + WILDCARD.rank, true)
      if (rank >= best) return best
      if (!path.mayHave(view.getUint32(at + WILDCARD.gram, true))) continue
      const text = atTexts + view.getUint32(at + WILDCARD.text, true)
      const length = view.getUint32(at + WILDCARD.length, true)
      if (text + (length >>> 1) > this.atSitemaps) throw damaged()
      const isMatch = path.hasParts(block, text, text + (length >>> 1), from, (length & 1) === 1)
      if (isMatch || path.isOverBudget) return rank
    }
    return best
  }

  private longestPrefix(): number {
    // The last prefix that does not come after the path in the order of octets begins with the one that is looked for: whatever
    // is between a text and one of its beginnings has that beginning, too.
    let low = -1
    let high = this.prefixes
    let sharedWithLow = 0
    let sharedWithHigh = 0
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      const text = this.atTexts + this.ofPrefix(middle, PREFIX.text)
      const length = this.ofPrefix(middle, PREFIX.length)
      const shared = path.commonWith(this.block, text, length, Math.min(sharedWithLow, sharedWithHigh))
      if (shared === length || (shared < path.length && this.block[text + shared]! < path.octets[shared]!)) {
        low = middle
        sharedWithLow = shared
      } else {
        high = middle
        sharedWithHigh = shared
      }
    }
    let prefix = low === -1 ? NONE : low
    while (prefix !== NONE && this.ofPrefix(prefix, PREFIX.length) > sharedWithLow) prefix = this.parentOf(prefix)
    return prefix
  }

  private parentOf(prefix: number): number {
    const parent = this.ofPrefix(prefix, PREFIX.parent)
    if (parent !== NONE && parent >= prefix) throw damaged()
    return parent
  }

  private ofPrefix(prefix: number, field: number): number {
    return this.view.getUint32(this.atPrefixes + PREFIX.bytes * prefix + field, true)
  }

  private decision(rank: number): number {
    return this.view.getUint32(HEAD.bytes + 4 * rank, true)
  }

  private readSitemaps(): string[] {
    const sitemaps: string[] = []
    let at = this.atSitemaps
    for (let left = this.view.getUint32(HEAD.sitemaps, true); left > 0; left--) {
      const end = at + 4 + this.view.getUint32(at, true)
      if (end > this.block.length) throw damaged()
      sitemaps.push(Buffer.from(this.block.buffer, this.block.byteOffset + at + 4, end - at - 4).toString())
      at = end
    }
    return sitemaps
  }
}

/** A number of a damaged block may lead out of it. */
function fromOutside(error: unknown): unknown {
  return error instanceof RangeError ? damaged() : error
}

function damaged(): EscalonaError {
  return new EscalonaError('ROBOTS_BLOCK_DAMAGED')
}
