import { headerOf } from '../base/words/raw-headers.ts'
import { surt } from './surt.ts'

/** The type that the index gives to revisits, as the usual indexers do. */
export const REVISIT = 'warc/revisit'

/** What the index says of an answer besides where it lies. */
export interface Indexed {
  readonly url: string
  /** ISO 8601, UTC. */
  readonly date: string
  readonly mime: string
  /** Missing for a 304, of which the index says no more than that it is a revisit. */
  readonly status: number | undefined
  /** Base32, without `sha1:`. */
  readonly payloadDigest: string
  /** Bytes of the response's gzip member. */
  readonly length: number
  /** Of a response of which something is missing: why, as in its record. */
  readonly truncated: string | undefined
}

/** A line of the index, up to where its place is known; all of it is ASCII. */
export function lineStart({ url, date, mime, status, payloadDigest, length, truncated }: Indexed): string {
  const time = date.slice(0, 4) + date.slice(5, 7) + date.slice(8, 10) + date.slice(11, 13) + date.slice(14, 16)
  return (
    `${surt(url)} ${time}${date.slice(17, 19)} {"url": ${JSON.stringify(url)}, "mime": "${mime}", ` +
    `${status === undefined ? '' : `"status": "${status}", `}"digest": "${payloadDigest}", ` +
    `${truncated === undefined ? '' : `"truncated": "${truncated}", `}"length": "${length}"`
  )
}

export function wholeLine(start: string, file: string, offset: number): string {
  return `${start}, "offset": "${offset}", "filename": "${file}"}`
}

const PLAIN_MIME = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/

/** The type of an answer without its parameters, or `unk` as the usual indexers write it. */
export function mimeOf(headers: readonly string[]): string {
  const value = headerOf(headers, 'content-type') ?? ''
  const end = value.indexOf(';')
  const mime = (end < 0 ? value : value.slice(0, end)).trim().toLowerCase()
  return mime.length <= 100 && PLAIN_MIME.test(mime) ? mime : 'unk'
}
