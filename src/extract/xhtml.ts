/** Where pages that are XML differ from HTML, as far as links and text are concerned. */
import { ascii, GREATER, isBlank, startsWith } from './markup-bytes.ts'
import { rawTextEnd } from './raw-text.ts'

const CDATA = ascii('[CDATA[')
const OPENS_SUBSET = 0x5b
const CLOSES_SUBSET = 0x5d

export function isXhtml(contentType: string | undefined): boolean {
  return contentType !== undefined && /^\s*application\/xhtml\+xml\s*(?:;|$)/i.test(contentType)
}

/** XML 2.7: where its text begins, given the end of `<!`; -1 without a section. */
export function cdataStart(bytes: Uint8Array, at: number): number {
  return startsWith(bytes, at, CDATA) ? at + CDATA.length : -1
}

/** Three bytes further the section ends. */
export function cdataEnd(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(']]>', start)
  return end === -1 ? bytes.length : end
}

/** XML 2.6: the end of an instruction, which may have a `>` in it. */
export function instructionEnd(bytes: Buffer, start: number): number {
  const end = bytes.indexOf('?>', start)
  return end === -1 ? bytes.length : end + 2
}

/** XML 2.8: the end of a document type, which may have declarations of its own in brackets. */
export function doctypeEnd(bytes: Uint8Array, start: number): number {
  let isInSubset = false
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === OPENS_SUBSET) isInSubset = true
    else if (byte === CLOSES_SUBSET) {
      let after = at + 1
      while (isBlank(bytes[after])) after++
      if (bytes[after] === GREATER) return after + 1
    } else if (byte === GREATER && !isInSubset) return at + 1
  }
  return bytes.length
}

/** The first end tag outside of CDATA sections. */
export function xmlTextEnd(bytes: Buffer, start: number, name: Uint8Array): number {
  let end = rawTextEnd(bytes, start, name)
  for (let from = start; ; ) {
    const section = bytes.subarray(from, end).indexOf('<![CDATA[')
    if (section === -1) return end
    from = Math.min(cdataEnd(bytes, from + section) + 3, bytes.length)
    if (from > end) end = rawTextEnd(bytes, from, name)
  }
}

export function withoutCdata(text: string): string {
  return text.replace(/<!\[CDATA\[([\s\S]*?)(?:\]\]>|$)/g, (_, literal: string) => literal.replaceAll('&', '&amp;'))
}
