/** One location in a sitemap, as written. */
export interface SitemapEntry {
  /** Without blanks around it, entities undone; at most 8,192 characters. It may be anything. */
  readonly loc: string
  /** When it was changed last, in milliseconds since 1970; missing when the sitemap does not say, or not clearly. */
  readonly lastmodMs?: number
}

/** The kinds of sitemaps. The entries of a `sitemapindex` are other sitemaps; those of the others are pages. */
export type SitemapKind = 'urlset' | 'sitemapindex' | 'rss' | 'atom' | 'text'

/** The longest `loc` that is kept; what is longer is cut. No URL that is collected is that long. */
export const MOST_LOC_CHARS = 8192
