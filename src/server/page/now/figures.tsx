import type { CrawlNow } from '../parts/api.ts'
import { shownBytes, shownCount, shownRate } from '../parts/formats.ts'
import { nowWords } from './now-words.ts'

interface Figure {
  readonly id: string
  readonly name: string
  readonly value: number
  readonly text: string
  readonly note?: string | undefined
  readonly tone?: 'look' | 'bad' | undefined
}

/** The figures that answer most questions, large enough for the other side of the room. */
export function Figures({ now }: { now: CrawlNow }) {
  return (
    <div class="figures-box">
      <dl class="figures">
        {figuresOf(now).map(({ id, name, value, text, note, tone }) => (
          <div key={id} class={`figure ${tone ?? ''} ${value === 0 ? 'zero' : ''}`}>
            <dt>{name}</dt>
            <dd>
              <span class="value" data-testid={`figure-${id}`} data-value={value}>
                {text}
              </span>
              {note === undefined ? null : <span class="note"> {note}</span>}
            </dd>
          </div>
        ))}
      </dl>
      {now.limit === undefined ? null : (
        <progress
          class="limit"
          max={now.limit}
          value={Math.min(now.pages, now.limit)}
          aria-label={nowWords().progress}
        />
      )}
    </div>
  )
}

function figuresOf(now: CrawlNow): Figure[] {
  const { figures: names, of } = nowWords()
  const { ready, resting, blocked, down } = now.hosts
  const count = (id: string, name: string, value: number, more: Partial<Figure> = {}): Figure => ({
    id,
    name,
    value,
    text: shownCount(value),
    ...more,
  })
  const tone = (value: number, isSo: 'look' | 'bad') => (value > 0 ? isSo : undefined)
  return [
    count('pages', names.pages, now.pages, { note: now.limit === undefined ? undefined : of(shownCount(now.limit)) }),
    count('pages-per-second', names.pagesPerSecond, now.pagesPerSecond, { text: shownRate(now.pagesPerSecond) }),
    count('bytes-per-second', names.bytesPerSecond, now.bytesPerSecond, { text: shownBytes(now.bytesPerSecond) }),
    count('open-requests', names.openRequests, now.openRequests, {
      note: now.slots === 0 ? undefined : of(shownCount(now.slots)),
    }),
    count('queue', names.queue, now.frontier.waiting),
    count('failed', names.failed, now.failed, { tone: tone(now.failed, 'bad') }),
    count('hosts-ready', names.ready, ready),
    count('hosts-resting', names.resting, resting),
    count('hosts-blocked', names.blocked, blocked, { tone: tone(blocked, 'look') }),
    count('hosts-down', names.down, down, { tone: tone(down, 'bad') }),
  ]
}
