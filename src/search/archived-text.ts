import { type PageLine, parsePageLine } from '../archive/pages-file.ts'
import { type RecordReader, wholeBy } from '../archive/read.ts'
import { lastHeaderOf } from '../base/words/raw-headers.ts'
import { extract } from '../extract/extract.ts'

/** A longer text is cut, as it is by the export. */
const MOST_TEXT_UNITS = 1_000_000
const WANTED = { textUnits: MOST_TEXT_UNITS, links: false } as const

/** What is searched of a page. */
export interface ArchivedText {
  readonly title: string
  readonly text: string
  /** The URL as people read it. */
  readonly address: string
}

/** Reads the text of a visit back; that of a revisit is the text of its original. Throws when the archive does not have it. */
export function archivedText(records: RecordReader, line: Pick<PageLine, 'url' | 'file' | 'offset'>): ArchivedText {
  const { headers, body } = wholeBy((file, offset) => records.read(file, offset), line).message
  const contentType = lastHeaderOf(headers, 'content-type')
  const { title, text } = extract({ url: line.url, body, contentType, robotsTags: [], agent: '', wanted: WANTED })
  return { title, text: text!, address: addressOf(line.url) }
}

/** A line of `pages.jsonl`; undefined when what it says cannot be: anyone may have written it. */
export function soundLine(text: string): PageLine | undefined {
  const line = parsePageLine(text)
  if (line === undefined) return undefined
  const { url, status, offset, length } = line
  return status >= 0 && offset >= 0 && length >= 0 && /^https?:/.test(url) && URL.canParse(url) ? line : undefined
}

/** A URL without its scheme, with escaped letters as letters. */
function addressOf(url: string): string {
  const address = url.slice(url.indexOf('://') + 3)
  if (!address.includes('%')) return address
  try {
    return decodeURI(address)
  } catch {
    return address
  }
}

/** A host and the domains that it is in: `www.example.org`, `example.org`, `org`. A port counts, and comes without domains. */
export function hostsOf(url: string): string[] {
  const { host, hostname } = new URL(url)
  const isAddress = /^[\d.]+$|^\[/.test(hostname)
  const labels = isAddress ? [] : hostname.split('.').slice(-MOST_LABELS)
  const domains = labels.map((_, at) => labels.slice(at).join('.'))
  return [...new Set([host, hostname, ...domains])]
}

const MOST_LABELS = 6
