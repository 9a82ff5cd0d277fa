import { unixClock } from '../base/clock.ts'
import { tell } from './tell.ts'

export type Level = 'info' | 'warn' | 'error'

/** How messages are written to standard error. */
export type LogForm =
  /** `escalona: message`, for a person who looks on. */
  | 'plain'
  /** The same with the time before it, for a file. */
  | 'timed'
  /** One JSON object per line: time, level, message and what else is known. */
  | 'json'
  /** Errors only, as `plain`. */
  | 'none'

let form: LogForm = 'plain'

/** From now on messages are written like this; a command sets it once, when it has read its arguments. */
export function setLogForm(wanted: LogForm): void {
  form = wanted
}

/** One message. `fields` appear in JSON only. */
export function say(level: Level, message: string, fields: Readonly<Record<string, unknown>> = {}): void {
  if (form === 'none' && level !== 'error') return
  tell(`${logLine(form, level, message, fields, unixClock())}\n`)
}

export function logLine(
  form: LogForm,
  level: Level,
  message: string,
  fields: Readonly<Record<string, unknown>>,
  nowMs: number,
): string {
  const time = new Date(nowMs).toISOString()
  if (form === 'json') return safeJson({ time, level, message, ...fields })
  return form === 'timed' ? `${time} escalona: ${message}` : `escalona: ${message}`
}

/** JSON without a character that a terminal might obey. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, char =>
    char.replace(/[\s\S]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
}
