import { type ContentKind, contentKind } from './content-type.ts'

const CHUNKED = /(?<=^|,)\s*chunked\s*(?=,)/gi

/** The parts of an answer's headers that matter to the fetcher. */
export interface AnswerHead {
  /** Name, value, name, value, … each byte a character. */
  readonly headers: readonly string[]
  readonly kind: ContentKind
  readonly contentLength: number | undefined
  /** What was done to the body: all `Content-Encoding` headers, and after that those of `Transfer-Encoding`, but for `chunked`. */
  readonly contentCodings: string
  readonly transferCodings: string
}

/** Reads the headers: name, value, name, value, … Of several types the last one decides, as in the Fetch standard. */
export function readHead(headers: readonly string[]): AnswerHead {
  let contentType: string | undefined
  let contentLength: number | undefined
  let contentEncoding = ''
  let transferEncoding = ''
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!
    const value = headers[i + 1]!
    switch (name.length) {
      case 12:
        if (name.toLowerCase() === 'content-type') contentType = value
        break
      case 14:
        if (name.toLowerCase() === 'content-length') contentLength = Number.parseInt(value, 10)
        break
      case 16:
        if (name.toLowerCase() === 'content-encoding') contentEncoding += `${value},`
        break
      case 17:
        // The last one frames the message (RFC 9112 6.1) and is undone already; the others are of the body.
        if (name.toLowerCase() === 'transfer-encoding') transferEncoding += `${value},`
        break
    }
  }
  return {
    headers,
    kind: contentKind(contentType),
    contentLength,
    contentCodings: contentEncoding,
    transferCodings: transferEncoding.replace(CHUNKED, ''),
  }
}

const LONGEST_STATUS_TEXT = 200

export function cleanStatusText(text: string): string {
  return text.slice(0, LONGEST_STATUS_TEXT).replace(/[^ -~\u00a0-\u00ff]/g, '?')
}
