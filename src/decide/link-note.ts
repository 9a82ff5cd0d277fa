import { EscalonaError } from '../base/errors.ts'
import { type KnownPage, packPage, unpackPage } from './known-page.ts'

/** What a program attaches to a link: it comes back with the page. Both together have at most 1,000 bytes as JSON. */
export interface Attachment {
  /** What kind of page is expected there: `product`, for example. */
  readonly label?: string | undefined
  /** Any JSON value. */
  readonly data?: unknown
}

export const RANKED_BY = ['program', 'language', 'score', 'importance'] as const

/** What a link carries along: the page or sitemap it was found on, how many redirects led to it, and whose robots.txt or sitemap it is. */
export interface LinkNote extends Attachment {
  readonly from?: string
  /** What was attached to the link that led to `from`. */
  readonly of?: Attachment | undefined
  readonly redirects?: number
  /** The importance of the page it was found on, and the number of its links: each gets an equal share. */
  readonly share?: readonly [importance: number, links: number] | undefined
  /** The score of that page. */
  readonly score?: number | undefined
  /** What gave it its rank, unless that was its path or a pattern: the rule of a program, the language of that page, that score, or that importance. */
  readonly rankedBy?: (typeof RANKED_BY)[number] | undefined
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
const MOST_ATTACHED_BYTES = 1000

/** Where a link was found is left out if it does not fit beside what is attached: a URL may have many characters that JSON escapes. */
export function writeNote(note: LinkNote): string {
  if (note.label === undefined && note.data === undefined && note.of === undefined) return JSON.stringify(note)
  return shortestOf([note, { ...note, of: undefined }, { ...note, of: undefined, from: undefined }])
}

function shortestOf(notes: readonly object[]): string {
  const forms = notes.map(note => JSON.stringify(note))
  return forms.find(form => Buffer.byteLength(form) <= MOST_BYTES) ?? '{}'
}

/** Checks what a program attaches, and returns what will come back; throws `CRAWL_BAD_ATTACHMENT`. */
export function checkedAttachment({ label, data }: Attachment): Attachment {
  if (label !== undefined && typeof label !== 'string') throw new EscalonaError('CRAWL_BAD_ATTACHMENT/label')
  const text = jsonOf({ label, data })
  const bytes = text === undefined ? 0 : Buffer.byteLength(text)
  if (text === undefined || bytes > MOST_ATTACHED_BYTES)
    throw text === undefined
      ? new EscalonaError('CRAWL_BAD_ATTACHMENT/json')
      : new EscalonaError('CRAWL_BAD_ATTACHMENT/long', { bytes, most: MOST_ATTACHED_BYTES })
  return JSON.parse(text) as Attachment
}

/** Undefined for what JSON cannot hold: a loop, a BigInt. */
export function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

/** Returns an empty note when there is none, or when another version wrote it. */
export function readNote(text: string | undefined): LinkNote {
  const { of, redirects, robotsOf, sitemap, score, rankedBy, ...keys } = keysOf(text)
  return {
    ...carriedIn(keys),
    ...(typeof of === 'object' && of !== null && { of: attachedIn(of as Record<string, unknown>) }),
    ...(typeof redirects === 'number' && { redirects }),
    ...(typeof score === 'number' && { score }),
    ...(RANKED_BY.includes(rankedBy as never) && { rankedBy: rankedBy as LinkNote['rankedBy'] }),
    ...(typeof robotsOf === 'string' && { robotsOf }),
    ...(isSitemapNote(sitemap) && { sitemap }),
  }
}

export function foundOn(text: string | undefined): string | undefined {
  const { from } = keysOf(text)
  return typeof from === 'string' ? from : undefined
}

/** Where a link was found, what is attached to it, and how important its page is. */
export type Carried = Pick<LinkNote, 'from' | 'share' | keyof Attachment>

export function carriedBy(text: string | undefined): Carried {
  return carriedIn(keysOf(text))
}

function carriedIn(keys: Record<string, unknown>): Carried {
  const { from } = keys
  const share = shareIn(keys)
  return { ...(typeof from === 'string' && { from }), ...(share && { share }), ...attachedIn(keys) }
}

/** What the page it was found on gives a link; undefined when the note does not say. */
export function shareOf(text: string | undefined): LinkNote['share'] {
  return text?.includes('"share":[') ? shareIn(keysOf(text)) : undefined
}

function shareIn({ share }: Record<string, unknown>): LinkNote['share'] {
  if (!Array.isArray(share)) return undefined
  const [importance, links] = share as unknown[]
  return isPositive(importance) && isPositive(links) ? [importance, links] : undefined
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && value > 0
}

/** What is attached to a link; undefined when nothing is. */
export function attachedBy(text: string | undefined): Attachment | undefined {
  const { label, data } = keysOf(text)
  return label === undefined && data === undefined ? undefined : attachedIn({ label, data })
}

/** What is attached, among other keys. */
export function attachedIn({ label, data }: Record<string, unknown>): Attachment {
  return { ...(typeof label === 'string' && { label }), ...(data !== undefined && { data }) }
}

/**
 * The note of a page that is to be visited again; what does not fit is left out, the least important first. `machine`: see `packPage`.
 */
export function writePageNote(
  url: string,
  { from, share, label, data }: Carried,
  page: KnownPage,
  machine?: string,
): string {
  const failed = page.failedFor !== undefined && { failed: page.failedFor }
  const attached = attachedIn({ label, data })
  const found = { ...(from !== undefined && { from }), ...(share && { share }) }
  const note = { ...found, ...attached, page: packPage(page, url, machine), ...failed }
  const bare = { ...attached, page: note.page }
  const untitled = { ...page, facts: { ...page.facts, title: '' } }
  const { known } = page
  const least = { ...untitled, known: known && { ...known, validators: {} } }
  const shorter = [untitled, least].map(form => ({ ...attached, page: packPage(form, url, machine) }))
  return shortestOf([note, bare, ...shorter, attached])
}

/** What is known of the page that a ticket is for; undefined when the note says nothing that this version understands. */
export function readPageNote(url: string, text: string | undefined, machine?: string): KnownPage | undefined {
  const { page, failed } = keysOf(text)
  const known = unpackPage(page, url, machine)
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
