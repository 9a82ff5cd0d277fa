import type { SitemapEntry } from '../../src/sitemap/entry-reader.ts'
import { type SitemapLimits, SitemapReader } from '../../src/sitemap/sitemap-reader.ts'

export interface Read {
  readonly kind: string | undefined
  readonly cutAt: string | undefined
  readonly entries: readonly SitemapEntry[]
  readonly locations: readonly string[]
}

/** Reads a sitemap that comes in pieces of so many bytes. */
export async function read(file: string | Uint8Array, pieceBytes = 65_536, limits?: SitemapLimits): Promise<Read> {
  const reader = limits === undefined ? new SitemapReader() : new SitemapReader(limits)
  const entries: SitemapEntry[] = []
  for await (const some of reader.read(pieces(Buffer.from(file), pieceBytes))) entries.push(...some)
  return { kind: reader.kind, cutAt: reader.cutAt, entries, locations: entries.map(({ loc }) => loc) }
}

export async function* pieces(bytes: Uint8Array, pieceBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}

/** A sitemap with these locations. */
export function urlset(...locations: readonly string[]): string {
  return `<?xml version="1.0"?><urlset>${locations.map(loc => `<url><loc>${loc}</loc></url>`).join('')}</urlset>`
}
