import { useEffect, useRef } from 'preact/hooks'
import type { FrameView } from '../../../replay/reading-room.ts'
import { atPath } from '../../../replay/rewrite/at-path.ts'
import type { FrameKey } from '../../api/routes.ts'
import { read, useAnswer } from '../parts/api.ts'

/** A page decides when it has loaded, by its images; what the bar says must not wait for that. */
const LOOK_MS = 500
/** After every visit. */
const LATEST = '99991231235959'

interface ArchivedFrameProps {
  readonly url: string
  /** The stamp of a visit; empty: the latest. */
  readonly at: string
  /** A new number: it is to be shown again, wherever the links in it have led. */
  readonly count?: number
  readonly title: string
  readonly onView?: (view: FrameView) => void
}

/**
 * An archived page in a sandbox. Links in it lead on inside the frame, which no page may look into; so the server is asked now and
 * then, and after each load, what the frame shows.
 */
export function ArchivedFrame({ url, at, count = 0, title, onView }: ArchivedFrameProps) {
  const key = useAnswer<FrameKey>('/api/frame').answer?.key
  const frame = useRef<HTMLIFrameElement>(null)
  const stamp = /^\d{14}$/.test(at) ? at : LATEST
  const path = key === undefined ? undefined : atPath({ key, use: 'page', stamp, url })
  useEffect(() => {
    // As an attribute of the element it would not change when only `count` does.
    if (path !== undefined && frame.current !== null) frame.current.src = path
  }, [path, count])
  const seen = useRef('')
  const look = async (isLoaded: boolean): Promise<void> => {
    if (key === undefined || onView === undefined) return
    const view = await read<FrameView>(`/api/frames/${key}`).catch(() => undefined)
    if (view === undefined || frame.current === null) return
    // Until another page comes, the server knows the one before.
    const isNew = JSON.stringify(view) !== seen.current
    seen.current = JSON.stringify(view)
    if (isNew || isLoaded) onView(view)
  }
  const latestLook = useRef(look)
  latestLook.current = look
  useEffect(() => {
    const timer = setInterval(() => {
      // Before the first load there is nothing to follow, and the server may have nothing to say yet.
      if (!document.hidden && seen.current !== '') void latestLook.current(false)
    }, LOOK_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <iframe
      class="archived"
      ref={frame}
      sandbox=""
      referrerPolicy="no-referrer"
      title={title}
      onLoad={() => look(true)}
    />
  )
}
