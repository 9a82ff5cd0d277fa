import type { Records } from '../../archive/records.ts'
import type { Address, Failure } from '../../fetch/exchange.ts'
import type { LinkRefusal } from './link-rules.ts'

/** One request that a worker is asked to make, and to make the most of. */
export interface FetchJob {
  readonly url: string
  readonly hops: number
  /** Undefined: through a proxy. */
  readonly address: Address | undefined
  readonly wanted: 'html' | 'robots'
}

/** What came back of a job. Everything in it can be sent from thread to thread. */
export type FetchResult =
  /** HTML, read. `keep`: whether it may be kept; its links may be followed either way. */
  | {
      readonly kind: 'page'
      readonly answer: Answer
      readonly keep: 'yes' | 'noindex' | 'noarchive'
      readonly page: PageFacts
      readonly links: FoundLinks
      readonly refusedLinks: Readonly<Record<string, number>>
    }
  | {
      readonly kind: 'redirect'
      readonly answer: Answer
      /** At most one. */
      readonly links: FoundLinks
      readonly refusedLinks: Readonly<Record<string, number>>
    }
  /** An answer to a request for robots.txt. `rules`: compiled for us; of an answer that is not 2xx, those of an empty file. */
  | {
      readonly kind: 'robots'
      readonly answer: Answer
      readonly rules: Uint8Array
      readonly location: string | undefined
    }
  /** Any other answer: not HTML, or a status that is neither success nor redirect. */
  | {
      readonly kind: 'other'
      readonly answer: Answer
      /** The media type, in lower case; undefined when the answer names none. */
      readonly type?: string | undefined
    }
  /** `isSilent`: nothing at all came back. */
  | { readonly kind: 'failed'; readonly why: Failure; readonly isSilent: boolean }
  /** The URL is not one that can be asked for: an earlier version took others. */
  | { readonly kind: 'bad url' }
  /** The address is not public and not allowed. */
  | { readonly kind: 'forbidden address' }
  /** There is no such host. */
  | { readonly kind: 'no such host' }
  /** The worker thread ended in the middle. `isCulprit`: it was the only visit in it. */
  | { readonly kind: 'lost'; readonly isCulprit: boolean }
  /** It was asked, and what came back says nothing about the host: the crawl has all that it wanted, or our network is away. */
  | { readonly kind: 'abandoned' }
  /** The crawl was stopped, or the lease was too old, before the request began. */
  | { readonly kind: 'not asked' }

export interface Answer {
  readonly status: number
  readonly sentAtMs: number
  readonly tookMs: number
  readonly wireBytes: number
  /** How long the host wants to be left alone: with 429 and 503. */
  readonly retryAfterMs: number | undefined
  /** The records of this exchange, ready for the archive. */
  readonly records: Records | undefined
}

export interface PageFacts {
  readonly title: string
  /** The first words of visible text. */
  readonly opening: string
  readonly bytes: number
  readonly tokens: number
  readonly linksOut: number
  /** As the page names it; see `languageOfPage`. */
  readonly language?: string | undefined
}

/**
 * Links to offer, those to other hosts first and those that a setting holds back last, in chunks. A page may hold a hundred
 * thousand links; the conductor reads a chunk at a time, so that none of them holds it up.
 */
export type FoundLinks = readonly LinkChunk[]

export interface LinkChunk {
  /** The setting that holds these links back; undefined: none does. */
  readonly refused: LinkRefusal | undefined
  /** A line for each: `pathDepth URL`. */
  readonly lines: string
}

export interface FoundLink {
  readonly url: string
  readonly pathDepth: number
  readonly refused?: LinkRefusal | undefined
}

/** How many links a chunk holds: offering them takes one or two milliseconds. */
const LINKS_A_CHUNK = 1000

/** Links with the same refusal stay together, in their order. */
export function packLinks(links: readonly FoundLink[]): FoundLinks {
  const byRefusal = new Map<LinkRefusal | undefined, FoundLink[]>()
  for (const link of links) {
    const group = byRefusal.get(link.refused)
    if (group === undefined) byRefusal.set(link.refused, [link])
    else group.push(link)
  }
  const chunks: LinkChunk[] = []
  for (const [refused, group] of byRefusal) {
    for (let from = 0; from < group.length; from += LINKS_A_CHUNK) {
      const some = group.slice(from, from + LINKS_A_CHUNK)
      chunks.push({ refused, lines: some.map(({ url, pathDepth }) => `${pathDepth} ${url}`).join('\n') })
    }
  }
  return chunks
}

export function unpackLinks({ refused, lines }: LinkChunk): FoundLink[] {
  return lines.split('\n').map(line => {
    const blank = line.indexOf(' ')
    const link = { pathDepth: Number(line.slice(0, blank)), url: line.slice(blank + 1) }
    return refused === undefined ? link : { ...link, refused }
  })
}
