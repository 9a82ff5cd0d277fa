import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

/** A part of a page under a heading; a region with that name for those who do not see it. */
export function Panel({
  title,
  note,
  children,
  class: name = '',
}: {
  title: ComponentChildren
  note?: ComponentChildren
  children: ComponentChildren
  class?: string
}) {
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
