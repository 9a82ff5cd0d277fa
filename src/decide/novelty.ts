/** Pages of a host before it is judged. A site of any size has shown most of the links that all its pages have by then. */
const LEAST_PAGES = 64
/** Pages after which the words of a host are remembered, if it may be a maze. */
const WORDS_FROM = 32
/** How much a page counts for the averages: about the last 32 decide. */
const WEIGHT = 1 / 32
/** A host is judged only while more than this share of the links on its pages is new. Measured: docs/decisions/0033-mazes.md. */
const MANY_NEW_LINKS = 0.5
/** Below this share the words of a host are forgotten again. */
const FEW_NEW_LINKS = 0.3
/** Shares of new pairs of words, and how many times as long as otherwise a host below them is left alone. */
const STEPS = [
  [0.02, 64],
  [0.05, 32],
  [0.1, 16],
  [0.2, 8],
  [0.3, 4],
  [0.4, 2],
] as const
/** What is multiplied where the delay is shorter, and how long a pause may become by it. */
const SHORTEST_MS = 100
const LONGEST_MS = 60_000
/** A page with so many words and no pair in the sample has few different words. */
const MANY_WORDS = 128

/** Hosts that are remembered, the one that was heard of longest ago is forgotten first: about 1 MB. */
const MOST_HOSTS = 4096
/** Hosts whose pairs of words are remembered, and how many of each: at most 16 MB. */
const MOST_SKETCHES = 64
const MOST_PAIRS = 1 << 15

/** What a page brought. */
export interface Brought {
  readonly tokens: number
  /** One in 32 of its pairs of words, the same ones on every page; see `Fingerprint`. */
  readonly sample: readonly number[]
  readonly linksOut: number
  /** How many of its links were new to the crawl. */
  readonly freshLinks: number
}

interface Host {
  pages: number
  /** Shares of new links and new pairs of words on its last pages. */
  links: number
  words: number
  pairs?: PairSet | undefined
}

/**
 * How much the pages of a host bring that is new. A maze goes on forever: nearly all links on each page are new, and yet its words are made
 * from a stock that is used up. A site has links that are on many of its pages, or words that no page had before. Neither alone tells them
 * apart; a host with endless new links and few new words is asked more and more rarely.
 */
export class Novelty {
  private readonly hosts = new Map<string, Host>()
  private sketches = 0

  /** How long to leave a host alone between two requests, instead of its delay. */
  pauseMs(host: string, delayMs: number): number {
    const known = this.hosts.get(host)
    const times = known === undefined ? 1 : timesOf(known)
    return times === 1 ? delayMs : Math.max(delayMs, Math.min(LONGEST_MS, times * Math.max(delayMs, SHORTEST_MS)))
  }

  /** Takes a page that was visited for the first time into account. Returns whether its host is slowed from now on. */
  learn(name: string, brought: Brought): boolean {
    const host = this.hosts.get(name) ?? { pages: 0, links: 1, words: 1 }
    const before = timesOf(host)
    this.hosts.delete(name)
    if (this.hosts.size >= MOST_HOSTS) this.forgetOldest()
    this.hosts.set(name, host)
    host.pages++
    const { linksOut, freshLinks } = brought
    host.links += (Math.min(1, linksOut === 0 ? 0 : freshLinks / linksOut) - host.links) * WEIGHT
    this.readWords(host, brought)
    return before === 1 && timesOf(host) > 1
  }

  private readWords(host: Host, { tokens, sample }: Brought): void {
    if (host.links < FEW_NEW_LINKS) this.endSketch(host)
    else if (host.pages >= WORDS_FROM && host.links > MANY_NEW_LINKS) this.beginSketch(host)
    const { pairs } = host
    if (pairs === undefined || (sample.length === 0 && tokens < MANY_WORDS)) return
    let fresh = 0
    for (const pair of sample) if (pairs.add(pair)) fresh++
    host.words += (fresh / Math.max(1, sample.length) - host.words) * WEIGHT
  }

  private beginSketch(host: Host): void {
    if (host.pairs !== undefined || this.sketches >= MOST_SKETCHES) return
    this.sketches++
    host.pairs = new PairSet()
  }

  private endSketch(host: Host): void {
    if (host.pairs !== undefined) this.sketches--
    host.pairs = undefined
    host.words = 1
  }

  private forgetOldest(): void {
    const [name, host] = this.hosts.entries().next().value!
    this.endSketch(host)
    this.hosts.delete(name)
  }
}

function timesOf({ pages, links, words }: Host): number {
  if (pages < LEAST_PAGES || links <= MANY_NEW_LINKS) return 1
  return STEPS.find(([share]) => words < share)?.[1] ?? 1
}

/** A set of 32-bit numbers with open addressing. When it is full, what is not in it counts as new. */
class PairSet {
  private slots = new Uint32Array(512)
  private size = 0

  /** Returns whether it was not there. */
  add(number: number): boolean {
    // 0 marks a free slot.
    const pair = number === 0 ? 1 : number
    const at = this.slotOf(pair)
    if (this.slots[at] === pair) return false
    if (this.size >= MOST_PAIRS) return true
    this.slots[at] = pair
    if (++this.size * 2 > this.slots.length) this.grow()
    return true
  }

  private slotOf(pair: number): number {
    const mask = this.slots.length - 1
    let at = Math.imul(pair, 0x9e3779b1) & mask
    while (this.slots[at] !== 0 && this.slots[at] !== pair) at = (at + 1) & mask
    return at
  }

  private grow(): void {
    const former = this.slots
    this.slots = new Uint32Array(former.length * 2)
    for (const pair of former) if (pair !== 0) this.slots[this.slotOf(pair)] = pair
  }
}
