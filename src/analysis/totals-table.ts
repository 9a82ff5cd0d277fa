import { shownCount, shownDecimal } from '../base/words/quantity.ts'
import { escapeHtml } from '../charts/chart-page.ts'
import { idTitle, phaseTitle } from './phases.ts'
import { pictureWords } from './picture-words.ts'
import type { StackTotal } from './stack-distances.ts'

export type Sums = Omit<StackTotal, 'phase' | 'id'>

/** The totals of several stacks together. */
export function sumsOf(totals: readonly StackTotal[]): Sums {
  const sum = (name: Exclude<keyof Sums, 'mean'>) => totals.reduce((all, total) => all + total[name], 0)
  const [accesses, total] = [sum('accesses'), sum('total')]
  return {
    accesses,
    reads: sum('reads'),
    writes: sum('writes'),
    firstTouches: sum('firstTouches'),
    total,
    mean: accesses === 0 ? 0 : total / accesses,
  }
}

/** A row per phase and structure. */
export function totalsTable(totals: readonly StackTotal[]): string {
  const { heads } = pictureWords().page
  const rows = totals.map(
    ({ phase, id, accesses, reads, writes, firstTouches, total, mean }) =>
      `<tr><td>${phase} ${escapeHtml(phaseTitle(phase))}</td><td>${id}</td><td>${escapeHtml(idTitle(id))}</td>${[
        accesses,
        reads,
        writes,
        firstTouches,
        total,
      ]
        .map(n => `<td>${shownCount(n)}</td>`)
        .join('')}<td>${shownDecimal(mean, 2)}</td></tr>`,
  )
  const cells = Object.values(heads).map(head => `<th>${escapeHtml(head)}</th>`)
  return `<div class="scroll"><table class="totals"><tr>${cells.join('')}</tr>${rows.join('')}</table></div>`
}
