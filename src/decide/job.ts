import type { Original, Records } from '../archive/records.ts'
import type { Fingerprint } from '../extract/simhash.ts'
import type { Failure, FetchPurpose, ResolvedAddress } from '../fetch/exchange.ts'
import type { Hint } from '../frontier/frontier.ts'
import type { RuleRefusal } from '../settings/link-rules.ts'
import type { SitemapKind } from '../sitemap/entry-reader.ts'
import type { FormerAnswer, KnownAnswer, Validators } from './known-page.ts'

/** One request for a worker to make and process. */
export interface FetchJob {
  readonly url: string
  readonly hops: number
  /** Undefined when the request goes through a proxy. */
  readonly address: ResolvedAddress | undefined
  readonly wanted: FetchPurpose
  readonly former?: FormerAnswer | undefined
  readonly sitemap?: SitemapTerms | undefined
  /** Whether to send one link per other registrable domain also if it was sent before: hosts are chosen by what pages give them. */
  readonly sendsGivers?: boolean
}

/** The pages of a sitemap are as far away from a seed as those that a seed links to. */
export const SITEMAP_HOPS = 1

export interface SitemapTerms {
  /** Its locations count if they are at one of these hosts. */
  readonly hosts: readonly string[]
  readonly wantsHints: boolean
}

/** What is the same as in the last full record of a page. */
export type Sameness = 'payload' | 'text' | 'nothing'

/** The result of a fetch job. All of it can be sent between threads. */
export type FetchResult =
  /** HTML, parsed. `keep`: whether it may be archived; its links may be followed either way. */
  | {
      readonly kind: 'page'
      readonly answer: Answer
      readonly keep: 'yes' | 'noindex' | 'noarchive' | PageRefusal
      readonly page: PageFacts
      /** When the records are a revisit: the record that they refer to. */
      readonly original?: Original | undefined
      readonly same?: Sameness | undefined
      readonly links: FoundLinks
      readonly refusedLinks: Readonly<Record<string, number>>
    }
  | {
      readonly kind: 'redirect'
      readonly answer: Answer
      /** At most one: the target. */
      readonly links: FoundLinks
      readonly refusedLinks: Readonly<Record<string, number>>
    }
  /** An answer to a request for robots.txt. `rules`: compiled for our User-Agent; unless the status is 2xx, those of an empty file. */
  | {
      readonly kind: 'robots'
      readonly answer: Answer
      readonly rules: Uint8Array
      readonly location: string | undefined
    }
  /** An answer to a request for a sitemap. Its contents were sent in parts before. */
  | {
      readonly kind: 'sitemap'
      readonly answer: Answer
      readonly location: string | undefined
      /** Present unless the status is a failure or a redirect. */
      readonly file?: SitemapFacts | undefined
      /** Locations that were not sent, by reason. */
      readonly refusedLinks: Readonly<Record<string, number>>
    }
  /** The page has not changed, and we had asked for that. `known`: the whole of `former`. */
  | { readonly kind: 'not modified'; readonly answer: Answer; readonly known: KnownAnswer }
  /** Instead of what was asked for, a page that wants to find out whether a person asks. `by`: whose. */
  | { readonly kind: 'challenge'; readonly answer: Answer; readonly by: string }
  /** Any other answer: not HTML, or a status that is neither a success nor a redirect. */
  | {
      readonly kind: 'other'
      readonly answer: Answer
      /** The media type, in lower case; undefined when the answer names none. */
      readonly type?: string | undefined
    }
  /** The request failed. `isSilent`: nothing at all came back. `records`: of the request, if it was sent, and of what came back. */
  | {
      readonly kind: 'failed'
      readonly why: Failure
      readonly isSilent: boolean
      readonly records?: Records | undefined
    }
  | { readonly kind: 'bad url' }
  /** The address is neither public nor allowed. */
  | { readonly kind: 'forbidden address' }
  | { readonly kind: 'no such host' }
  /** The worker thread died during the visit. `isCulprit`: it was the only visit in that thread. */
  | { readonly kind: 'lost'; readonly isCulprit: boolean }
  /** The request was made, but its result says nothing about the host: the crawl has all the pages it wanted, or our network is down. */
  | { readonly kind: 'abandoned'; readonly records?: Records | undefined }
  /** No request was made: the crawl was stopped first, or the lease was too old. */
  | { readonly kind: 'not asked' }

