import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

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
