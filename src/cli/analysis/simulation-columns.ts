import { shownCount, shownDecimal, shownDuration } from '../../base/words/quantity.ts'
import { type AtShares, MEASURED_AT } from '../../simulate/measures.ts'
import type { SimulationRow } from '../../simulate/simulate.ts'
import type { RowColumn } from '../terminal/row-writer.ts'
import { simulateWords } from './simulate-words.ts'

type Column = RowColumn<SimulationRow>

/** The columns of a simulation's table. `isWhole`: τ and hosts at every share, not only at the last one that all rows reach. */
export function simulationColumns(rows: readonly SimulationRow[], isWhole = false): Column[] {
  const { heads } = simulateWords()
  const number = (title: string, width: number, value: (row: SimulationRow) => string): Column => ({
    ...{ name: title, title, width: Math.max(width, title.length), isNumber: true, value },
  })
  const hasSpread = rows.some(({ starts }) => starts > 1)
  const spread = (value: number | null | undefined, by: number | null | undefined, digits: number) => {
    if (value === null || value === undefined) return '–'
    return shownDecimal(value, digits) + (hasSpread ? ` ±${shownDecimal(by ?? 0, digits)}` : '')
  }
  const percent = (shares: AtShares, by: AtShares, at: number) =>
    spread(timesHundred(shares[at]), timesHundred(by[at]), 1)
  const reached = MEASURED_AT.filter(at => rows.some(row => row.pageRankShare[at] !== null))
  const atLast = isWhole ? reached : reached.slice(-1)
  const gap = (ms: number | null) => (ms === null ? '–' : shownDuration(ms))
  return [
    { name: 'strategy', title: heads.strategy, width: 12, value: row => row.strategy },
    { name: 'rank', title: heads.rank, width: 9, value: row => row.rank },
    number(heads.delay, 7, row => shownDuration(row.delayMs)),
    number(heads.pages, 8, row => shownCount(row.pages)),
    number(heads.time, 11, row => shownDuration(row.virtualMs)),
    ...reached.map(at =>
      number(heads.rankAt(at * 100), 10, row => percent(row.pageRankShare, row.spread.pageRankShare, at)),
    ),
    ...atLast.map(at => number(heads.tauAt(at * 100), 11, row => spread(row.tau[at], row.spread.tau[at], 3))),
    ...atLast.map(at => number(heads.hostsAt(at * 100), 10, row => percent(row.hostShare, row.spread.hostShare, at))),
    number(heads.idle, 6, row => `${shownDecimal(row.idleSlots * 100, 0)} %`),
    number(heads.gap, 8, row => gap(row.smallestGapMs)),
    ...(rows.some(row => row.freshness !== undefined)
      ? [
          number(heads.fresh, 6, row => shownDecimal(row.freshness ?? 0, 3)),
          number(heads.uniform, 6, row => shownDecimal(row.changes?.uniform ?? 0, 3)),
          number(heads.optimum, 6, row => shownDecimal(row.changes?.optimum ?? 0, 3)),
          number(heads.visits, 8, row => shownCount(row.changes?.visits ?? 0)),
          number(heads.captured, 8, row => shownCount(row.changes?.captured ?? 0)),
          number(heads.age, 8, row => shownDuration(row.changes?.ageMs ?? 0)),
        ]
      : []),
  ]
}

function timesHundred(value: number | null | undefined): number | null {
  return typeof value === 'number' ? value * 100 : null
}
