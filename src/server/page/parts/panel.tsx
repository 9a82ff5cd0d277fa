import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import type { Fetched } from './api.ts'
import { liveStream } from './live.ts'
import { words } from './words.ts'

interface PanelProps {
  readonly title: ComponentChildren
  readonly note?: ComponentChildren
  readonly children: ComponentChildren
  readonly class?: string
}

/** A part of a page under a heading; a region with that name for those who do not see it. */
export function Panel({ title, note, children, class: name = '' }: PanelProps) {
  const id = useId()
  return (
    <section class={`panel ${name}`} aria-labelledby={id}>
      <div class="panel-head">
        <h2 id={id}>{title}</h2>
        {note === undefined ? null : <span class="faint">{note}</span>}
      </div>
      {children}
    </section>
  )
}

/** The first visit brings its own focus; afterwards a reader who follows a link is taken to the new page's heading. */
let isFirst = true

/** The heading of a page, and its title in the browser's tab. */
export function Heading({ title, children }: { title: string; children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title.slice(0, 100)} – Escalona`
  }, [title])
  useEffect(() => {
    if (!isFirst) {
      heading.current?.focus({ preventScroll: true })
      scrollTo(0, 0)
    }
    isFirst = false
  }, [])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  )
}

export function Facts({ facts }: { facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** What was asked for, or why it is not there. */
export function Answered<Answer>({
  asked,
  children,
}: {
  asked: Fetched<Answer>
  children: (answer: Answer) => ComponentChildren
}) {
  const { answer, error, isLoading, again } = asked
  return (
    <>
      {error === undefined || (error.status === 0 && liveStream.current.connection === 'lost') ? null : (
        <div class="notice bad" role="alert">
          <p>{error.message}</p>
          <button type="button" onClick={again}>
            {words().again}
          </button>
        </div>
      )}
      {answer === undefined && isLoading ? <p class="faint">{words().loading}</p> : null}
      {answer === undefined ? null : children(answer)}
    </>
  )
}

interface ColumnHead {
  readonly name: string
  readonly isNumber: boolean
}

/** The head of a column of numbers. */
export function numbers(name: string): ColumnHead {
  return { name, isNumber: true }
}

export function TableHead({ columns, class: type }: { columns: readonly (string | ColumnHead)[]; class?: string }) {
  const heads = columns.map(one => (typeof one === 'string' ? { name: one, isNumber: false } : one))
  return (
    <thead class={type}>
      <tr>
        {heads.map(({ name, isNumber }) => (
          <th key={name} scope="col" class={isNumber ? 'number' : undefined}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  )
}
