import { type KnownPage, packPage, unpackPage } from './known-page.ts'

/** What a link carries along: the page or sitemap it was found on, how many redirects led to it, and whose robots.txt or sitemap it is. */
export interface LinkNote {
  readonly from?: string
  readonly redirects?: number
  /** The origin whose robots.txt this is; a robots.txt may redirect to another host. */
  readonly robotsOf?: string
  readonly sitemap?: SitemapNote
}

export interface SitemapNote {
  /** The host whose robots.txt names it, or an index that names it; the sitemap's own host if a seed does. URLs of this host count. */
  readonly of: string
  readonly level: number
  /** A seed named it, or an index that a seed names. */
  readonly isSeed?: true
  /** How often it was offered again after robots.txt. */
  readonly turn?: number
}

/** What a frontier accepts. */
const MOST_BYTES = 4096

export function writeNote(note: LinkNote): string {
  return JSON.stringify(note)
}

/** Returns an empty note when there is none, or when another version wrote it. */
export function readNote(text: string | undefined): LinkNote {
  const { from, redirects, robotsOf, sitemap } = keysOf(text)
  return {
    ...(typeof from === 'string' && { from }),
    ...(typeof redirects === 'number' && { redirects }),
    ...(typeof robotsOf === 'string' && { robotsOf }),
    ...(isSitemapNote(sitemap) && { sitemap }),
  }
}

export function foundOn(text: string | undefined): string | undefined {
  const { from } = keysOf(text)
  return typeof from === 'string' ? from : undefined
}

/** The note of a page that is to be visited again; what does not fit is left out, the least important first. */
export function writePageNote(url: string, from: string | undefined, page: KnownPage): string {
  const failed = page.failedFor !== undefined && { failed: page.failedFor }
  const note = { ...(from !== undefined && { from }), page: packPage(page, url), ...failed }
  const bare = { page: note.page }
  const untitled = { ...page, facts: { ...page.facts, title: '' } }
  const { known } = page
  const least = { ...untitled, known: known && { ...known, validators: {} } }
  const shorter = [untitled, least].map(form => ({ page: packPage(form, url) }))
  const forms = [note, bare, ...shorter].map(form => JSON.stringify(form))
  return forms.find(form => Buffer.byteLength(form) <= MOST_BYTES) ?? '{}'
}

/** What is known of the page that a ticket is for; undefined when the note says nothing that this version understands. */
export function readPageNote(url: string, text: string | undefined): KnownPage | undefined {
  const { page, failed } = keysOf(text)
  const known = unpackPage(page, url)
  return known && typeof failed === 'string' ? { ...known, failedFor: failed } : known
}

function keysOf(text: string | undefined): Record<string, unknown> {
  if (text === undefined) return {}
  try {
    const keys: unknown = JSON.parse(text)
    return typeof keys === 'object' && keys !== null ? (keys as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function isSitemapNote(value: unknown): value is SitemapNote {
  const { of, level } = (value ?? {}) as Partial<SitemapNote>
  return typeof of === 'string' && typeof level === 'number'
}
