import { type AnyRecord, looseHead } from '../archive/any-warc.ts'
import { FAILURE } from '../archive/records.ts'
import { headerOf, lastHeaderOf } from '../base/words/raw-headers.ts'
import { contentKind, looksLikeHtml, retryAfterMs } from '../fetch/answer-head.ts'
import { AnswerParser } from '../fetch/answer-parser.ts'
import { codingsOf, decode } from '../fetch/decode.ts'
import { BadAnswer } from '../fetch/framing.ts'
import { prepareBase } from '../url/web.ts'
import { MOST_ROBOTS_BYTES, type RobotsAnswer } from './robots-files.ts'

/** A moment as a record names it. */
export interface Stamp {
  readonly timeMs: number
  /** It was named to the second only. */
  readonly isCoarse: boolean
}

export interface Target {
  readonly href: string
  readonly host: string
  readonly origin: string
}

/** What a request record says. */
export interface Sent extends Stamp {
  readonly agent: string
  /** The header `From`. */
  readonly from: string
}

/** What a response or revisit record says; status 0: that there was no answer. */
export interface Answered extends Stamp {
  readonly status: number
  /** Of a redirect. */
  readonly location: string | undefined
  readonly retryAfterMs: number | undefined
  readonly isHtml: boolean
  readonly hasBody: boolean
  /** Where it was asked for as a robots.txt. */
  readonly robots: RobotsAnswer | undefined
}

/** One request of the crawler that is audited: at least one of the two records is there. */
export interface Exchange extends Target {
  readonly sent: Sent | undefined
  readonly answered: Answered | undefined
}

const DATE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/

export function stampOf(date: string): Stamp | undefined {
  const [, seconds, fraction, zone] = DATE.exec(date) ?? []
  const timeMs = seconds === undefined ? Number.NaN : Date.parse(`${seconds}${zone}`)
  if (Number.isNaN(timeMs)) return undefined
  return { timeMs: timeMs + Number(fraction ?? 0) * 1000, isCoarse: fraction === undefined }
}

/** Undefined for what isn't of the web, such as `dns:`. Old versions of wget write the URL in angle brackets. */
export function targetOf(uri: string): Target | undefined {
  try {
    const { href, host, origin } = prepareBase(uri.replace(/^<(.*)>$/, '$1'))
    return { href, host, origin }
  } catch {
    return undefined
  }
}

export function sentOf(record: AnyRecord, stamp: Stamp): Sent {
  const headers = looseHead(record.block)?.headers ?? []
  return { ...stamp, agent: headerOf(headers, 'user-agent') ?? '', from: headerOf(headers, 'from') ?? '' }
}

/** Undefined for metadata that isn't about a missing answer. */
export async function answeredOf(record: AnyRecord, stamp: Stamp, isRobots: boolean): Promise<Answered | undefined> {
  const nothing = { location: undefined, retryAfterMs: undefined, isHtml: false, hasBody: false, robots: undefined }
  if (record.type === 'metadata')
    return record.block.toString('latin1', 0, FAILURE.length) === FAILURE
      ? { ...stamp, status: 0, ...nothing }
      : undefined
  const head = looseHead(record.block)
  // The block of a revisit may be empty.
  if (head === undefined) return { ...stamp, status: record.type === 'revisit' ? 304 : 0, ...nothing }
  const { headers } = head
  const status = Number(/^HTTP\/\d(?:\.\d)? (\d{3})\b/i.exec(head.startLine)?.[1] ?? 0)
  const body = record.block.subarray(head.end)
  const kind = contentKind(lastHeaderOf(headers, 'content-type'))
  const nowMs = Date.parse(headerOf(headers, 'date') ?? '') || stamp.timeMs
  const wait = status === 429 || status === 503 ? headerOf(headers, 'retry-after') : undefined
  return {
    ...stamp,
    status,
    location: status >= 300 && status < 400 ? headerOf(headers, 'location') : undefined,
    retryAfterMs: wait === undefined ? undefined : retryAfterMs(wait, nowMs),
    isHtml: kind === 'html' || (kind === 'unknown' && looksLikeHtml(body)),
    hasBody: record.blockBytes > head.end,
    robots: isRobots ? await robotsAnswer(status, headers, body) : undefined,
  }
}

