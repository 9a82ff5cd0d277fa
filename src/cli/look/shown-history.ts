import { printable } from '../../base/words/printable.ts'
import { historyWords } from '../../view/history-lines.ts'
import type { HistoryLine } from '../../view/questions/explained-shapes.ts'

/** What `escalona explain` prints about a URL. */
export function shownHistory(url: string, lines: readonly HistoryLine[]): string[] {
  const width = Math.max(13, ...Object.values(historyWords().titles).map(title => title.length + 1))
  return [printable(url), ...lines.map(({ title, text }) => `  ${`${title}:`.padEnd(width)} ${printable(text)}`)]
}
