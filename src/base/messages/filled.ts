import { inLanguage, type Language } from '../words/language.ts'
import { printable } from '../words/printable.ts'
import { shownBytes, shownCount, shownDuration } from '../words/quantity.ts'
import type { Message } from './message.ts'

/** What fills a place. Texts may come from outside: what a terminal might obey is written out. */
export type Value = string | number | Message
export type Values = Readonly<Record<string, Value | readonly Value[]>>

/**
 * Places: `{name}`; `{name:count}`, a number with its thousands apart; `{name:duration}` of milliseconds; `{name:bytes}`;
 * `{name:list}`, `{name:clauses}` and `{name:lines}` of several values, with commas, semicolons or line ends between them; `{name:text}`, a
 * text of ours as it is; `{name?one|#}`, by whether a number is 1, where # is the number.
 */
const PLACE = /\{(\w+)(?::(\w+)|\?([^|}]*)\|([^}]*))?\}/g

/** A sentence with its values. */
export function filled(
  [en, pt]: readonly [en: string, pt: string],
  values: Values,
  language: Language,
  say: (nested: Message) => string = String,
): string {
  const shown = (value: Value | readonly Value[], form?: string): string => {
    if (form === 'text') return value as string
    if (form === 'count') return shownCount(value as number)
    if (form === 'duration') return shownDuration(value as number)
    if (form === 'bytes') return shownBytes(value as number)
    if (Array.isArray(value))
      return value.map(one => shown(one)).join(form === 'lines' ? '\n' : form === 'clauses' ? '; ' : ', ')
    return typeof value === 'object' ? say(value as Message) : printable(String(value))
  }
  return inLanguage(language, () =>
    (language === 'en' ? en : pt).replace(PLACE, (_, name: string, form?: string, one?: string, many?: string) => {
      const value = values[name]!
      if (many === undefined) return shown(value, form)
      return value === 1 ? one! : many.replace('#', shownCount(value as number))
    }),
  )
}
