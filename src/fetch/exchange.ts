/** Where a host name led, and until when that is valid: milliseconds by the resolver's clock, Infinity for ever. */
export interface ResolvedAddress {
  readonly ip: string
  readonly family: 4 | 6
  readonly untilMs: number
}

/** What a URL is fetched for; it decides which bodies are read: see `body-plan.ts`. */
export type FetchPurpose = 'html' | 'robots' | 'sitemap'

/** A request that was sent. */
export interface SentRequest {
  readonly url: string
  /** The address that answered; empty through a proxy, which alone knows it. */
  readonly ip: string
  /**
   * When the request went out, by the fetcher's clock: after the connection was made, so that a host's delay counts from
   * here.
   */
  readonly sentAtMs: number
  /**
   * The request as sent, with its empty line; without headers for a proxy, and without secret headers unless they are to
   * be archived.
   */
  readonly requestHead: string
}

/** Why the end of an answer is missing (WARC 1.1, 5.13): its limit, its time, the connection, or something else. */
export type Truncation = 'length' | 'time' | 'disconnect' | 'unspecified'

/** One request and its answer, of any status. */
export interface Exchange extends SentRequest {
  /** From `sentAtMs` to the last byte read, not counting the time in which this process stood still. */
  readonly tookMs: number
  readonly status: number
  /** As in the status line of the answer: `1.0`, `1.1`. */
  readonly httpVersion: string
  /** Printable Latin-1, at most 200 characters; anything else became a question mark. */
  readonly statusText: string
  /** Name, value, name, value, … as received, each byte a character (Latin-1). */
  readonly headers: readonly string[]
  /**
   * After gzip, deflate and br are undone; empty when it was not wanted. May be a view of a larger buffer: don't transfer
   * it.
   */
  readonly body: Uint8Array
  /** Bytes of the body as received, before decompression. */
  readonly wireBytes: number
  /** Something of the body is missing. `length` also where it was not wanted, or could not be decoded. */
  readonly truncated: Truncation | undefined
}

/**
 * What went wrong, in one word, under which it is counted. `files`, `network`, `stopped`, `proxy` and `proxy-login` are our
 * own trouble and say nothing about the host. See docs/fetch.md.
 */
export type Failure =
  | 'dns'
  | 'connect'
  | 'tls'
  | 'tls-expired'
  | 'tls-not-yet-valid'
  | 'tls-self-signed'
  | 'tls-wrong-name'
  | 'tls-unknown-issuer'
  | 'timeout'
  | 'reset'
  | 'length'
  | 'protocol'
  | 'headers'
  | 'encoding'
  | 'files'
  | 'network'
  | 'stopped'
  | 'proxy'
  | 'proxy-login'
  | 'proxy-refused'

/** The outcome of a request. Every `Fetcher.get` ends in exactly one of these; it never rejects for anything the web did. */
export type Fetched =
  | {
      readonly kind: 'answer'
      readonly exchange: Exchange
      /** Whether it is a page: status 2xx and HTML. Never true for robots.txt. */
      readonly isHtml: boolean
    }
  | { readonly kind: 'refused'; readonly by: 'address' }
  | {
      readonly kind: 'failed'
      readonly why: Failure
      /**
       * Whether the other side was asked and nothing at all came back: the connection was refused, reset or not made in
       * time, or it was made and not one byte of an answer came.
       */
      readonly isSilent: boolean
      /** What was sent, with as much of the answer as came if that is a status line or more; undefined when nothing was sent. */
      readonly sent: SentRequest | Exchange | undefined
      /** From the call to the failure, including connecting, not counting the time in which this process stood still. */
      readonly tookMs: number
    }

/** `again`: worth another try after a pause. `never`: the same question would get the same answer. */
export type Patience = 'again' | 'never'

/** One table decides patience; a new kind of failure does not compile until it has a row. */
export const PATIENCE: Readonly<Record<Failure, Patience>> = {
  dns: 'again',
  connect: 'again',
  tls: 'never',
  'tls-expired': 'never',
  'tls-not-yet-valid': 'never',
  'tls-self-signed': 'never',
  'tls-wrong-name': 'never',
  'tls-unknown-issuer': 'never',
  timeout: 'again',
  reset: 'again',
  length: 'again',
  protocol: 'never',
  headers: 'never',
  encoding: 'never',
  files: 'again',
  network: 'again',
  stopped: 'again',
  proxy: 'again',
  'proxy-login': 'again',
  'proxy-refused': 'never',
}
