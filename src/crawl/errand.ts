import type { Records } from '../archive/records.ts'
import type { Address, Failure } from '../fetch/exchange.ts'

/** One request that a worker is asked to make, and to make the most of. */
export interface Errand {
  readonly ticketId: number
  readonly url: string
  readonly hops: number
  readonly address: Address
  readonly wanted: 'html' | 'robots'
}

/** What came of an errand. Everything in it can be sent from thread to thread. */
export interface Finding {
  readonly ticketId: number
  readonly answer: Answer | undefined
  readonly end: End
  /** Links to offer: those to other hosts first. */
  readonly links: readonly FoundLink[]
  /** Links that are not offered, by reason. */
  readonly refusedLinks: Readonly<Record<string, number>>
}

export interface FoundLink {
  readonly url: string
  readonly depth: number
}

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

export type End =
  | { readonly kind: 'page'; readonly page: PageFacts }
  /** A page that may be read for its links and not be kept. */
  | { readonly kind: 'not kept'; readonly reason: 'noindex' | 'noarchive' }
  | { readonly kind: 'redirect' }
  | { readonly kind: 'robots'; readonly body: Uint8Array; readonly location: string | undefined }
  | { readonly kind: 'refused'; readonly reason: string }
  | {
      readonly kind: 'failed'
      readonly why: Failure | 'status-429' | `status-5${string}`
      readonly isWorthAgain: boolean
    }
  /** The crawl was stopped before its turn came. */
  | { readonly kind: 'unvisited' }

export interface PageFacts {
  readonly title: string
  /** The first words of visible text. */
  readonly opening: string
  readonly bytes: number
  readonly tokens: number
  readonly linksOut: number
}
