import { unixClock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
import { writeAll } from '../../base/files/write-all.ts'
import { reasonOf } from '../../base/system-error.ts'
import { useWords } from './use-words.ts'

type Level = 'info' | 'warn' | 'error'

/** How messages are written to standard error. */
type LogForm =
  /** `escalona: message`, for a terminal. */
  | 'plain'
  /** The same with the time in front, for a log file. */
  | 'timed'
  /** One JSON object per line: time, level, message and further fields. */
  | 'json'
  /** Errors and the live page's address only, written as in `plain`. */
  | 'none'

let form: LogForm = 'plain'

/** Sets how messages are written; a command calls this once it has read its arguments. */
export function setLogForm(wanted: LogForm): void {
  form = wanted
}

/** Writes one message to standard error. `fields` appear in JSON only. */
export function say(level: Level, message: string, fields: Readonly<Record<string, unknown>> = {}): void {
  if (form === 'none' && level !== 'error') return
  tell(`${logLine(form, level, message, fields, unixClock())}\n`)
}

/** Writes a message even when only errors are wanted: what was asked for, and can't be known otherwise. */
export function sayAnyway(message: string, fields: Readonly<Record<string, unknown>>): void {
  tell(`${logLine(form, 'info', message, fields, unixClock())}\n`)
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

/** JSON with every character escaped that a terminal might obey. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, char =>
    char.replace(/[\s\S]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
}

/** Writes to standard error, synchronously and in order. Failures are ignored: there is nowhere left to report them. */
export function tell(text: string): void {
  try {
    writeAll(2, Buffer.from(text))
  } catch {
    // See above.
  }
}

/** Writes to standard output. Returns false when its reader has gone away. */
export function answer(text: string): boolean {
  try {
    writeAll(1, Buffer.from(text))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return false
    throw new EscalonaError('FILE_UNWRITABLE', useWords().cannotWriteOutput(reasonOf(error)), { cause: error })
  }
}
