// Reads a page with the least that a test has to say.
import { type Extracted, extract, type FetchedPage } from '../../src/extract/extract.ts'

export function read(html: string | Uint8Array, more: Partial<FetchedPage> = {}): Extracted {
  const body = typeof html === 'string' ? Buffer.from(html) : html
  const contentType = typeof html === 'string' ? 'text/html; charset=utf-8' : undefined
  return extract({ body, url: 'http://a.com/x/y.html?q', contentType, robotsTags: [], agent: 'escalona', ...more })
}

export function hrefs(html: string | Uint8Array, more: Partial<FetchedPage> = {}): string[] {
  return read(html, more).links.map(link => link.href)
}
