import { type ContentKind, contentKind } from './content-type.ts'

/** The parts of an answer's headers that matter to the fetcher. */
export interface AnswerHead {
  /** Name, value, name, value, … each byte a character. */
  readonly headers: readonly string[]
  readonly kind: ContentKind
  readonly contentLength: number | undefined
  /** All `Content-Encoding` headers, joined by commas. */
  readonly contentEncoding: string
}

/** Reads the raw headers: name, value, name, value, … Of several types the last one decides, as in the Fetch standard. */
export function readHead(raw: readonly Buffer[]): AnswerHead {
  const headers = raw.map(bytes => bytes.toString('latin1'))
  let contentType: string | undefined
  let contentLength: number | undefined
  let contentEncoding = ''
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!
    const value = headers[i + 1]!
    switch (name.length) {
      case 12:
        if (name.toLowerCase() === 'content-type') contentType = value
        break
      case 14:
        if (name.toLowerCase() === 'content-length') contentLength = Number(value)
        break
      case 16:
        if (name.toLowerCase() === 'content-encoding') contentEncoding += `${value},`
        break
    }
  }
  return { headers, kind: contentKind(contentType), contentLength, contentEncoding }
}

const LONGEST_STATUS_TEXT = 200

export function cleanStatusText(text: string): string {
  return text.slice(0, LONGEST_STATUS_TEXT).replace(/[^ -~\u00a0-\u00ff]/g, '?')
}
