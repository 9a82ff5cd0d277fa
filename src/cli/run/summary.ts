import { shownDecimal } from '../../base/words/quantity.ts'
import type { ScriptResult } from '../../script/run-script.ts'
import { runWords } from './run-words.ts'

/** The one-line summary of a run. */
export function summary({ counts, mistakes }: ScriptResult, elapsedMs: number): string {
  const words = runWords().summary
  const { protocol, malformed, extension } = counts.refused
  const parts = [
    words.read(counts.read),
    words.accepted(counts.accepted),
    words.duplicates(counts.duplicates),
    words.refused(protocol + malformed + extension, counts.refused),
    words.scheduled(counts.scheduled),
    words.hosts(counts.hosts),
    `${shownDecimal(elapsedMs / 1000, 2)} s`,
    ...(mistakes > 0 ? [words.mistakes(mistakes)] : []),
  ]
  return `escalona: ${parts.join(', ')}\n`
}
