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
/**
 * Where less than this share of known pairs are in known runs of four words, the words are at random: whoever writes, or copies, repeats whole phrases.
 * It is judged from a quarter of known pairs on, and such pairs count as so many fewer.
 */
const FEW_KNOWN_RUNS = 0.04
const LEAST_KNOWN_PAIRS = 0.25
const RANDOM_COUNTS = 0.4
/** What is multiplied where the delay is shorter, and how long a pause may become by it. */
const SHORTEST_MS = 100
const LONGEST_MS = 60_000
/** A page with so many words and no pair in the sample has few different words. */
const MANY_WORDS = 128

/** Hosts that are remembered, the one that was heard of longest ago is forgotten first: about 1 MB. */
const MOST_HOSTS = 4096
/** Hosts whose pairs and runs of words are remembered, and how many of each: at most 16 MB. */
const MOST_SKETCHES = 64
const MOST_KEPT = 1 << 14

/** What a page brought. */
export interface Brought {
  readonly tokens: number
  /** One in 32 of its pairs of words, the same ones on every page; see `Fingerprint`. */
  readonly sample: readonly number[]
  /** The runs of four words that begin with these pairs. */
  readonly runs: readonly number[]
  readonly linksOut: number
  /** How many of its links were new to the crawl. */
  readonly freshLinks: number
}

interface Sketch {
  readonly pairs: HashSet
  readonly runs: HashSet
}

interface Host {
  pages: number
  /** Shares of new links, pairs of words and runs of words on its last pages. */
  links: number
  words: number
  runs: number
  sketch?: Sketch | undefined
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
    const host = this.hosts.get(name) ?? { pages: 0, links: 1, words: 1, runs: 1 }
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

  private readWords(host: Host, { tokens, sample, runs }: Brought): void {
    if (host.links < FEW_NEW_LINKS) this.endSketch(host)
    else if (host.pages >= WORDS_FROM && host.links > MANY_NEW_LINKS) this.beginSketch(host)
    const { sketch } = host
    if (sketch === undefined || (sample.length === 0 && tokens < MANY_WORDS)) return
    const share = (fresh: number) => fresh / Math.max(1, sample.length)
    host.words += (share(sketch.pairs.addAll(sample)) - host.words) * WEIGHT
    // Whatever a full set does not have counts as new, which would make every text look like one at random.
    if (!sketch.runs.isFull) host.runs += (share(sketch.runs.addAll(runs)) - host.runs) * WEIGHT
  }

  private beginSketch(host: Host): void {
    if (host.sketch !== undefined || this.sketches >= MOST_SKETCHES) return
    this.sketches++
    host.sketch = { pairs: new HashSet(), runs: new HashSet() }
  }

  private endSketch(host: Host): void {
    if (host.sketch !== undefined) this.sketches--
    host.sketch = undefined
    host.words = 1
    host.runs = 1
  }

  private forgetOldest(): void {
    const [name, host] = this.hosts.entries().next().value!
    this.endSketch(host)
    this.hosts.delete(name)
  }
}

function timesOf({ pages, links, words, runs }: Host): number {
  if (pages < LEAST_PAGES || links <= MANY_NEW_LINKS) return 1
  const known = 1 - words
  const isRandom = known >= LEAST_KNOWN_PAIRS && 1 - runs < known * FEW_KNOWN_RUNS
  const fresh = isRandom ? words - RANDOM_COUNTS : words
  return STEPS.find(([share]) => fresh < share)?.[1] ?? 1
}

/** A set of 32-bit numbers with open addressing. When it is full, what is not in it counts as new. */
class HashSet {
  private slots = new Uint32Array(512)
  private size = 0

  get isFull(): boolean {
    return this.size >= MOST_KEPT
  }

  /** Returns how many were not there. */
  addAll(numbers: readonly number[]): number {
    return numbers.reduce((fresh, number) => fresh + (this.add(number) ? 1 : 0), 0)
  }

  private add(number: number): boolean {
    // 0 marks a free slot.
    const hash = number === 0 ? 1 : number
    const at = this.slotOf(hash)
    if (this.slots[at] === hash) return false
    if (this.isFull) return true
    this.slots[at] = hash
    if (++this.size * 2 > this.slots.length) this.grow()
    return true
  }

  private slotOf(hash: number): number {
    const mask = this.slots.length - 1
    let at = Math.imul(hash, 0x9e3779b1) & mask
    while (this.slots[at] !== 0 && this.slots[at] !== hash) at = (at + 1) & mask
    return at
  }

  private grow(): void {
    const former = this.slots
    this.slots = new Uint32Array(former.length * 2)
    for (const hash of former) if (hash !== 0) this.slots[this.slotOf(hash)] = hash
  }
}
