/** Where a spreadsheet may begin a cell, also one that divides at another sign than the comma or drops quotes, and what it takes for a formula there. */
const FORMULA = /(^|[,;\t\r\n"])(?= *[=+\-@＝＋－＠])|^(?=[\t\r])/g
const NEEDS_QUOTES = /[",;\t\r\n]/

/**
 * RFC 4180. A text gets a `'` wherever a spreadsheet could take what follows for a formula (OWASP, CSV injection): at its beginning, and after what
 * divides cells in some country, since where Excel divides at `;` it ignores quotes around the whole text.
 */
export function csvLine(values: readonly (string | number | boolean | null | undefined)[]): string {
  return `${values.map(fieldOf).join(',')}\r\n`
}

function fieldOf(value: string | number | boolean | null | undefined): string {
  if (typeof value !== 'string') return String(value ?? '')
  const safe = value.replace(FORMULA, "$1'")
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
