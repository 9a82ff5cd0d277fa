// Every sentence of an error or a notice, by its key; whoever throws or reports one gives the key and the values that fill its places.
import { inLanguage, type Language, language } from '../words/language.ts'
import { printable } from '../words/printable.ts'
import { shownBytes, shownCount, shownDuration } from '../words/quantity.ts'
import { ARCHIVE_MESSAGES } from './archive-messages.ts'
import { FETCH_MESSAGES } from './fetch-messages.ts'
import { FILE_MESSAGES } from './file-messages.ts'
import { SCHEDULER_MESSAGES } from './scheduler-messages.ts'
import { SEARCH_MESSAGES } from './search-messages.ts'

/** The sentences, each in English and in Portuguese. `CODE` or `CODE/what` is an error with that code, `module/what` a notice or a part of another sentence. */
export const MESSAGES = {
  ...FILE_MESSAGES,
  ...SCHEDULER_MESSAGES,
  ...FETCH_MESSAGES,
  ...ARCHIVE_MESSAGES,
  ...SEARCH_MESSAGES,
} satisfies Readonly<Record<string, readonly [en: string, pt: string]>>

export type MessageKey = keyof typeof MESSAGES

/** A sentence that is still to be said, in whatever language: what crosses threads and sockets. */
export interface Message {
  readonly key: MessageKey
  readonly values: Values
}

/** What fills a place. Texts may come from outside: what a terminal might obey is written out. */
export type Value = string | number | Message
export type Values = Readonly<Record<string, Value | readonly Value[]>>

/**
 * Places: `{name}`; `{name:count}`, a number with its thousands apart; `{name:duration}` of milliseconds; `{name:bytes}`;
 * `{name:list}`, `{name:clauses}` and `{name:lines}` of several values, with commas, semicolons or line ends between them; `{name:text}`, a
 * text of ours as it is; `{name?one|#}`, by whether a number is 1, where # is the number.
 */
const PLACE = /\{(\w+)(?::(\w+)|\?([^|}]*)\|([^}]*))?\}/g

type Place<Text> = Text extends `${string}{${infer Inside}}${infer Rest}` ? Inside | Place<Rest> : never
type Name<Inside> = Inside extends `${infer Name}${':' | '?'}${string}` ? Name : Inside
type Filling<Inside> = Inside extends `${string}:${'list' | 'clauses' | 'lines'}`
  ? readonly Value[]
  : Inside extends `${string}:text`
    ? string
    : Inside extends `${string}${':' | '?'}${string}`
      ? number
      : Value

export type ValuesOf<Key extends MessageKey> = {
  readonly [Inside in Place<(typeof MESSAGES)[Key][0]> as Name<Inside> & string]: Filling<Inside>
}

/** The values, which a sentence without places goes without. */
export type Given<Key extends MessageKey> = keyof ValuesOf<Key> extends never
  ? [values?: Readonly<Record<string, never>>]
  : [values: ValuesOf<Key>]

export function message<Key extends MessageKey>(key: Key, ...[values = {}]: Given<Key>): Message {
  return { key, values: values as Values }
}

/** The sentence in the current language. */
export function said<Key extends MessageKey>(key: Key, ...given: Given<Key>): string {
  return sentence(message(key, ...given))
}

/** A message's sentence, in the current language or another one. */
export function sentence({ key, values }: Message, said: Language = language()): string {
  const text = MESSAGES[key][said === 'en' ? 0 : 1]
  return inLanguage(said, () =>
    text.replace(PLACE, (_, name: string, form?: string, one?: string, many?: string) => {
      const value = values[name]!
      return many === undefined
        ? shown(value, form)
        : value === 1
          ? one!
          : many.replace('#', shownCount(value as number))
    }),
  )
}

function shown(value: Value | readonly Value[], form?: string): string {
  if (form === 'text') return value as string
  if (form === 'count') return shownCount(value as number)
  if (form === 'duration') return shownDuration(value as number)
  if (form === 'bytes') return shownBytes(value as number)
  if (Array.isArray(value))
    return value.map(one => shown(one)).join(form === 'lines' ? '\n' : form === 'clauses' ? '; ' : ', ')
  return typeof value === 'object' ? sentence(value as Message) : printable(String(value))
}
