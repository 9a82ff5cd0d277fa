import { shownCount } from './formats.ts'
import { words } from './words.ts'

/** Where in a long list the reader is, and the ways on. */
export function Pager({
  offset,
  shown,
  total,
  limit,
  names,
  onGo,
}: {
  offset: number
  shown: number
  total: number
  limit: number
  names: readonly [string, string]
  onGo: (offset: number) => void
}) {
  return (
    <nav class="pager" aria-label={names.join(', ')}>
      <button type="button" disabled={offset === 0} onClick={() => onGo(Math.max(0, offset - limit))}>
        ← {names[0]}
      </button>
      <span class="faint">
        {shown === 0 ? '' : words().range(shownCount(offset + 1), shownCount(offset + shown), shownCount(total))}
      </span>
      <button type="button" disabled={offset + shown >= total} onClick={() => onGo(offset + limit)}>
        {names[1]} →
      </button>
    </nav>
  )
}
