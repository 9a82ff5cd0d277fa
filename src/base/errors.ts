import {
  type Given,
  type Message,
  type MessageKey,
  message,
  messages,
  sentence,
  type Values,
} from './messages/message.ts'
import type { Language } from './words/language.ts'

/** The keys of errors begin with a code in capitals. */
export type ErrorKey = Extract<MessageKey, Uppercase<string> | `${Uppercase<string>}/${string}`>
/**
 * What we or the caller did wrong. The code names module and fact (`SCRIPT_OUTPUT_IS_INPUT`); the message, in the language that was
 * current, ends with what to do next. What the input or the web did wrong is not an error: it is counted.
 */
export class EscalonaError<Key extends ErrorKey = ErrorKey> extends Error {
  readonly code: string
  /** The message as key and values: in this form it crosses threads and sockets. */
  readonly said: Message

  constructor(key: Key, ...given: [...Given<Key>, options?: ErrorOptions])
  /** With a sentence that an edge (the command line) has made itself, in the current language. */
  constructor(code: string, sentence: string, options?: ErrorOptions)
  constructor(key: string, given: object | string = {}, options?: ErrorOptions) {
    const said: Message =
      typeof given === 'string' ? message('edge/text', { text: given }) : { key: key as Key, values: given as Values }
    super(sentence(said), options)
    this.name = 'EscalonaError'
    this.code = key.split('/', 1)[0]!
    this.said = said
  }

  messageIn(language: Language): string {
    return sentence(this.said, language)
  }
}

/** The error with this message, as it came from another thread or process; undefined if this version has no such error. */
export function errorSaying(said: unknown, options?: ErrorOptions): EscalonaError | undefined {
  const { key = '', values } = (said ?? {}) as Partial<Message>
  return /^[A-Z]/.test(key) && Object.hasOwn(messages(), key)
    ? new EscalonaError(key as 'FILE_READER_GONE', values as never, options)
    : undefined
}
