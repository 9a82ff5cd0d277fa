import { type Given, MESSAGES, type Message, type MessageKey, sentence, type Values } from './messages/message.ts'
import { inLanguage, type Language } from './words/language.ts'

/** The keys of errors begin with a code in capitals. */
export type ErrorKey = Extract<MessageKey, Uppercase<string> | `${Uppercase<string>}/${string}`>
/** What programs tell errors apart by: module and fact, such as `FRONTIER_LOCKED`. */
export type ErrorCode = ErrorKey extends infer Key ? (Key extends `${infer Code}/${string}` ? Code : Key) : never

/**
 * What we or the caller did wrong. The code names module and fact (`SCRIPT_OUTPUT_IS_INPUT`); the message, in the language that was
 * current, ends with what to do next. What the input or the web did wrong is not an error: it is counted.
 */
export class EscalonaError<Key extends ErrorKey = ErrorKey> extends Error {
  readonly code: string
  /** The message as key and values: in this form it crosses threads and sockets. */
  readonly said: Message | undefined
  readonly #say: (() => string) | undefined

  constructor(key: Key, ...given: [...Given<Key>, options?: ErrorOptions])
  /** The form of modules whose sentences are not in the table yet. */
  constructor(code: string, message: string | (() => string), options?: ErrorOptions)
  constructor(key: string, given: object | string | (() => string) = {}, options?: ErrorOptions) {
    const said = typeof given === 'object' ? { key: key as Key, values: given as Values } : undefined
    const say =
      said !== undefined ? () => sentence(said) : typeof given === 'string' ? () => given : (given as () => string)
    super(say(), options)
    this.name = 'EscalonaError'
    this.code = key.split('/', 1)[0]!
    this.said = said
    this.#say = say
  }

  messageIn(language: Language): string {
    return this.#say === undefined ? this.message : inLanguage(language, this.#say)
  }
}

/** The error with this message, as it came from another thread or process; undefined if this version has no such error. */
export function errorSaying(said: unknown, options?: ErrorOptions): EscalonaError | undefined {
  const { key, values } = (said ?? {}) as Message
  return Object.hasOwn(MESSAGES, key ?? '')
    ? new EscalonaError(key as 'FILE_READER_GONE', values as never, options)
    : undefined
}

/** Does a check, which changes nothing and does not wait. The error that it throws can be said in both languages. */
export function checkedInBothLanguages<Checked>(check: () => Checked): Checked {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof EscalonaError) || error.said !== undefined) throw error
    throw new EscalonaError(error.code, () => messageOf(check) ?? error.message)
  }
}

function messageOf(check: () => unknown): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
