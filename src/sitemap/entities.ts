const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const REFERENCE = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi

/**
 * Undoes the five entities of XML and numeric references. Everything else stays as it is: there are no other entities without a
 * DTD, and many sitemaps have plain ampersands in their URLs.
 */
export function withoutEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(REFERENCE, (whole, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()]!
    const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal)
    const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    return isCharacter ? String.fromCodePoint(code) : whole
  })
}
