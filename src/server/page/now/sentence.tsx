import { useEffect, useRef, useState } from 'preact/hooks'
import { wallClock } from '../../../base/clock.ts'
import { excerpt } from '../../../base/words/printable.ts'
import type { CrawlNow } from '../parts/api.ts'
import { WebText } from '../parts/web-text.tsx'

/** Its numbers change every second; whoever listens to the page hears it at most this often, and when the state changes. */
const SPOKEN_EVERY_MS = 30_000
const MOST_CHARS = 600

/** What the crawl is doing or waiting for, large. */
export function Sentence({ now }: { now: CrawlNow }) {
  const { state, waitingFor } = now
  return (
    <div class={`doing ${state}`}>
      <p class="sentence" data-testid="sentence">
        <WebText text={sentence(waitingFor)} most={MOST_CHARS} />
      </p>
      <p class="hidden" aria-live="polite">
        {useSpoken(state, waitingFor)}
      </p>
    </div>
  )
}

/** As at the beginning of a text. */
function sentence(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1)
}

function useSpoken(state: CrawlNow['state'], text: string): string {
  const [spoken, setSpoken] = useState('')
  const last = useRef({ state, atMs: wallClock() })
  useEffect(() => {
    const nowMs = wallClock()
    if (state === last.current.state && nowMs - last.current.atMs < SPOKEN_EVERY_MS) return
    last.current = { state, atMs: nowMs }
    setSpoken(excerpt(text, MOST_CHARS))
  }, [state, text])
  return spoken
}
