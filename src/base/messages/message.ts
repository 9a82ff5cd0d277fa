// Every sentence of an error or a notice, by its key; whoever throws or reports one gives the key and the values that fill its places.
import { type Language, language } from '../words/language.ts'
import { ARCHIVE_MESSAGES } from './archive-messages.ts'
import { CRAWL_MESSAGES } from './crawl-messages.ts'
import { FETCH_MESSAGES } from './fetch-messages.ts'
import { FILE_MESSAGES } from './file-messages.ts'
import { filled, type Value, type Values } from './filled.ts'
import { FRONTIER_MESSAGES } from './frontier-messages.ts'
import { REDIS_MESSAGES } from './redis-messages.ts'
import { SCHEDULER_MESSAGES } from './scheduler-messages.ts'
import { SERVER_MESSAGES } from './server-messages.ts'
import { SETTINGS_MESSAGES } from './settings-messages.ts'
import { VIEW_MESSAGES } from './view-messages.ts'

/** The sentences, each in English and in Portuguese. `CODE` or `CODE/what` is an error with that code, `module/what` a notice or a part of another sentence. */
export const MESSAGES = {
  ...FILE_MESSAGES,
  ...SCHEDULER_MESSAGES,
  ...FETCH_MESSAGES,
  ...ARCHIVE_MESSAGES,
  ...FRONTIER_MESSAGES,
  ...REDIS_MESSAGES,
  ...SETTINGS_MESSAGES,
  ...CRAWL_MESSAGES,
  ...VIEW_MESSAGES,
  ...SERVER_MESSAGES,
} satisfies Readonly<Record<string, readonly [en: string, pt: string]>>

export type { Value, Values }
export type MessageKey = keyof typeof MESSAGES

/** A sentence that is still to be said, in whatever language: what crosses threads and sockets. */
export interface Message {
  readonly key: MessageKey
  readonly values: Values
}

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
export function sentence(message: Message, inLanguage: Language = language()): string {
  return filled(MESSAGES[message.key], message.values, inLanguage, nested => sentence(nested, inLanguage))
}
