import { Answered } from '../parts/answered.tsx'
import type { HostList } from '../parts/api.ts'
import { useAnswer, withQuery } from '../parts/api.ts'
import { shownCount } from '../parts/formats.ts'
import { Heading } from '../parts/heading.tsx'
import { Pager } from '../parts/pager.tsx'
import { go } from '../parts/router.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { words } from '../parts/words.ts'
import { HostTable, ORDERS, type Order } from './host-table.tsx'
import { hostWords } from './host-words.ts'

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
