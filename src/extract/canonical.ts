/** RFC 8288 3: a target in angle brackets, and its parameters. */
const LINK = /<([^<>]*)>([^<>]*)/g
const REL = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]*))/i

/** The target of the first link with `rel=canonical` in `Link` headers (RFC 6596). */
export function canonicalTarget(linkHeaders: readonly string[]): string | undefined {
  for (const header of linkHeaders) {
    for (const [, target, parameters] of header.matchAll(LINK)) {
      const [, quoted, bare] = REL.exec(parameters!) ?? []
      const words = (quoted ?? bare ?? '').toLowerCase().split(/\s+/)
      // Headers are bytes; if they are not ASCII, they are read as UTF-8, as browsers do.
      if (words.includes('canonical')) return Buffer.from(target!, 'latin1').toString()
    }
  }
  return undefined
}
