import type { Original } from '../archive/records.ts'
import type { RecordLocation } from '../archive/scan.ts'

/** The state of a page that is revisited. It is in the note of its link, so it is settled together with its ticket. */
export interface KnownPage {
  /**
   * The last full record, and what came with it as far as it was kept: see `FormerAnswer`. Without `known`, it may be a revisit. If another machine
   * archived it, no file here has that name.
   */
  readonly place: RecordLocation
  readonly known: KnownAnswer | undefined
  /** For the lines of visits that find it unchanged. */
  readonly facts: KnownFacts
  /** The time between two visits, before chance is added. */
  readonly intervalMs: number
  /** How likely a visit finds a change, from 0 to 1: an average over the visits, where later ones weigh more. */
  readonly chance: number
  /** When its text was last found changed, or when it was first visited. Unix time. */
  readonly changedAtMs: number
  /** Visits since its body was last received: answers that said that nothing changed. */
  readonly unchanged: number
  /** How many times in a row it was not there (404 or 410). */
  readonly misses: number
  /** Whether the last visit failed, so that the next one asks for the whole page. */
  readonly isAfterError: boolean
  /** Why the last visit brought no page: the name of a reason; missing when it brought one. Beside the page in its note, if there is room. */
  readonly failedFor?: string | undefined
  /** How many times the whole page had changed although the answers before said that it had not; 0 again once the server admits a change. */
  readonly caught: number
  /** Visits in a row since then that asked for the whole page and found no change. */
  readonly calm: number
}

export interface KnownFacts {
  /** Its first 200 characters. */
  readonly title: string
  readonly bytes: number
  readonly tokens: number
  readonly linksOut: number
  readonly language?: string | undefined
}

const MOST_TITLE_CHARS = 200
const URN = 'urn:uuid:'
/** Of a page, between its file and its title. */
const NUMBERS = 13

/**
 * The name of a file of the archive, for all machines of a crawl: only the one that has it can read it, and none takes it for a file of its own.
 * `machine`: this one; undefined when there is no other.
 */
function sharedName(file: string, machine: string | undefined): string {
  return machine === undefined || file === '' || file.includes('/') ? file : `${machine}/${file}`
}

/** Whether a record is in the archive of another machine. */
export function isElsewhere({ file }: RecordLocation): boolean {
  return file.includes('/')
}

function ownName(file: string, machine: string | undefined): string {
  return machine !== undefined && file.startsWith(`${machine}/`) ? file.slice(machine.length + 1) : file
}

/**
 * A page as a list of values, which takes a third of the room of named ones: file (of a crawl that machines share, after the id of
 * the machine that has it and a slash), offset, length, interval and last change
 * in ms, chance in percent, unchanged, misses, after an error (1) or not (0), caught, calm, bytes, tokens, links, title, language; and if its answer is known:
 * UUID, date, URL (null: its own), payload digest, whole (1) or cut (0), text digest, ETag, Last-Modified, date of the last body
 * (null: none).
 */
export function packPage(page: KnownPage, url: string, machine?: string): readonly unknown[] {
  const { place, known } = page
  const numbers = [Math.round(page.intervalMs), Math.round(page.changedAtMs), Math.round(page.chance * 100)]
  const counts = [page.unchanged, page.misses, page.isAfterError ? 1 : 0, page.caught, page.calm]
  const { bytes, tokens, linksOut, title, language } = page.facts
  const facts = [bytes, tokens, linksOut, title.slice(0, MOST_TITLE_CHARS), language ?? null]
  const state = [sharedName(place.file, machine), place.offset, place.length, ...numbers, ...counts, ...facts]
  if (known === undefined) return state
  const { original, validators, textDigest, isWhole, receivedDate } = known
  const { recordId, date, payloadDigest } = original
  const from = original.url === url ? null : original.url
  const texts = [textDigest, validators.etag, validators.lastModified, receivedDate].map(text => text ?? null)
  return [...state, recordId.slice(URN.length), date, from, payloadDigest, isWhole ? 1 : 0, ...texts]
}

