import { inLanguage, type Language } from './words/language.ts'

/**
 * What we or the caller did wrong. The code names room and fact (`SCRIPT_OUTPUT_IS_INPUT`); the message ends with what
 * to do next. What the input or the web did wrong is not an error: it is counted.
 */
export class EscalonaError extends Error {
  readonly code: string
  readonly #say: (() => string) | undefined

  /** `message`: as a function, it can be said in the language of whoever reads it, and not only in the current one. */
  constructor(code: string, message: string | (() => string), options?: ErrorOptions) {
    super(typeof message === 'string' ? message : message(), options)
    this.name = 'EscalonaError'
    this.code = code
    this.#say = typeof message === 'string' ? undefined : message
  }

  /** The message in this language, if it can be said in it. */
  messageIn(language: Language): string {
    return this.#say === undefined ? this.message : inLanguage(language, this.#say)
  }
}

/** Does a check, which changes nothing and does not wait. The error that it throws can be said in both languages. */
export function checkedInBothLanguages<Checked>(check: () => Checked): Checked {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof EscalonaError)) throw error
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
