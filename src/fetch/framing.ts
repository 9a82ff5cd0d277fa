import { BadAnswer } from './bad-answer.ts'

/** Where the body of an answer ends: after so many bytes, after its last chunk, or with the connection. */
export type BodyEnd =
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunks' }
  | { readonly kind: 'close' }

export interface Framing {
  readonly bodyEnd: BodyEnd
  /** Whether another request may be sent on the connection when the body has ended. */
  readonly isReusable: boolean
  /** How long the server keeps the connection, in its own words. */
  readonly keepAliveMs: number | undefined
}

const NO_BODY: BodyEnd = { kind: 'length', bytes: 0 }
const CHUNKS: BodyEnd = { kind: 'chunks' }
const CLOSE: BodyEnd = { kind: 'close' }

/** Lengths beyond this would not be exact numbers. */
const LENGTH = /^\d{1,15} *$/
const CHUNKED_LAST = /(?:^|,)[\t ]*chunked[\t ]*$/i
const TIMEOUT = /(?:^|,)[\t ]*timeout[\t ]*=[\t ]*(\d{1,9})/i
const MOST_MS = 2 ** 31

/** RFC 9112 6.3 and 9.3. Throws `BadAnswer` for a length that is none, is there twice, or stands beside a transfer coding. */
export function framingOf(status: number, httpVersion: string, headers: readonly string[]): Framing {
  let length: string | undefined
  let transferCodings: string | undefined
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
      case 14:
        if (name.toLowerCase() !== 'content-length') break
        if (length !== undefined || !LENGTH.test(value)) throw new BadAnswer('protocol')
        length = value
        break
      case 17:
        if (name.toLowerCase() === 'transfer-encoding') transferCodings = `${transferCodings ?? ''},${value}`
        break
    }
  }
  if (length !== undefined && transferCodings !== undefined) throw new BadAnswer('protocol')
  const bodyEnd = bodyEndOf(status, length, transferCodings)
  const isKept = httpVersion === '1.1' ? !names(connection, 'close') : names(connection, 'keep-alive')
  return { bodyEnd, isReusable: isKept && bodyEnd !== CLOSE, keepAliveMs }
}

function bodyEndOf(status: number, length: string | undefined, transferCodings: string | undefined): BodyEnd {
  if (status === 204 || status === 304) return NO_BODY
  if (transferCodings !== undefined) return CHUNKED_LAST.test(transferCodings) ? CHUNKS : CLOSE
  return length === undefined ? CLOSE : { kind: 'length', bytes: Number(length) }
}

/** Whether a list of names, in lower case, has this one. */
function names(list: string, name: string): boolean {
  return list !== '' && list.split(',').some(one => one.trim() === name)
}

function keepAliveOf(value: string): number | undefined {
  const seconds = TIMEOUT.exec(value)?.[1]
  return seconds === undefined ? undefined : Math.min(Number(seconds) * 1000, MOST_MS)
}
