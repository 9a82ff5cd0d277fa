/** A page's host and path: its URL without scheme and port, `h017.alpha.test/s/p2.html`. */
export type Place = string

export interface WebOptions {
  /** The same options and seed give the same web; 1 unless given. */
  readonly seed?: number
  /** 300 unless given; at least about 40 with oddities. */
  readonly hosts?: number
  /** Ordinary pages of an ordinary host; 8 unless given. */
  readonly pagesAHost?: number
  /** How long an ordinary page takes to answer; 0 unless given. */
  readonly waitMs?: number
  /** False: only ordinary hosts and pages. */
  readonly oddities?: boolean
  /** True: hosts have sitemaps, which lead to a page that nothing else leads to. */
  readonly sitemaps?: boolean
  /** Hosts whose pages have no end; none unless given. */
  readonly endlessHosts?: number
  /** Hosts with a Crawl-delay of 2 s and slow pages; none unless given. */
  readonly patientHosts?: number
}

/** What the server does other than to answer. */
export interface Act {
  /** Waits before it answers. */
  readonly waitMs?: number
  /** Never answers. */
  readonly hangs?: boolean
  readonly resets?: boolean
  /** Gives less than the Content-Length says, and closes. */
  readonly cuts?: boolean
  /** A body of so many bytes, only as fast as it is read. */
  readonly streamBytes?: number
  /** What the first requests get instead. */
  readonly first?: readonly { readonly status: number; readonly headers: Readonly<Record<string, string>> }[]
}

export interface Page {
  readonly path: string
  readonly kind: string
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string | Buffer | ((port: number) => Buffer)
  readonly act: Act
  /** True when it must be in the archive, once it may be fetched and is reached. */
  readonly archived: boolean
  /** Where its links or its redirect lead, in order. */
  readonly leadsTo: readonly Place[]
  readonly redirects: boolean
  /** What its other links are refused for. */
  readonly refused: readonly string[]
  /** As a reader sees it. */
  readonly title: string | undefined
  /** The first 20 words that a reader sees. */
  readonly opening: string | undefined
}

export interface Site {
  readonly name: string
  readonly address: string
  /** What is odd about it; `plain` when nothing is. */
  readonly kind: string
  readonly pages: ReadonlyMap<string, Page>
  readonly robots: { readonly forbidden: ReadonlySet<string> | 'everything'; readonly delayMs: number }
  /** Ordinary pages. */
  readonly ordinary: readonly string[]
  /** What its sitemaps name, if it has any. */
  readonly sitemap?: readonly Place[]
}

export interface Web {
  readonly seed: number
  readonly sites: readonly Site[]
  readonly seeds: readonly Place[]
  /** Addresses by name; one of them is private. */
  readonly names: ReadonlyMap<string, string>
}

export interface Expected {
  readonly archived: ReadonlySet<Place>
  /** Everything to be asked for, robots.txt apart. */
  readonly requested: ReadonlySet<Place>
  readonly forbidden: ReadonlySet<Place>
  /** Reached, but out of scope. */
  readonly outside: ReadonlySet<Place>
  readonly refused: Readonly<Record<string, number>>
}

export interface Request {
  readonly address: string
  readonly host: string
  readonly path: string
  readonly agent: string | undefined
  /** Milliseconds since 1970. */
  readonly startMs: number
  /** When the last of the answer is handed over; missing before, and when it is given up. */
  readonly answeredMs?: number
  /** Missing while the answer is being given. */
  readonly endMs?: number
  readonly status?: number
  /** What the answer asked for; 0 when it asked for nothing. */
  readonly retryAfterMs?: number
  /** Bytes of the body that were handed over. */
  readonly sentBytes: number
  /** False for a path that the web does not have. */
  readonly isKnown: boolean
}

export interface Served {
  readonly port: number
  readonly log: readonly Request[]
  close(): Promise<void>
}

export function makeWeb(options?: WebOptions): Web
export function serveWeb(web: Web, options?: { readonly port?: number; readonly logFile?: string }): Promise<Served>
export function expected(
  web: Web,
  options?: {
    readonly seeds?: readonly Place[]
    readonly scope?: 'any' | 'domain' | 'host'
    readonly excludes?: (place: Place) => boolean
    /** Whether sitemaps are read; default: unless the scope is `any`. */
    readonly sitemaps?: boolean
  },
): Expected
export function forbids(site: Site, place: Place): boolean
export function pageAt(web: Web, place: Place): Page | undefined
export function urlOf(place: Place, port: number): string
export function seedsFile(web: Web, port: number): string
export function hostsFile(web: Web): string

export interface SitemapFile {
  readonly name: string
  readonly kind: 'urlset' | 'sitemapindex' | 'rss' | 'atom' | 'text'
  readonly bytes: Buffer
  /** In order. */
  readonly locations: readonly string[]
}

/** Sitemaps of every sort; see `sitemap-files.mjs`. */
export function sitemapFiles(options?: {
  readonly seed?: number
  readonly count?: number
  readonly forms?: readonly SitemapFile['kind'][]
  readonly isPlain?: boolean
}): SitemapFile[]
