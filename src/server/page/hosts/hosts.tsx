import type { HostList, HostRow } from '../../../view/questions/host-shapes.ts'
import { useAnswer, withQuery } from '../parts/api.ts'
import { shownCount } from '../parts/formats.ts'
import { Pager, SearchField } from '../parts/pager.tsx'
import { Answered, Heading } from '../parts/panel.tsx'
import { go, To } from '../parts/router.tsx'
import { WebText } from '../parts/web-text.tsx'
import { words } from '../parts/words.ts'
import { hostWords } from './host-words.ts'
import { delayText, nextText, robotsText, TonedText } from './toned-text.tsx'

const LIMIT = 50
const EVERY_MS = 5000

const isPartial = ({ isComplete }: HostList): boolean => !isComplete

/** All hosts, searched, sorted and paged through in the server. Where the reader is in them is in the address. */
export function HostsPage({ query }: { query: URLSearchParams }) {
  const q = query.get('q') ?? ''
  const sort = ORDERS.find(order => order === query.get('sort')) ?? 'waiting'
  const reverse = query.get('reverse') === 'true'
  const offset = Math.max(0, Math.floor(Number(query.get('offset') ?? 0)) || 0)
  const asked = useAnswer<HostList>(
    withQuery('/api/hosts', { q, sort, reverse, offset, limit: LIMIT }),
    EVERY_MS,
    isPartial,
  )
  const to = (change: { q?: string; sort?: Order; reverse?: boolean; offset?: number }): void => {
    const next = { q, sort, reverse, offset: 0, ...change }
    go('/hosts', { ...next, offset: next.offset === 0 ? undefined : next.offset }, change.offset === undefined)
  }
  const text = hostWords()
  return (
    <>
      <div class="page-head">
        <Heading title={text.title}>{text.title}</Heading>
        <SearchField label={text.search} hint={text.searchHint} value={q} onSearch={q => to({ q })} />
        <div class="sorting">
          <label>
            {text.sort}{' '}
            <select value={sort} onChange={event => to({ sort: event.currentTarget.value as Order, reverse: false })}>
              {ORDERS.map(order => (
                <option key={order} value={order}>
                  {text.columns[order]}
                </option>
              ))}
            </select>
          </label>
          <label class="check">
            <input type="checkbox" checked={reverse} onChange={event => to({ reverse: event.currentTarget.checked })} />
            {text.reverse}
          </label>
        </div>
        <p class="faint count" role="status">
          {asked.answer === undefined ? '' : text.found(shownCount(asked.answer.total))}
          {asked.answer?.isComplete === false ? ` · ${text.reading}` : ''}
        </p>
      </div>
      <Answered asked={asked}>
        {({ items, total, isComplete }) => (
          <>
            {items.length === 0 ? (
              <p class="empty">{isComplete ? text.none : text.reading}</p>
            ) : (
              <HostTable
                rows={items}
                sort={sort}
                isReversed={reverse}
                onSort={(sort, reverse) => to({ sort, reverse })}
              />
            )}
            <Pager
              offset={offset}
              shown={items.length}
              total={total}
              limit={LIMIT}
              names={[words().previous, words().next]}
              onGo={offset => to({ offset })}
            />
          </>
        )}
      </Answered>
    </>
  )
}

const ORDERS = ['known', 'name', 'waiting', 'pages', 'failed', 'delay', 'next'] as const
type Order = (typeof ORDERS)[number]

/** Those that begin with the smallest; the others with the largest. */
const ASCENDING: readonly Order[] = ['known', 'name']
const COLUMNS = ['name', 'waiting', 'pages', 'failed', 'delay', 'next', 'server', 'robots'] as const
const NUMBERS: readonly string[] = ['waiting', 'pages', 'failed', 'delay']

interface HostTableProps {
  readonly rows: readonly HostRow[]
  readonly sort: Order
  readonly isReversed: boolean
  readonly onSort: (sort: Order, isReversed: boolean) => void
}

/** One row per host; on a narrow screen, one card. */
function HostTable({ rows, sort, isReversed, onSort }: HostTableProps) {
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
