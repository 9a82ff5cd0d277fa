/** What a link carries along: the page or sitemap it was found on, how many redirects led to it, and whose robots.txt or sitemap it is. */
export interface LinkNote {
  readonly from?: string
  readonly redirects?: number
  /** The origin whose robots.txt this is; a robots.txt may redirect to another host. */
  readonly robotsOf?: string
  /** Present on a link to a sitemap. */
  readonly sitemap?: SitemapNote
}

export interface SitemapNote {
  /** The host whose robots.txt names it, or an index that names it; the sitemap's own host if a seed does. URLs of this host count. */
  readonly of: string
  /** How many indexes lead to it. */
  readonly level: number
  /** A seed named it, or an index that a seed names. */
  readonly isSeed?: true
  /** How often it was offered again after robots.txt. */
  readonly turn?: number
}

export function writeNote(note: LinkNote): string {
  return JSON.stringify(note)
}

/** Returns an empty note when there is none, or when another version wrote it. */
export function readNote(text: string | undefined): LinkNote {
  if (text === undefined) return {}
  try {
    const { from, redirects, robotsOf, sitemap } = JSON.parse(text) as Record<string, unknown>
    return {
      ...(typeof from === 'string' && { from }),
      ...(typeof redirects === 'number' && { redirects }),
      ...(typeof robotsOf === 'string' && { robotsOf }),
      ...(isSitemapNote(sitemap) && { sitemap }),
    }
  } catch {
    return {}
  }
}

function isSitemapNote(value: unknown): value is SitemapNote {
  const { of, level } = (value ?? {}) as Partial<SitemapNote>
  return typeof of === 'string' && typeof level === 'number'
}
