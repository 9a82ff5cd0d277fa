// Addresses under which archived content is served: /at/KEY/USE/STAMP/URL. The archived URL is one percent-encoded segment, so no
// dot or slash in it is part of our path. Used in the browser, too.

/** What an address was on its page. The answer is of that kind, or there is none. */
export type AddressUse = 'page' | 'image' | 'style' | 'font'

export interface AtPath {
  /** Opens archived content, and nothing else. */
  readonly key: string
  readonly use: AddressUse
  /** The nearest visit is shown. 14 digits: UTC to the second. */
  readonly stamp: string
  readonly url: string
}

export const AT = '/at/'

const PATTERN = /^\/at\/([\w.-]{1,100})\/(page|image|style|font)\/(\d{14})\/([^/?#]{1,20000})$/

export function atPath({ key, use, stamp, url }: AtPath): string {
  return `${AT}${key}/${use}/${stamp}/${encodeURIComponent(url)}`
}

/** `path`: as it came over the wire. */
export function readAtPath(path: string): AtPath | undefined {
  const [, key, use, stamp, encoded] = PATTERN.exec(path) ?? []
  if (encoded === undefined) return undefined
  try {
    return { key: key!, use: use as AddressUse, stamp: stamp!, url: decodeURIComponent(encoded) }
  } catch {
    // A percent sign that encodes nothing.
    return undefined
  }
}

/** `20260131235959` */
export function stampOf(dateMs: number): string {
  const date = new Date(dateMs)
  return Number.isNaN(date.getTime()) ? '19700101000000' : date.toISOString().replace(/\D/g, '').slice(0, 14)
}

/** NaN when it isn't a date. */
export function dateOfStamp(stamp: string): number {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(stamp) ?? []
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}
