export type BodyEnd =
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunks' }
  | { readonly kind: 'close' }

export interface Framing {
  readonly bodyEnd: BodyEnd
  /** After the body has ended. */
  readonly isReusable: boolean
  /** What the server says. */
  readonly keepAliveMs: number | undefined
  readonly contentType: string | undefined
  /** As announced. */
  readonly contentLength: number | undefined
  /** All `Content-Encoding` headers; and those of `Transfer-Encoding`, except for `chunked`, which is undone already (RFC 9112 6.1). */
  readonly contentCodings: string
  readonly transferCodings: string
}

const NO_BODY: BodyEnd = { kind: 'length', bytes: 0 }
const CHUNKS: BodyEnd = { kind: 'chunks' }
const CLOSE: BodyEnd = { kind: 'close' }

/** Longer lengths would not be exact numbers. */
const LENGTH = /^\d{1,15}[\t ]*(?:,[\t ]*\d{1,15}[\t ]*)*$/
/** RFC 9110 5.6.1: a list may have empty elements; llhttp does not know that. */
const CHUNKED_LAST = /(?:^|,)[\t ]*chunked[\t ,]*$/i
const CHUNKED = /(?<=^|,)\s*chunked\s*(?=,)/gi
const TIMEOUT = /(?:^|,)[\t ]*timeout[\t ]*=[\t ]*(\d{1,9})/i
const MOST_MS = 2 ** 31

/** RFC 9112 6.3 and 9.3. Throws `BadAnswer` for a length that isn't one, differs from another, or is beside a transfer coding. */
export function framingOf(status: number, httpVersion: string, headers: readonly string[]): Framing {
  let length: number | undefined
  let transferCodings: string | undefined
  let contentType: string | undefined
  let contentCodings = ''
  let connection = ''
  let keepAliveMs: number | undefined
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!
    const value = headers[i + 1]!
    switch (name.length) {
      case 10: {
        const lower = name.toLowerCase()
        if (lower === 'connection') connection += `${value.toLowerCase()},`
        else if (lower === 'keep-alive') keepAliveMs = keepAliveOf(value)
        break
      }
      case 12:
        // Of several types the last one decides, as in the Fetch standard.
        if (name.toLowerCase() === 'content-type') contentType = value
        break
      case 14:
        if (name.toLowerCase() !== 'content-length') break
        length = lengthOf(value, length)
        break
      case 16:
        if (name.toLowerCase() === 'content-encoding') contentCodings += `${value},`
        break
      case 17:
        if (name.toLowerCase() === 'transfer-encoding') transferCodings = `${transferCodings ?? ''},${value}`
        break
    }
  }
  if (length !== undefined && transferCodings !== undefined) throw new BadAnswer('protocol')
  const bodyEnd = bodyEndOf(status, length, transferCodings)
  // Something on the way may have read such chunks otherwise. RFC 9112 6.1: HTTP/1.0 doesn't know them.
  const isDoubtful = bodyEnd === CHUNKS && (httpVersion !== '1.1' || /,[\t ]*$/.test(transferCodings!))
  const isKept = httpVersion === '1.1' ? !names(connection, 'close') : names(connection, 'keep-alive')
  return {
    bodyEnd,
    isReusable: isKept && bodyEnd !== CLOSE && !isDoubtful,
    keepAliveMs,
    contentType,
    contentLength: length,
    contentCodings,
    transferCodings: transferCodings === undefined ? '' : `${transferCodings},`.replace(CHUNKED, ''),
  }
}

/** RFC 9110 8.6: the same length may be there several times, in one header or in several. */
function lengthOf(value: string, before: number | undefined): number {
  if (!LENGTH.test(value)) throw new BadAnswer('protocol')
  if (before === undefined && !value.includes(',')) return Number(value)
  const lengths = value.split(',').map(Number)
  const length = before ?? lengths[0]!
  if (lengths.some(other => other !== length)) throw new BadAnswer('protocol')
  return length
}

function bodyEndOf(status: number, length: number | undefined, transferCodings: string | undefined): BodyEnd {
  if (status === 204 || status === 304) return NO_BODY
  if (transferCodings !== undefined) return CHUNKED_LAST.test(transferCodings) ? CHUNKS : CLOSE
  return length === undefined ? CLOSE : { kind: 'length', bytes: length }
}

function names(list: string, name: string): boolean {
  return list !== '' && list.split(',').some(one => one.trim() === name)
}

function keepAliveOf(value: string): number | undefined {
  const seconds = TIMEOUT.exec(value)?.[1]
  return seconds === undefined ? undefined : Math.min(Number(seconds) * 1000, MOST_MS)
}

/** It isn't HTTP, or its head is too long. */
export class BadAnswer extends Error {
  readonly why: 'protocol' | 'headers'

  constructor(why: 'protocol' | 'headers') {
    super(`bad answer: ${why}`)
    this.why = why
  }
}
