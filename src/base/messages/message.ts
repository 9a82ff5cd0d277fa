// Every sentence of an error or a notice, by its key; whoever throws or reports one gives the key and the values that fill its places.
import { type Language, language } from '../words/language.ts'
import { archiveMessages } from './archive-messages.ts'
import { crawlMessages } from './crawl-messages.ts'
import { fetchMessages } from './fetch-messages.ts'
import { fileMessages } from './file-messages.ts'
import { filled, type Value, type Values } from './filled.ts'
import { frontierMessages } from './frontier-messages.ts'
import { redisMessages } from './redis-messages.ts'
import { schedulerMessages } from './scheduler-messages.ts'
import { searchMessages } from './search-messages.ts'
import { serverMessages } from './server-messages.ts'
import { settingsMessages } from './settings-messages.ts'
import { simulateMessages } from './simulate-messages.ts'
import { viewMessages } from './view-messages.ts'

const all = () => ({
  ...fileMessages(),
  ...schedulerMessages(),
  ...fetchMessages(),
  ...archiveMessages(),
  ...frontierMessages(),
  ...redisMessages(),
  ...settingsMessages(),
  ...crawlMessages(),
  ...searchMessages(),
  ...simulateMessages(),
  ...viewMessages(),
  ...serverMessages(),
})

let made: ReturnType<typeof all> | undefined

/**
 * The sentences, each in English and in Portuguese; made when the first one is needed, which most commands never do. `CODE` or `CODE/what` is an
 * error with that code, `module/what` a notice or a part of another sentence.
 */
export function messages(): Readonly<Record<MessageKey, readonly [en: string, pt: string]>> {
  return (made ??= all())
}

export type { Value, Values }

type Messages = ReturnType<typeof all>
export type MessageKey = keyof Messages

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
  readonly [Inside in Place<Messages[Key][0]> as Name<Inside> & string]: Filling<Inside>
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
  return filled(messages()[message.key], message.values, inLanguage, nested => sentence(nested, inLanguage))
}
