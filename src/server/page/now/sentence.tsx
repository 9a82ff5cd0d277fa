import { useEffect, useRef, useState } from 'preact/hooks'
import { wallClock } from '../../../base/clock.ts'
import { WebText } from '../parts/web-text.tsx'
import type { CrawlNow } from '../wire.ts'
import { words } from '../words.ts'

/** Its numbers change every second; whoever listens to the page hears it at most this often, and when the state changes. */
const SPOKEN_EVERY_MS = 30_000
const MOST_CHARS = 600

/** What the crawl is doing or waiting for, large. */
export function Sentence({ now: { state, waitingFor, name } }: { now: CrawlNow }) {
  return (
    <div class={`doing ${state}`}>
      <p class="sentence" data-testid="sentence">
        <WebText text={sentence(waitingFor)} most={MOST_CHARS} />
      </p>
      {state === 'ended' ? <p class="faint command">{words().endedHint(name)}</p> : null}
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
    setSpoken(text.slice(0, MOST_CHARS))
  }, [state, text])
  return spoken
}
