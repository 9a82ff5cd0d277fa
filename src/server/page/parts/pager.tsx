import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { shownCount } from './formats.ts'
import { words } from './words.ts'

interface PagerProps {
  readonly offset: number
  readonly shown: number
  readonly total: number
  /** How many of them can be shown; all, unless it says otherwise. */
  readonly reachable?: number
  readonly limit: number
  readonly names: readonly [string, string]
  readonly onGo: (offset: number) => void
}

/** Where in a long list the reader is, and the ways on. */
export function Pager({ offset, shown, total, reachable = total, limit, names, onGo }: PagerProps) {
  return (
    <nav class="pager" aria-label={names.join(', ')}>
      <button type="button" disabled={offset === 0} onClick={() => onGo(Math.max(0, offset - limit))}>
        ← {names[0]}
      </button>
      <span class="faint">
        {shown === 0 ? '' : words().range(shownCount(offset + 1), shownCount(offset + shown), shownCount(total))}
      </span>
      <button type="button" disabled={offset + shown >= reachable} onClick={() => onGo(offset + limit)}>
        {names[1]} →
      </button>
    </nav>
  )
}

/** How many an address asks to skip. */
export function offsetIn(query: URLSearchParams): number {
  return Math.max(0, Math.floor(Number(query.get('offset') ?? 0)) || 0)
}

const PAUSE_MS = 250

interface SearchFieldProps {
  readonly label: string
  readonly value: string
  readonly hint?: string
  readonly onSearch: (text: string) => void
}

/** A field that searches when the typing pauses, or at once with Enter. */
export function SearchField({ label, value, hint, onSearch }: SearchFieldProps) {
  const id = useId()
  const [text, setText] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => setText(value), [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  const type = (typed: string): void => {
    setText(typed)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onSearch(typed.trim()), PAUSE_MS)
  }
  const submit = (event: Event): void => {
    event.preventDefault()
    clearTimeout(timer.current)
    onSearch(text.trim())
  }
  return (
    <search>
      <form class="search" onSubmit={submit}>
        <label class="hidden" for={id}>
          {label}
        </label>
        <input
          id={id}
          type="search"
          maxLength={1000}
          value={text}
          placeholder={hint ?? label}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          data-search
          onInput={event => type(event.currentTarget.value)}
        />
      </form>
    </search>
  )
}
