import type { Link } from '../../frontier/frontier.ts'
import { type FoundLinks, unpackLinks } from '../worker/job.ts'
import type { Entry } from './becomes.ts'
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

/** The links of a page as the frontier wants them, less those that the caller's own rule refuses. */
export class FilteredLinks {
  /** How many links were refused here, by reason. */
  readonly refused: Record<string, number> = {}
  private readonly batches: Iterable<readonly Link[]>
  private readonly bytes: number
  private readonly filter: FilterLink | undefined
  private readonly origin: Origin
  private readonly note: string

  constructor(chunks: FoundLinks, origin: Origin, filter: FilterLink | undefined) {
    this.filter = filter
    this.origin = origin
    const { from, redirects } = origin
    this.note = writeNote(redirects === undefined ? { from } : { from, redirects })
    this.bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
    // The caller's rule is asked at once, so that what it refuses can be counted; otherwise each chunk is read when it is offered.
    this.batches = filter === undefined ? { [Symbol.iterator]: () => this.read(chunks) } : [...this.read(chunks)]
  }

  inBatches(): Pick<Entry, 'links' | 'linksBytes'> {
    return this.bytes === 0 ? {} : { links: this.batches, linksBytes: this.bytes }
  }

  private *read(chunks: FoundLinks): Generator<readonly Link[]> {
    const { filter, note } = this
    const { from, hops } = this.origin
    for (const chunk of chunks) {
      const links: Link[] = []
      for (const { url, pathDepth } of unpackLinks(chunk)) {
        if (filter === undefined || filter({ url, from, hops })) links.push({ url, pathDepth, hops, note })
        else this.refused.filtered = (this.refused.filtered ?? 0) + 1
      }
      yield links
    }
  }
}