export function unpackPage(values: unknown, url: string, machine?: string): KnownPage | undefined {
  if (!Array.isArray(values)) return undefined
  const [name, ...numbers] = values.slice(0, NUMBERS + 1)
  const [title, language, ...rest] = values.slice(NUMBERS + 1)
  if (!isText(name) || !isText(title) || !numbers.every(Number.isSafeInteger)) return undefined
  const [offset, length, intervalMs, changedAtMs, percent, unchanged, misses, error, caught, calm, ...sizes] = numbers
  const [bytes, tokens, linksOut] = sizes
  const place = { file: ownName(name, machine), offset, length }
  return {
    place,
    known: rest.length === 0 ? undefined : knownOf(rest, place, url),
    facts: { title, bytes, tokens, linksOut, ...(isText(language) && { language }) },
    intervalMs,
    chance: percent / 100,
    changedAtMs,
    unchanged,
    misses,
    isAfterError: error === 1,
    caught,
    calm,
  }
}

function knownOf(values: readonly unknown[], place: RecordLocation, url: string): KnownAnswer | undefined {
  const [uuid, date, from, payloadDigest, isWhole, ...texts] = values
  if (![uuid, date, payloadDigest].every(isText)) return undefined
  const [textDigest, etag, lastModified, receivedDate] = texts.map(text => (isText(text) ? text : undefined))
  return {
    original: {
      ...place,
      recordId: URN + uuid,
      url: isText(from) ? from : url,
      date: date as string,
      payloadDigest: payloadDigest as string,
    },
    validators: { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) },
    textDigest,
    isWhole: isWhole === 1,
    ...(receivedDate !== undefined && { receivedDate }),
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** What is known of a page from its earlier visits; on a visit again the answer is compared with it. */
export interface FormerAnswer {
  /** The last full record of the page; without `known`, its last record, which may be a revisit. */
  readonly place: RecordLocation
  /** Undefined for a page that an earlier run archived without planning to visit it again: the record says all of it. */
  readonly known: KnownAnswer | undefined
  /** Whether to ask if the page has changed, or for the whole page. */
  readonly isConditional: boolean
}

/** The last full record of a page, and what came with it. */
export interface KnownAnswer {
  readonly original: Original
  readonly validators: Validators
  /** Undefined when the crawl did not revisit at that time. */
  readonly textDigest: string | undefined
  readonly isWhole: boolean
  /** The date of the last answer with a body, if the original is an older one with the same payload; as in its record. */
  readonly receivedDate?: string | undefined
}

/** What a server says about the version of a page, exactly as received, one character per byte. */
export interface Validators {
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
}

/** A longer validator is not kept: the note of a link has little room. */
const MOST_BYTES = 1000
/** What a header may hold when it is sent back. */
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]+$/

/** The validators among these headers, of several the last; those that could not be sent back are left out. */
export function validatorsOf(headers: readonly string[]): Validators {
  let etag: string | undefined
  let lastModified: string | undefined
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!.toLowerCase()
    if (name === 'etag') etag = headers[i + 1]!
    else if (name === 'last-modified') lastModified = headers[i + 1]!
  }
  return { etag: kept(etag), lastModified: kept(lastModified) }
}

function kept(value: string | undefined): string | undefined {
  return value !== undefined && value.length <= MOST_BYTES && SENDABLE.test(value) ? value : undefined
}

/** `If-None-Match` with the ETag, if there is one, and always `If-Modified-Since`: `Last-Modified` or the time of the last request. */
export function conditionsOf({ original, receivedDate, validators: { etag, lastModified } }: KnownAnswer): string[] {
  const since = lastModified ?? new Date(receivedDate ?? original.date).toUTCString()
  return [...(etag === undefined ? [] : ['If-None-Match', etag]), 'If-Modified-Since', since]
}
