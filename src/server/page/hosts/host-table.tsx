import type { HostRow } from '../parts/api.ts'
import { shownCount } from '../parts/formats.ts'
import { To } from '../parts/router.tsx'
import { WebText } from '../parts/web-text.tsx'
import { delayText, nextText, robotsText } from './host-texts.ts'
import { hostWords } from './host-words.ts'
import { TonedText } from './toned-text.tsx'

export const ORDERS = ['known', 'name', 'waiting', 'pages', 'failed', 'delay', 'next'] as const
export type Order = (typeof ORDERS)[number]

/** Those that begin with the smallest; the others with the largest. */
const ASCENDING: readonly Order[] = ['known', 'name']
const COLUMNS = ['name', 'waiting', 'pages', 'failed', 'delay', 'next', 'server', 'robots'] as const
const NUMBERS: readonly string[] = ['waiting', 'pages', 'failed', 'delay']

/** One row per host; on a narrow screen, one card. */
export function HostTable({
  rows,
  sort,
  isReversed,
  onSort,
}: {
  rows: readonly HostRow[]
  sort: Order
  isReversed: boolean
  onSort: (sort: Order, isReversed: boolean) => void
}) {
  const { columns, title } = hostWords()
  const direction = ASCENDING.includes(sort) === isReversed ? 'descending' : 'ascending'
  return (
    <table class="cards hosts" aria-label={title}>
      <thead>
        <tr>
          {COLUMNS.map(column => {
            const isSorted = column === sort
            const isNumber = NUMBERS.includes(column) ? 'number' : ''
            if (column === 'server' || column === 'robots') {
              return (
                <th key={column} scope="col">
                  {columns[column]}
                </th>
              )
            }
            return (
              <th key={column} scope="col" class={isNumber} aria-sort={isSorted ? direction : 'none'}>
                <button type="button" class="sort" onClick={() => onSort(column, isSorted && !isReversed)}>
                  {columns[column]}
                  <span aria-hidden="true">{isSorted ? (direction === 'ascending' ? ' ↑' : ' ↓') : ''}</span>
                </button>
              </th>
            )
          })}
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr key={row.host}>
            <td class="name">
              <To path="/host" query={{ name: row.host }}>
                <WebText text={row.host} most={80} />
              </To>
            </td>
            <td class="number" data-label={columns.waiting}>
              {shownCount(row.waiting)}
            </td>
            <td class="number" data-label={columns.pages}>
              {shownCount(row.pages)}
            </td>
            <td class={`number ${row.failed > 0 ? '' : 'faint'}`} data-label={columns.failed}>
              {shownCount(row.failed)}
            </td>
            <td class="number" data-label={columns.delay}>
              <TonedText {...delayText(row)} />
            </td>
            <td data-label={columns.next}>
              <TonedText {...nextText(row)} />
            </td>
            <td class="whole" data-label={columns.server}>
              {row.server === undefined ? '–' : <WebText text={row.server} most={45} />}
            </td>
            <td class="whole" data-label={columns.robots}>
              <TonedText {...robotsText(row)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
