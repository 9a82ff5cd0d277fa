// Numbers and times as the reader writes them.
import { wallClock } from '../../../base/clock.ts'
import { language } from '../../../base/words/language.ts'
import { excerpt } from '../../../base/words/printable.ts'
import { shownBytes, shownCount, shownDecimal, shownDuration } from '../../../base/words/quantity.ts'

export { shownBytes, shownCount, shownDuration }

/** The browser's own spelling of the language, so that dates follow the reader's country. */
export function locale(): string {
  const own = navigator.languages.find(name => name.toLowerCase().startsWith(language()))
  return own ?? (language() === 'pt' ? 'pt-BR' : 'en-GB')
}

/** The folder of a crawl, as people write it after a command. */
export function folderOf(now: { readonly name: string } | undefined): string {
  return now === undefined ? 'DIR' : excerpt(now.name, 100)
}

/** `0.4`, `12.5`, `340`, `1,240`. */
export function shownRate(perSecond: number): string {
  if (!Number.isFinite(perSecond)) return '–'
  return perSecond < 99.95 ? shownDecimal(Math.max(perSecond, 0), 1) : shownCount(perSecond)
}

/** `16:55:03` today, otherwise with its date. */
export function shownMoment(ms: number, withSeconds = true): string {
  const time: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
  if (withSeconds) time.second = '2-digit'
  const [then, now] = [new Date(ms), new Date(wallClock())]
  if (Number.isNaN(then.getTime())) return '–'
  if (then.toDateString() === now.toDateString()) return then.toLocaleTimeString(locale(), time)
  return then.toLocaleString(locale(), { ...time, year: 'numeric', month: 'short', day: 'numeric' })
}

/** When an archived page was visited: always with its date. */
export function shownVisit(ms: number): string {
  const date = new Date(ms)
  if (Number.isNaN(date.getTime())) return '–'
  return date.toLocaleString(locale(), { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' })
}

export function isoMoment(ms: number): string {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}
