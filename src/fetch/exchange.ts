/** `untilMs`: by the resolver's clock; Infinity for ever. */
export interface ResolvedAddress {
  readonly ip: string
  readonly family: 4 | 6
  readonly untilMs: number
}

/** Reads a decoded body while it arrives. It may stop before the end. */
export type ReadBody = (body: AsyncIterable<Uint8Array>) => Promise<void>

/** All that visits know of an HTTP client. `Fetcher` is ours; another one would be made in its place in visit/worker.ts. */
export interface HttpClient {
  /**
   * Fetches a canonical URL from this address; without one, through its proxy. Rejects only for a URL that isn't canonical (`FETCH_BAD_URL`). A
   * second request to an origin waits for the first, and fails with `reset` if that has to end the connection. `conditions`: more headers (name,
   * value, …). `read`: reads the body of a sitemap, which is dropped otherwise.
   */
  get(
    url: string,
    address: ResolvedAddress | undefined,
    wanted: FetchPurpose,
    conditions?: readonly string[],
    read?: ReadBody,
  ): Promise<Fetched>
  /** Ends all connections; requests under way fail as `stopped`. */
  close(): Promise<void>
}

/** What a URL is fetched for; it decides which bodies are read: see `body-plan.ts`. */
export type FetchPurpose = 'html' | 'robots' | 'sitemap'

export interface SentRequest {
  readonly url: string
  /** Empty through a proxy, which alone knows it. */
  readonly ip: string
  /** By the fetcher's clock, after the connection was made: a host's delay counts from here. */
  readonly sentAtMs: number
  /** With its empty line; without headers for a proxy, and without secret ones unless they are archived. */
  readonly requestHead: string
}

/** Why the end of an answer is missing (WARC 1.1, 5.13): its limit, its time, the connection, or something else. */
export type Truncation = 'length' | 'time' | 'disconnect' | 'unspecified'

export interface Exchange extends SentRequest {
  /** From `sentAtMs` to the last byte, without standstills of this process. */
  readonly tookMs: number
  readonly status: number
  readonly httpVersion: string
  /** Printable Latin-1, at most 200 characters; anything else became a question mark. */
  readonly statusText: string
  /** Name, value, name, value, … as received, each byte a character (Latin-1). */
  readonly headers: readonly string[]
  /** Decoded; empty when it wasn't wanted. May be a view of a larger buffer: don't transfer it. */
  readonly body: Uint8Array
  /** Before decompression. */
  readonly wireBytes: number
  /** `length` also where the body wasn't wanted, or could not be decoded. */
  readonly truncated: Truncation | undefined
}

/** Every `get` ends in exactly one of these; it never rejects for anything the web did. */
export type Fetched =
  | {
      readonly kind: 'answer'
      readonly exchange: Exchange
      /** Status 2xx and HTML. Never true for robots.txt. */
      readonly isHtml: boolean
    }
  | { readonly kind: 'refused'; readonly by: 'address' }
  | {
      readonly kind: 'failed'
      readonly why: Failure
      /** Not one byte came back: no connection, or no answer on it. */
      readonly isSilent: boolean
      /** With as much of the answer as came, from a status line on; undefined when nothing was sent. */
      readonly sent: SentRequest | Exchange | undefined
      /** Including connecting, without standstills of this process. */
      readonly tookMs: number
    }

/** `again`: worth another try after a pause. `never`: the same question would get the same answer. */
type Patience = 'again' | 'never'

/** What can go wrong. `files`, `network`, `stopped`, `proxy` and `proxy-login` are our own trouble. See docs/fetch.md. */
export const PATIENCE = {
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
} as const satisfies Record<string, Patience>

export type Failure = keyof typeof PATIENCE
