/** https://www.w3.org/TR/NOTE-datetime, with a blank for the T and a missing zone, as many sitemaps have it. */
const W3C =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d\d:?\d\d)?)?)?)?$/i
/** RFC 822, as in RSS: `Tue, 03 Jun 2003 09:39:21 GMT`. */
const RFC_822 =
  /^(?:[a-z]{3,9},?\s+)?\d{1,2}\s+[a-z]{3,9}\s+\d{2,4}\s+\d\d:\d\d(?::\d\d)?(?:\s+(?:[a-z]{1,3}|[+-]\d{4}))?$/i
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/**
 * A date in a sitemap as milliseconds since 1970; undefined when it is none. A date without a time means the start of that day,
 * and one without a zone is UTC.
 */
export function dateMs(text: string): number | undefined {
  const bare = text.trim()
  const parts = W3C.exec(bare)
  if (parts !== null) return w3cMs(parts)
  if (bare.length > 60 || !RFC_822.test(bare)) return undefined
  const ms = Date.parse(bare)
  return Number.isNaN(ms) ? undefined : ms
}

function w3cMs([
  ,
  year,
  month = '1',
  day = '1',
  hour = '0',
  minute = '0',
  second = '0',
  fraction = '',
  zone = 'Z',
]: readonly (string | undefined)[]): number | undefined {
  const [months, days, hours, minutes, seconds] = [month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ]
  if (months < 1 || months > 12 || days < 1 || days > DAYS[months - 1]!) return undefined
  if (hours > 24 || minutes > 59 || seconds > 60) return undefined
  const ms = Date.UTC(Number(year), months - 1, days, hours, minutes, seconds) + Number(`0.${fraction || 0}`) * 1000
  const offset = /^([+-])(\d\d):?(\d\d)$/.exec(zone)
  if (offset === null) return ms
  const [, sign, offsetHours, offsetMinutes] = offset
  return ms - (sign === '-' ? -1 : 1) * (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000
}
