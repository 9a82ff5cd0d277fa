import type { HostList, HostRow } from '../../../view/questions/host-shapes.ts'
import { useAnswer, withQuery } from '../parts/api.ts'
import { shownCount } from '../parts/formats.ts'
import { offsetIn, Pager, SearchField } from '../parts/pager.tsx'
import { Answered, Heading } from '../parts/panel.tsx'
import { go, To } from '../parts/router.tsx'
import { SortChoice, SortHead, type Sorting } from '../parts/sorting.tsx'
import { WebText } from '../parts/web-text.tsx'
import { words } from '../parts/words.ts'
import { hostWords } from './host-words.ts'
import { delayText, LinkCount, nextText, robotsText, TonedText } from './toned-text.tsx'

const LIMIT = 50
const EVERY_MS = 5000

const isPartial = ({ isComplete }: HostList): boolean => !isComplete

/** All hosts, searched, sorted and paged through in the server. Where the reader is in them is in the address. */
export function HostsPage({ query }: { query: URLSearchParams }) {
  const q = query.get('q') ?? ''
  const sort = ORDERS.find(order => order === query.get('sort')) ?? 'waiting'
  const reverse = query.get('reverse') === 'true'
  const offset = offsetIn(query)
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
  const sorting = {
    ...{ sort, isReversed: reverse, ascending: ASCENDING },
    onSort: (sort: Order, reverse: boolean) => to({ sort, reverse }),
  }
  return (
    <>
      <div class="page-head">
        <Heading title={text.title}>{text.title}</Heading>
        <SearchField label={text.search} hint={text.searchHint} value={q} onSearch={q => to({ q })} />
        <SortChoice names={ordersOf(text.columns)} sorting={sorting} />
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
              <HostTable rows={items} sorting={sorting} />
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

const ASCENDING: readonly Order[] = ['known', 'name']
const COLUMNS = ['name', 'waiting', 'pages', 'failed', 'delay', 'next', 'server', 'robots'] as const
const NUMBERS: readonly string[] = ['waiting', 'pages', 'failed', 'delay']

function ordersOf(columns: ReturnType<typeof hostWords>['columns']): Readonly<Record<Order, string>> {
  const { server, robots, importance, ...orders } = columns
  return orders
}

/** One row per host; on a narrow screen, one card. Its counts lead to the links. */
function HostTable({ rows, sorting }: { rows: readonly HostRow[]; sorting: Sorting<Order> }) {
  const { columns, title } = hostWords()
  return (
    <table class="cards hosts" aria-label={title}>
      <thead>
        <tr>
          {COLUMNS.map(column =>
            column === 'server' || column === 'robots' ? (
              <th key={column} scope="col">
                {columns[column]}
              </th>
            ) : (
              <SortHead key={column} order={column} isNumber={NUMBERS.includes(column)} sorting={sorting}>
                {columns[column]}
              </SortHead>
            ),
          )}
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
              <LinkCount host={row.host} states="waiting" count={row.waiting} />
            </td>
            <td class="number" data-label={columns.pages}>
              <LinkCount host={row.host} states="done" count={row.pages} />
            </td>
            <td class="number" data-label={columns.failed}>
              <LinkCount host={row.host} states="failed,refused" count={row.failed} />
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
