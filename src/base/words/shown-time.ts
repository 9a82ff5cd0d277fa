import { language } from './language.ts'

/** A time in this machine's time zone, for people: `16:55` today, otherwise with its date. */
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
