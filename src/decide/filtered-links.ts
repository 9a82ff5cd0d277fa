import type { Frontier, FrontierCounts, Link } from '../frontier/frontier.ts'
import type { LinkRules } from '../settings/link-rules.ts'
import { type HeldReason, isHeld } from '../settings/reasons.ts'
import { hostOf } from '../url/host-of.ts'
import { type FoundLink, type FoundLinks, type LinkChunk, unpackLinks } from './job.ts'
import { type Attachment, checkedAttachment, writeNote } from './link-note.ts'
import type { LinkRanks, PageRanks, RankingPage } from './link-rank.ts'

/** The page on which a link was found: its URL, and what was attached to the link that led to it. */
export interface PageAtHand extends Attachment {
  readonly url: string
}

/** A link that was found, as the caller's hooks see it. */
export interface LinkAtHand {
  readonly url: string
  /** The number of links from a seed. */
  readonly hops: number
  /** The URL of `page`. */
  readonly from: string
  /** The page, or sitemap, or redirect, that leads to it. */
  readonly page: PageAtHand
}

/** The caller's own rule for links: returns whether to follow one, or what to attach to it; then it is followed. */
export type FilterLink = (link: LinkAtHand) => boolean | Attachment

export interface Origin {
  readonly from: string
  /** How many links these are away from a seed. */
  readonly hops: number
  readonly redirects?: number
  /** What is attached to the link that led to `from`. The target of a redirect has it too. */
  readonly of?: Attachment | undefined
  /** Why all of these links are kept out, unless a rule keeps one out anyway. */
  readonly heldBack?: HeldReason | undefined
  /** What the ranks of the links depend on; undefined for a sitemap. */
  readonly page?: RankingPage | undefined
}

export interface LinkJudges {
  readonly rules: LinkRules
  readonly ranks: LinkRanks
  readonly held: Pick<HeldLinks, 'take'>
  readonly filterLink?: FilterLink | undefined
}

/** The links of a page in the form the frontier takes. Links held by a setting or by the caller's rule are offered as refused. */
export class FilteredLinks {
  /** How many links are not offered at all, by reason; complete once all batches have been produced. */
  readonly unfollowed: Record<string, number>
  readonly batches: Iterable<readonly Link[]>
  readonly bytes: number
  private readonly judges: LinkJudges
  private readonly origin: Origin
  private readonly page: PageAtHand
  private readonly ranks: PageRanks
  /** By what is attached, as JSON. */
  private readonly notes = new Map<string, string>()
  private readonly judged: readonly (readonly Link[])[] | undefined

  /** `unfollowed`: the counts from the worker. */
  constructor(chunks: FoundLinks, unfollowed: Readonly<Record<string, number>>, origin: Origin, judges: LinkJudges) {
    this.unfollowed = { ...unfollowed }
    this.judges = judges
    this.origin = origin
    const { from, redirects, of } = origin
    this.page = { url: from, ...of }
    this.ranks = judges.ranks.ofPage(origin)
    this.bytes = chunks.reduce((sum, { lines }) => sum + lines.length, 0)
    // The caller's rule runs at once, and a redirect is a single link; otherwise each chunk is read when it is offered.
    const isAtOnce = judges.filterLink !== undefined || redirects !== undefined
    this.judged = isAtOnce ? chunks.map(chunk => this.read(chunk)) : undefined
    this.batches = { [Symbol.iterator]: () => this.bounded(chunks) }
  }

  /** The target of a redirect, if it may be followed. */
  get only(): string | undefined {
    const link = this.judged?.[0]?.[0]
    return link?.refused === undefined ? link?.url : undefined
  }

  private *bounded(chunks: FoundLinks): Generator<readonly Link[]> {
    for (const [n, chunk] of chunks.entries()) {
      const links = this.judged?.[n] ?? this.read(chunk)
      const { filterLink } = this.judges
      const isFree = chunk.refused === undefined && filterLink === undefined && this.origin.heldBack === undefined
      yield isFree ? links : links.filter(({ refused }) => refused === undefined || this.isHeld())
    }
  }

  private isHeld(): boolean {
    if (this.judges.held.take()) return true
    this.unfollowed['held-limit'] = (this.unfollowed['held-limit'] ?? 0) + 1
    return false
  }

  private read(chunk: LinkChunk): Link[] {
    const { hops } = this.origin
    const plain = this.noteWith(undefined)
    return unpackLinks(chunk).map(found => {
      const { url } = found
      const rank = this.ranks.of(found)
      const judged = this.judge(found)
      if (typeof judged === 'string') return { url, rank, hops, note: plain, refused: judged }
      const gives = this.ranks.gives(url)
      const note = judged === undefined ? plain : this.noteWith(judged)
      return gives === undefined ? { url, rank, hops, note } : { url, rank, hops, note, gives }
    })
  }

  /** Links of a page that have the same attached share their note, which costs a frontier less. */
  private noteWith(attached: Attachment | undefined): string {
    const key = attached === undefined ? '' : JSON.stringify(attached)
    let note = this.notes.get(key)
    if (note === undefined) {
      const { from, redirects, of } = this.origin
      const found = { from, ...this.ranks.note }
      note = writeNote(
        redirects === undefined ? { ...found, of, ...attached } : { ...found, redirects, ...of, ...attached },
      )
      this.notes.set(key, note)
    }
    return note
  }

  /** Why the link is held, or what is attached to it, if anything. */
  private judge({ url, refused }: FoundLink): HeldReason | Attachment | undefined {
    const { rules, filterLink } = this.judges
    const { from, hops, heldBack } = this.origin
    // A worker thread does not know about seeds that redirected after it was started.
    const now = refused === 'scope' && rules.hasGrown ? rules.refusal({ href: url, host: hostOf(url) }, hops) : refused
    if (now !== undefined) return now
    if (heldBack !== undefined || filterLink === undefined) return heldBack
    const answer = filterLink({ url, from, hops, page: this.page })
    if (typeof answer === 'object' && answer !== null) return checkedAttachment(answer)
    return answer ? undefined : 'filtered'
  }
}

/** After this many links the frontier is asked again how many it holds, since most links found were found before. */
const LOOK_EVERY = 10_000

/** Enforces `maxHeld`: how many links kept out by a setting may still be remembered. */
export class HeldLinks {
  private readonly most: number
  private readonly frontier: Frontier
  private room: number
  private spent = 0
  private isLooking = false

  constructor(frontier: Frontier, most: number, counts: FrontierCounts) {
    this.frontier = frontier
    this.most = most
    this.room = roomIn(counts, most)
  }

  take(): boolean {
    if (this.spent >= Math.min(LOOK_EVERY, this.room)) this.look()
    if (this.room <= 0) return false
    this.room--
    this.spent++
    return true
  }

  /** Asks the frontier in the background; until it answers, repeated links count as if each were new. */
  private look(): void {
    if (this.isLooking || this.spent === 0) return
    this.isLooking = true
    this.spent = 0
    this.frontier.counts().then(
      counts => {
        this.isLooking = false
        this.room = roomIn(counts, this.most) - this.spent
      },
      // The frontier has failed; the crawl itself reports that.
      () => {},
    )
  }
}

function roomIn({ refusedFor }: FrontierCounts, most: number): number {
  let held = 0
  for (const [reason, count] of Object.entries(refusedFor)) if (isHeld(reason)) held += count
  return Math.max(0, most - held)
}
