import { hostOf, type Link } from '../../frontier/frontier.ts'
import type { HeldReason } from '../reasons.ts'
import { type FoundLink, type FoundLinks, unpackLinks } from '../worker/job.ts'
import type { LinkRules } from '../worker/link-rules.ts'
import type { Entry } from './becomes.ts'
import type { HeldLinks } from './held-links.ts'
import { writeNote } from './link-note.ts'

/** The caller's own rule for links. `hops`: links from a seed. */
export type FilterLink = (link: { readonly url: string; readonly from: string; readonly hops: number }) => boolean

/** Where links were found. */
export interface Origin {
  readonly from: string
  /** Links from a seed to these. */
  readonly hops: number
  /** Redirects that led to them. */
  readonly redirects?: number
}

/** Who decides about links. */
export interface LinkJudges {
  readonly rules: LinkRules
  readonly held: Pick<HeldLinks, 'take'>
  readonly filterLink?: FilterLink | undefined
}

/** The links of a page as the frontier wants them. Those that a setting or the caller's own rule holds back are offered as refused. */
export class FilteredLinks {
  /** How many links are not offered at all, by reason; complete once the batches were made. */
  readonly unfollowed: Record<string, number>
  private readonly batches: Iterable<readonly Link[]>
  private readonly bytes: number
  private readonly judges: LinkJudges
  private readonly origin: Origin
  private readonly note: string

  /** `unfollowed`: those that the worker found. */
  constructor(chunks: FoundLinks, unfollowed: Readonly<Record<string, number>>, origin: Origin, judges: LinkJudges) {
    this.unfollowed = { ...unfollowed }
    this.judges = judges
    this.origin = origin
    const { from, redirects } = origin
    this.note = writeNote(redirects === undefined ? { from } : { from, redirects })
    this.bytes = chunks.reduce((sum, { lines }) => sum + lines.length, 0)
    // The caller's rule is asked at once, and a redirect is one link; otherwise each chunk is read when it is offered.
    const isAtOnce = judges.filterLink !== undefined || redirects !== undefined
    this.batches = isAtOnce ? [...this.read(chunks)] : { [Symbol.iterator]: () => this.read(chunks) }
  }

  /** The URL that a redirect leads to, if it may be followed. */
  get only(): string | undefined {
    for (const [link] of this.batches) if (link !== undefined && link.refused === undefined) return link.url
    return undefined
  }

  inBatches(): Pick<Entry, 'links' | 'linksBytes'> {
    return this.bytes === 0 ? {} : { links: this.batches, linksBytes: this.bytes }
  }

  private *read(chunks: FoundLinks): Generator<readonly Link[]> {
    const { note } = this
    const { hops } = this.origin
    for (const chunk of chunks) {
      const links: Link[] = []
      for (const found of unpackLinks(chunk)) {
        const { url, pathDepth } = found
        const refused = this.refusal(found)
        if (refused === undefined) links.push({ url, pathDepth, hops, note })
        else if (this.judges.held.take()) links.push({ url, pathDepth, hops, note, refused })
        else this.unfollowed['held-limit'] = (this.unfollowed['held-limit'] ?? 0) + 1
      }
      yield links
    }
  }

  private refusal({ url, refused }: FoundLink): HeldReason | undefined {
    const { rules, filterLink } = this.judges
    const { from, hops } = this.origin
    // A worker thread does not know which seeds redirected to where since it was started.
    const now = refused === 'scope' && rules.hasGrown ? rules.refusal({ href: url, host: hostOf(url) }, hops) : refused
    if (now !== undefined || filterLink === undefined) return now
    return filterLink({ url, from, hops }) ? undefined : 'filtered'
  }
}
