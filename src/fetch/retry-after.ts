/** Anything longer counts as this. */
const LONGEST_MS = 24 * 60 * 60 * 1000

/** The three forms of RFC 9110 5.6.7 begin with the name of a day; `Date.parse` alone would believe almost anything. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? [\w :-]{10,40}$/

/**
 * How long a `Retry-After` asks to wait, in milliseconds from now: 0 to 24 hours; undefined when it says nothing that
 * can be understood. `nowMs`: since 1970, since the header may hold a date.
 */
export function retryAfterMs(value: string, nowMs: number): number | undefined {
  const text = value.trim()
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, LONGEST_MS)
  if (!HTTP_DATE.test(text)) return undefined
  const atMs = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(atMs) ? undefined : Math.min(Math.max(atMs - nowMs, 0), LONGEST_MS)
}
