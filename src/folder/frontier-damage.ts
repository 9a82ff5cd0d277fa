import { EscalonaError } from '../base/errors.ts'
import { whyOf } from '../base/system-error.ts'
import { shellWord } from '../base/words/printable.ts'

/** An error about a damaged frontier also says how to make it again from the rest of the crawl's folder; others stay as they are. */
export function withRemedy(error: unknown, folder: string): unknown {
  const isDamage = error instanceof EscalonaError && error.code === 'FRONTIER_DAMAGED'
  return isDamage
    ? new EscalonaError(
        'FRONTIER_DAMAGED/rebuild',
        { damage: whyOf(error), folder: shellWord(folder) },
        { cause: error },
      )
    : error
}
