import { shownCount, shownDecimal } from '../../base/words/quantity.ts'
import type { ScriptResult } from '../../script/run-script.ts'
import { runWords } from './run-words.ts'

/** The one-line summary of a run. */
export function summary({ counts, mistakes }: ScriptResult, elapsedMs: number): string {
  const words = runWords().summary
  const { protocol, malformed, extension } = counts.refused
  const refused = [protocol + malformed + extension, protocol, malformed, extension].map(shownCount)
  const parts = [
    words.read(shownCount(counts.read), counts.read === 1),
    words.accepted(shownCount(counts.accepted)),
    words.duplicates(shownCount(counts.duplicates), counts.duplicates === 1),
    words.refused(refused[0]!, refused[1]!, refused[2]!, refused[3]!),
    words.scheduled(shownCount(counts.scheduled)),
    words.hosts(shownCount(counts.hosts), counts.hosts === 1),
    `${shownDecimal(elapsedMs / 1000, 2)} s`,
    ...(mistakes > 0 ? [words.mistakes(shownCount(mistakes), mistakes === 1)] : []),
  ]
  return `escalona: ${parts.join(', ')}\n`
}
