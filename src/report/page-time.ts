import { language } from '../base/words/language.ts'
import { words } from './report-words.ts'

/** `2026-03-01, 10:00 UTC` of an ISO time; in Portuguese `01/03/2026, 10:00 UTC`. */
export function shownTime(iso: string): string {
  return `${day(iso)}, ${iso.slice(11, 16)} ${words().utc}`
}

/** `2026-03-01, 10:00 – 10:45 UTC` of two ISO times; the second may be unknown. */
export function shownSpan(from: string, to: string | undefined): string {
  if (to === undefined) return shownTime(from)
  const start = `${day(from)}, ${from.slice(11, 16)}`
  return `${start} – ${day(to) === day(from) ? '' : `${day(to)}, `}${to.slice(11, 16)} ${words().utc}`
}

function day(iso: string): string {
  const [year = '', month = '', date = ''] = iso.slice(0, 10).split('-')
  return language() === 'pt' ? `${date}/${month}/${year}` : `${year}-${month}-${date}`
}
