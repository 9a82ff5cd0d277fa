/**
 * What we or the caller did wrong. The code names room and fact (`SCRIPT_OUTPUT_IS_INPUT`); the message ends with what
 * to do next. What the input or the web did wrong is not an error: it is counted.
 */
export class EscalonaError extends Error {
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'EscalonaError'
    this.code = code
  }
}
