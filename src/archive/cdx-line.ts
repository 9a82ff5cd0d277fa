import { headerOf } from '../base/words/raw-headers.ts'
import { surt } from './surt.ts'

/** The type that the index gives to revisits, as the usual indexers do. */
export const REVISIT = 'warc/revisit'

/** What the index says about an answer, apart from its location. */
export interface Indexed {
  readonly url: string
  readonly date: string
  readonly mime: string
  /** Missing for a 304, of which the index says no more than that it is a revisit. */
  readonly status: number | undefined
  /** Base32, without `sha1:`. */
  readonly payloadDigest: string
  readonly length: number
  readonly truncated: string | undefined
}

/** A line of the index without the location; all of it is ASCII. */
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

/** `unk`, as the usual indexers write it, for a type that isn't one. */
export function mimeOf(headers: readonly string[]): string {
  const value = headerOf(headers, 'content-type') ?? ''
  const end = value.indexOf(';')
  const mime = (end < 0 ? value : value.slice(0, end)).trim().toLowerCase()
  return mime.length <= 100 && PLAIN_MIME.test(mime) ? mime : 'unk'
}
