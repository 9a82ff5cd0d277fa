import type { HostRow } from '../../../view/questions/host-shapes.ts'
import { shownCount, shownDuration, shownMoment } from '../parts/formats.ts'
import { To } from '../parts/router.tsx'
import { hostWords } from './host-words.ts'

export function TonedText({ text, note, tone }: Toned) {
  return (
    <span class={tone ?? ''}>
      {text}
      {note === undefined ? null : <small class="faint"> {note}</small>}
    </span>
  )
}

/** A text, and how much attention it deserves. */
interface Toned {
  readonly text: string
  readonly note?: string
  readonly tone?: 'look' | 'bad'
}

/** When a host will be asked next, and why not before. */
export function nextText({ state, waiting, readyInMs, isDown, waitsFor, blockedUntilMs, failures }: HostRow): Toned {
  const words = hostWords()
  if (blockedUntilMs !== undefined)
    return { text: words.blockedUntil(shownMoment(blockedUntilMs, false)), tone: 'look' }
  if (state === 'leased') return { text: words.leased }
  if (isDown) return { text: words.down, note: words.failures(shownCount(failures), failures === 1), tone: 'bad' }
  if (waiting === 0) return { text: words.idle }
  if (readyInMs <= 0) return { text: words.now }
  const text = words.inTime(shownDuration(readyInMs))
  if (waitsFor === undefined || waitsFor === 'delay') return { text }
  const note = words.causes[waitsFor]
  return note === undefined
    ? { text }
    : { text, note, ...(waitsFor === 'crawl-delay' ? {} : { tone: 'look' as const }) }
}

export function delayText({ gap }: HostRow): Toned {
  const by = gap.by === 'setting' ? {} : { note: hostWords().by[gap.by] }
  return { text: shownDuration(gap.ms), ...by }
}

export function robotsText({ robots }: HostRow): Toned {
  return { text: hostWords().robots[robots], ...(robots === 'forbids all' ? { tone: 'look' as const } : {}) }
}

/** How many links of a host are in these states; leads to them. */
export function LinkCount({ host, states, count }: { host: string; states: string; count: number }) {
  if (count === 0) return <span class="faint">0</span>
  return (
    <To path="/links" query={{ states, host }}>
      {shownCount(count)}
    </To>
  )
}
