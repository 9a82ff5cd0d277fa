import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { PAGE_PATHS, type PagePath } from '../../page-paths.ts'
import { withQuery } from './api.ts'
import { crawlPath } from './crawl-path.ts'

export interface PageLocation {
  /** Undefined when there is no such page. */
  readonly path: PagePath | undefined
  readonly query: URLSearchParams
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>

const listeners = new Set<() => void>()

function locationNow(): PageLocation {
  const own = location.pathname.slice(crawlPath().length) || '/'
  const path = PAGE_PATHS.find(known => known === own)
  return { path, query: new URLSearchParams(location.search) }
}

export function usePageLocation(): PageLocation {
  const [current, setCurrent] = useState(locationNow)
  useEffect(() => {
    const look = (): void => setCurrent(locationNow())
    listeners.add(look)
    addEventListener('popstate', look)
    return () => {
      listeners.delete(look)
      removeEventListener('popstate', look)
    }
  }, [])
  return current
}

/** `replace`: the "back" button skips where we were. */
export function go(path: PagePath, query: Query = {}, replace = false): void {
  const address = withQuery(crawlPath() + path, query)
  if (replace) history.replaceState(null, '', address)
  else history.pushState(null, '', address)
  for (const listener of listeners) listener()
}

export function To({
  path,
  query = {},
  children,
  ...rest
}: {
  path: PagePath
  query?: Query
  children?: ComponentChildren
  class?: string
  style?: { flexGrow: number }
  tabIndex?: number
  title?: string
  'aria-current'?: 'page' | undefined
  'aria-label'?: string
}) {
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    go(path, query)
  }
  return (
    <a href={withQuery(crawlPath() + path, query)} onClick={follow} {...rest}>
      {children}
    </a>
  )
}