/** RFC 9309 2.3.1. A redirect is not an answer yet; neither is a 304, since the file before it holds. */
async function robotsAnswer(
  status: number,
  headers: readonly string[],
  body: Buffer,
): Promise<RobotsAnswer | undefined> {
  if (status === 0 || status === 429 || status >= 500) return { kind: 'unreachable' }
  if (status >= 400) return { kind: 'allows all' }
  if (status < 200 || status >= 300) return undefined
  const all = (name: string) =>
    headers.flatMap((header, at) => (at % 2 === 0 && header === name ? headers[at + 1]! : []))
  const isChunked = /\bchunked\b/i.test(all('transfer-encoding').join())
  const codings = codingsOf(all('content-encoding').join(), '')
  const wire = isChunked ? unchunked(body) : body
  const limits = { maxBytes: MOST_ROBOTS_BYTES, isCut: true }
  const decoded = codings === 'unknown' ? 'broken' : await decode(wire, codings, limits)
  // Some tools store what they decoded with the headers that came.
  const file = decoded === 'broken' ? wire : decoded.body
  return { kind: 'rules', file: Uint8Array.from(file.subarray(0, MOST_ROBOTS_BYTES)) }
}

/** The body as it is where it isn't in chunks: some tools undo them and leave the header. */
function unchunked(body: Buffer): Uint8Array {
  const pieces: Uint8Array[] = []
  const parser = new AnswerParser({ head() {}, piece: bytes => void pieces.push(bytes), end() {} })
  parser.begin()
  try {
    parser.feed(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'), body]))
    return Buffer.concat(pieces)
  } catch (error) {
    if (error instanceof BadAnswer) return body
    throw error
  }
}

interface Half {
  readonly target: Target
  readonly keys: readonly string[]
  readonly hasPartner: boolean
  readonly sent: Sent | undefined
  readonly answered: Answered | undefined
}

/** Two records of a request are near each other; more than this are not kept. */
const MOST_OPEN = 4096
const MOST_IDS = 4

/** Brings together the two records of a request: they name each other, or have the same URL. */
export class Pairs {
  private readonly open = new Map<string, Half>()
  private readonly done: (exchange: Exchange) => void

  constructor(done: (exchange: Exchange) => void) {
    this.done = done
  }

  add(fields: AnyRecord['fields'], target: Target, sent: Sent | undefined, answered: Answered | undefined): void {
    const partners = (fields.get('warc-concurrent-to') ?? '').split(' ', MOST_IDS).filter(id => id !== '')
    const keys = [fields.get('warc-record-id') ?? '', ...partners, `url ${target.href}`].filter(key => key !== '')
    const half: Half = { target, keys, hasPartner: partners.length > 0, sent, answered }
    const other = keys.map(key => this.open.get(key)).find(open => open !== undefined && arePair(half, open))
    if (other === undefined) this.keep(half)
    else {
      this.drop(other)
      // Of two records that name different URLs, the request's was asked for.
      const asked = sent === undefined ? other : half
      this.done({ ...asked.target, sent: sent ?? other.sent, answered: answered ?? other.answered })
    }
  }

  /** What has no second record is one of its own. */
  end(): void {
    for (const half of new Set(this.open.values())) this.done(alone(half))
    this.open.clear()
  }

  private keep(half: Half): void {
    for (const key of half.keys) if (!this.open.has(key)) this.open.set(key, half)
    while (this.open.size > MOST_OPEN) {
      const [oldest] = this.open.values()
      this.drop(oldest!)
      this.done(alone(oldest!))
    }
  }

  private drop(half: Half): void {
    for (const key of half.keys) if (this.open.get(key) === half) this.open.delete(key)
  }
}

function arePair(one: Half, other: Half): boolean {
  if ((one.sent === undefined) === (other.sent === undefined)) return false
  if (one.target.href !== other.target.href) return false
  const isNamed = one.keys.slice(0, -1).some(key => other.keys.slice(0, -1).includes(key))
  return isNamed || !one.hasPartner || !other.hasPartner
}

function alone({ target, sent, answered }: Half): Exchange {
  return { ...target, sent, answered }
}