export function recordsOf(result: FetchResult): Records | undefined {
  return 'answer' in result ? result.answer.records : 'records' in result ? result.records : undefined
}

export interface Answer {
  readonly status: number
  readonly sentAtMs: number
  readonly tookMs: number
  readonly wireBytes: number
  /** How long the host asked to be left alone, with 429 or 503. */
  readonly retryAfterMs: number | undefined
  readonly records: Records | undefined
}

/** What a sitemap was. `none`: it is not a sitemap. */
export interface SitemapFacts {
  readonly kind: SitemapKind | 'none'
  readonly entries: number
  readonly cutAt?: 'bytes' | 'entries' | undefined
}

/** Some locations of a sitemap, sent while it is being read. */
export interface SitemapPart {
  readonly links: FoundLinks
  /** Canonical URLs of other sitemaps. */
  readonly sitemaps: readonly string[]
  readonly hints: readonly Hint[]
}

export interface PageFacts {
  readonly title: string
  readonly opening: string
  readonly bytes: number
  readonly tokens: number
  readonly linksOut: number
  /** See {@link Extracted.language}. */
  readonly language?: string | undefined
  readonly validators: Validators
  /** Of the visible text; only when pages are visited again. */
  readonly textDigest?: string | undefined
  readonly isWhole: boolean
  readonly fingerprint?: Fingerprint | undefined
}

/** A setting by which a page is not archived, and all its links are held. */
export type PageRefusal = 'language'

/** Why links are held because of their page. Not the reason of the page itself, which was fetched: its links may be found on another one. */
export type LinkOfPageRefusal = 'page-language'

/** Links to other hosts come first, held ones last. Read chunk by chunk, so that a page with 100,000 links holds nothing up. */
export type FoundLinks = readonly LinkChunk[]

export interface LinkChunk {
  /** The setting that holds these links; undefined when they are free to be followed. */
  readonly refused: RuleRefusal | LinkOfPageRefusal | undefined
  /** One line per link: `pathDepth URL`, or `pathDepth URL text`. */
  readonly lines: string
}

export interface FoundLink {
  readonly url: string
  readonly pathDepth: number
  readonly refused?: LinkChunk['refused']
  /** Of the link on its page, if a program ranks links by it; not empty, and on one line. */
  readonly text?: string | undefined
}

/** Links per chunk; offering them takes one or two milliseconds. */
const LINKS_PER_CHUNK = 1000

/** Packs links into chunks. Links with the same refusal stay together, in order. */
export function packLinks(links: readonly FoundLink[]): FoundLinks {
  const byRefusal = new Map<LinkChunk['refused'], FoundLink[]>()
  for (const link of links) {
    const group = byRefusal.get(link.refused)
    if (group === undefined) byRefusal.set(link.refused, [link])
    else group.push(link)
  }
  const chunks: LinkChunk[] = []
  for (const [refused, group] of byRefusal) {
    for (let from = 0; from < group.length; from += LINKS_PER_CHUNK) {
      const some = group.slice(from, from + LINKS_PER_CHUNK)
      chunks.push({ refused, lines: some.map(lineOf).join('\n') })
    }
  }
  return chunks
}

function lineOf({ url, pathDepth, text }: FoundLink): string {
  return text === undefined ? `${pathDepth} ${url}` : `${pathDepth} ${url} ${text}`
}

export function unpackLinks({ refused, lines }: LinkChunk): FoundLink[] {
  return lines.split('\n').map(line => {
    const blank = line.indexOf(' ')
    const end = line.indexOf(' ', blank + 1)
    const pathDepth = Number(line.slice(0, blank))
    if (end !== -1) return { pathDepth, url: line.slice(blank + 1, end), refused, text: line.slice(end + 1) }
    const link = { pathDepth, url: line.slice(blank + 1) }
    return refused === undefined ? link : { ...link, refused }
  })
}
