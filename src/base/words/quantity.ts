import { catalogue, language } from './language.ts'

// Durations, sizes, counts and rates as people write and read them.

const words = catalogue({
  en: { unknown: 'unknown', comma: '.', group: ',' },
  pt: { unknown: 'desconhecido', comma: ',', group: '.' },
})

const MS_OF: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

const COUNT_OF: Readonly<Record<string, number>> = { '': 1, k: 1e3, K: 1e3, M: 1e6, G: 1e9 }

/** `kB` is 1,000 bytes, `KiB` is 1,024. */
const BYTES_OF: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
}

/** Milliseconds of `250ms`, `1.5s`, `2m` or `2min`, `8h`, `1d`, or `0`; undefined for anything else: without a unit, nobody knows which is meant. */
export function readDuration(text: string): number | undefined {
  return text.trim() === '0' ? 0 : read(text, MS_OF)
}

/** Whole bytes of `500KiB`, `10MB`, `4096`, in any case; undefined for anything else. */
export function readSize(text: string): number | undefined {
  const bytes = read(text.toLowerCase(), BYTES_OF)
  return bytes === undefined ? undefined : Math.round(bytes)
}

/** A whole number: `100000`, `100_000`, `100k`, `1.5M`, `1e5`; undefined for anything else. */
export function readCount(text: string): number | undefined {
  const plain = text.trim().replace(/(?<=\d)_(?=\d)/g, '')
  const [, digits, exponent] = /^(\d{1,16}(?:\.\d{1,16})?)[eE]\+?(\d{1,2})$/.exec(plain) ?? []
  const count = digits === undefined ? read(plain, COUNT_OF) : Number(`${digits}e${exponent}`)
  return Number.isSafeInteger(count) ? count : undefined
}

/** Events per second of `200/s`, `90/min`, `1k/h`, or a bare number per second; undefined for anything else. */
export function readRate(text: string): number | undefined {
  const [, amount, unit] = /^([^/]{1,40})\/ ?(s|m|min|h|d)$/.exec(text.trim()) ?? [undefined, text, 's']
  const count = read(amount!.replace(/(?<=\d)_(?=\d)/g, ''), COUNT_OF)
  return count === undefined ? undefined : count / (MS_OF[unit!]! / 1000)
}

/** As far as it can be counted exactly. */
function read(text: string, units: Readonly<Record<string, number>>): number | undefined {
  // As many decimals as JavaScript writes without an exponent.
  const [, digits, unit] = /^(\d{1,16}(?:\.\d{1,24})?) ?([A-Za-z]*)$/.exec(text.trim()) ?? []
  const factor = Object.hasOwn(units, unit ?? '') ? units[unit ?? ''] : undefined
  if (digits === undefined || factor === undefined) return undefined
  const amount = Number(digits) * factor
  return amount <= Number.MAX_SAFE_INTEGER ? amount : undefined
}

const S = 1000
const MIN = 60 * S
const H = 60 * MIN
const D = 24 * H

/** In one or two units: `230 ms`, `4.5 s`, `45 s`, `2 min 5 s`, `1 h 20 min`, `3 d 4 h`. */
export function shownDuration(ms: number): string {
  if (!Number.isFinite(ms)) return words().unknown
  const rest = Math.max(ms, 0)
  if (Math.round(rest) < S) return `${Math.round(rest)} ms`
  if (rest < 9.95 * S) return `${shownDecimal(rest / S, 1)} s`
  if (Math.round(rest / S) < 60) return `${Math.round(rest / S)} s`
  if (Math.round(rest / S) < 600) return inTwo(Math.round(rest / S), 60, 'min', 's')
  if (Math.round(rest / MIN) < 60) return `${Math.round(rest / MIN)} min`
  if (Math.round(rest / MIN) < (2 * D) / MIN) return inTwo(Math.round(rest / MIN), 60, 'h', 'min')
  return inTwo(Math.round(rest / H), 24, 'd', 'h')
}

function inTwo(small: number, smallInLarge: number, largeUnit: string, smallUnit: string): string {
  const large = shownCount(Math.floor(small / smallInLarge))
  return small % smallInLarge === 0
    ? `${large} ${largeUnit}`
    : `${large} ${largeUnit} ${small % smallInLarge} ${smallUnit}`
}

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']

/** `512 B`, `12.3 MB`, `123 MB`: in thousands. */
export function shownBytes(bytes: number): string {
  if (!Number.isFinite(bytes)) return words().unknown
  let amount = Math.max(Math.round(bytes), 0)
  let unit = 0
  for (; Math.round(amount) >= 1000 && unit < BYTE_UNITS.length - 1; unit++) amount /= 1000
  const isWhole = unit === 0 || amount >= 99.95
  return `${isWhole ? shownCount(amount) : shownDecimal(amount, 1)} ${BYTE_UNITS[unit]}`
}

/** `12,345`; in Portuguese `12.345`. */
export function shownCount(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(?:\d{3})+$)/g, words().group)
}

/** `1 page`, `12,345 pages`. */
export function counted(count: number, one: string, many: string, shown = shownCount(count)): string {
  return `${shown} ${count === 1 ? one : many}`
}

/** `0.5`; in Portuguese `0,5`. For numbers under a thousand. */
export function shownDecimal(number: number, digits: number): string {
  return number.toFixed(digits).replace('.', words().comma)
}

/** A duration that `readDuration` reads back exactly: `90s`, `2h`. */
export function exactDuration(ms: number): string {
  return inUnits(ms, ['d', 'h', 'm', 's', 'ms'], MS_OF)
}

/** A size that `readSize` reads back exactly: `10MiB`, `1500B`. */
export function exactSize(bytes: number): string {
  return inUnits(bytes, ['GiB', 'GB', 'MiB', 'MB', 'KiB', 'kB', 'B'], BYTES_OF)
}

/** In the largest of these units that gives a whole number; they come in this order. */
function inUnits(amount: number, units: readonly string[], factors: Readonly<Record<string, number>>): string {
  const factorOf = (unit: string) => factors[unit.toLowerCase()]!
  const unit = units.find(one => amount > 0 && Number.isInteger(amount / factorOf(one))) ?? units.at(-1)!
  return `${amount / factorOf(unit)}${unit}`
}

/** In this machine's time zone: `16:55` today, otherwise with its date. */
export function shownTime(ms: number, nowMs: number): string {
  const [then, now] = [new Date(ms), new Date(nowMs)]
  const time = `${two(then.getHours())}:${two(then.getMinutes())}`
  if (then.toDateString() === now.toDateString()) return time
  const parts = [String(then.getFullYear()), two(then.getMonth() + 1), two(then.getDate())]
  return `${language() === 'pt' ? parts.reverse().join('/') : parts.join('-')} ${time}`
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}

/** How many per second: with a decimal as long as that says something. */
export function shownSpeed(perSecond: number): string {
  return perSecond < 9.95 ? shownDecimal(perSecond, 1) : shownCount(perSecond)
}
