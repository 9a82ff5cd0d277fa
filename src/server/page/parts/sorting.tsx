import type { ComponentChildren } from 'preact'
import { words } from './words.ts'

export interface Sorting<Order extends string> {
  readonly sort: Order
  readonly isReversed: boolean
  /** Those that begin with the smallest; the others with the largest. */
  readonly ascending: readonly Order[]
  readonly onSort: (sort: Order, isReversed: boolean) => void
}

/** The head of a column that sorts: a second click reverses it. */
export function SortHead<Order extends string>({
  order,
  isNumber = false,
  sorting: { sort, isReversed, ascending, onSort },
  children,
}: {
  order: Order
  isNumber?: boolean
  sorting: Sorting<Order>
  children: ComponentChildren
}) {
  const isSorted = order === sort
  const direction = ascending.includes(sort) === isReversed ? 'descending' : 'ascending'
  return (
    <th scope="col" class={isNumber ? 'number' : ''} aria-sort={isSorted ? direction : 'none'}>
      <button type="button" class="sort" onClick={() => onSort(order, isSorted && !isReversed)}>
        {children}
        <span aria-hidden="true">{isSorted ? (direction === 'ascending' ? ' ↑' : ' ↓') : ''}</span>
      </button>
    </th>
  )
}

/** The same as a choice, for screens without room for heads. */
export function SortChoice<Order extends string>({
  names,
  sorting: { sort, isReversed, onSort },
}: {
  names: Readonly<Record<Order, string>>
  sorting: Sorting<Order>
}) {
  return (
    <div class="sorting">
      <label>
        {words().sort}{' '}
        <select value={sort} onChange={event => onSort(event.currentTarget.value as Order, false)}>
          {Object.entries<string>(names).map(([order, name]) => (
            <option key={order} value={order}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input type="checkbox" checked={isReversed} onChange={event => onSort(sort, event.currentTarget.checked)} />
        {words().reverse}
      </label>
    </div>
  )
}
