import type { ComponentProps } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { wallClock } from '../../../base/clock.ts'
import { excerpt } from '../../../base/words/printable.ts'
import type { LinkState } from '../../../settings/link-choice.ts'
import type { CrawlNow, CrawlSeries } from '../../../view/questions/crawl-shapes.ts'
import { useAnswer } from '../parts/api.ts'
import { crawlPath } from '../parts/crawl-path.ts'
import { folderOf, isoMoment, shownBytes, shownCount, shownDuration, shownMoment, shownRate } from '../parts/formats.ts'
import type { Live } from '../parts/live.ts'
import { Heading, numbers, Panel, TableHead } from '../parts/panel.tsx'
import { To } from '../parts/router.tsx'
import { WebText } from '../parts/web-text.tsx'
import { words } from '../parts/words.ts'
import { Feed } from './feed.tsx'
import { endedCounts, LinkCounts } from './link-counts.tsx'
import { nowWords } from './now-words.ts'
import { RecentRates, WholeRates } from './rates.tsx'

const SERIES_EVERY_MS = 3000

/** What the crawl is doing: a sentence, figures, rates over time, what is left, and what happens. */
export function NowPage({ live: { now, events, connection } }: { live: Live }) {
  const isRunning = now !== undefined && now.state !== 'ended'
  const { answer: series } = useAnswer<CrawlSeries>('/api/series', isRunning ? SERIES_EVERY_MS : undefined)
  return (
    <div class="now">
      <div class="hidden">
        <Heading title={nowWords().title}>{nowWords().title}</Heading>
      </div>
      {now === undefined ? (
        <p class="sentence">{words().loading}</p>
      ) : (
        <>
          <Sentence now={now} />
          <Figures now={now} />
          {now.challenges === undefined ? null : (
            <p class="notice" role="status">
              <WebText text={sentence(now.challenges)} most={MOST_CHARS} />
            </p>
          )}
          {now.ended === undefined ? null : (
            <EndOf ended={now.ended} isServed={connection === 'open'} folder={folderOf(now)} />
          )}
          {isRunning ? (
            <>
              <div class="two">
                <RecentRates series={series} />
                <WholeRates series={series} isRunning />
              </div>
              <div class="two">
                <div class="stack">
                  <TimeLeft now={now} />
                  <LinkCounts now={now} />
                </div>
                <Feed events={events} />
              </div>
            </>
          ) : (
            <div class="two">
              <WholeRates series={series} isRunning={false} />
              <LinkCounts now={now} />
            </div>
          )}
          {isRunning ? <p class="faint totals">{totals(now)}</p> : null}
        </>
      )}
    </div>
  )
}

interface EndProps {
  readonly ended: NonNullable<CrawlNow['ended']>
  /** The server is there to be asked for the report. */
  readonly isServed: boolean
  readonly folder: string
}

/** When the crawl ended, and where its report is. */
function EndOf({ ended: { atMs, hasReport }, isServed, folder }: EndProps) {
  const words = nowWords()
  return (
    <p class="faint totals">
      {atMs === undefined ? null : (
        <>
          {words.endedAt} <time dateTime={isoMoment(atMs)}>{shownMoment(atMs)}</time>
        </>
      )}
      {atMs !== undefined && hasReport ? ' · ' : null}
      {!hasReport ? null : isServed ? (
        <a href={`${crawlPath()}/report`}>{words.report}</a>
      ) : (
        `${words.report}: ${folder}/report.html`
      )}
    </p>
  )
}

function totals({ requests, wireBytes, workMs, machines, losses }: CrawlNow): string {
  const texts = [
    nowWords().total(shownCount(requests), shownBytes(wireBytes)),
    nowWords().worked(shownDuration(workMs)),
  ]
  if (machines !== undefined) texts.push(nowWords().machines(shownCount(machines)))
  if (losses > 0) texts.push(nowWords().losses(shownCount(losses)))
  return texts.join(' · ')
}

/** Its numbers change every second; a screen reader reads it out at most this often, and when the state changes. */
const SPOKEN_EVERY_MS = 30_000
const MOST_CHARS = 600

/** What the crawl is doing or waiting for, large. */
function Sentence({ now }: { now: CrawlNow }) {
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

interface Figure {
  readonly id: string
  readonly name: string
  readonly value: number
  readonly text: string
  readonly note?: string | undefined
  readonly tone?: 'look' | 'bad' | undefined
  /** Where what it counts is listed. */
  readonly to?: Place
}

type Place = Pick<ComponentProps<typeof To>, 'path' | 'query'>

const PAGES: Place = { path: '/pages' }
/** Hosts that wait longest come first: those that are down or blocked. */
const LONGEST_WAITING: Place = { path: '/hosts', query: { sort: 'next' } }
const SOONEST: Place = { path: '/hosts', query: { sort: 'next', reverse: true } }

function linksIn(states: LinkState): Place {
  return { path: '/links', query: { states } }
}

/** The figures that answer most questions, large enough for the other side of the room. */
function Figures({ now }: { now: CrawlNow }) {
  return (
    <div class="figures-box">
      <dl class="figures">
        {(now.state === 'ended' ? endedFigures(now) : figuresOf(now)).map(
          ({ id, name, value, text, note, tone, to }) => (
            <div key={id} class={`figure ${tone ?? ''} ${value === 0 ? 'zero' : ''}`}>
              <dt>{name}</dt>
              <dd>
                <span class="value" data-testid={`figure-${id}`} data-value={value}>
                  {to === undefined || value === 0 ? text : <To {...to}>{text}</To>}
                </span>
                {note === undefined ? null : <span class="note"> {note}</span>}
              </dd>
            </div>
          ),
        )}
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

/** What remains to be said of a crawl that has ended: how long it took, how fast it was, what it brought. */
function endedFigures(now: CrawlNow): Figure[] {
  const { figures: names, of } = nowWords()
  const { pages, limit, workMs, requests, wireBytes, frontier } = now
  const { failed } = endedCounts(now)
  const rate = workMs > 0 ? (pages / workMs) * 1000 : 0
  return [
    countFigure('pages', names.pages, pages, {
      note: limit === undefined ? undefined : of(shownCount(limit)),
      to: PAGES,
    }),
    countFigure('duration', names.duration, workMs, { text: shownDuration(workMs) }),
    countFigure('mean-rate', names.meanRate, rate, { text: shownRate(rate) }),
    countFigure('received', names.received, wireBytes, { text: shownBytes(wireBytes) }),
    countFigure('requests', names.requests, requests),
    countFigure('failed', names.failed, failed, { tone: failed > 0 ? 'bad' : undefined, to: linksIn('failed') }),
    countFigure('hosts', names.hosts, frontier.hosts, { to: { path: '/hosts' } }),
    countFigure('queue', names.queue, frontier.waiting, { to: linksIn('waiting') }),
  ]
}

function countFigure(id: string, name: string, value: number, more: Partial<Figure> = {}): Figure {
  return { id, name, value, text: shownCount(value), ...more }
}

function figuresOf(now: CrawlNow): Figure[] {
  const { figures: names, of } = nowWords()
  const { ready, resting, blocked, down } = now.hosts
  const { failed } = endedCounts(now)
  const tone = (value: number, isSo: 'look' | 'bad') => (value > 0 ? isSo : undefined)
  return [
    countFigure('pages', names.pages, now.pages, {
      note: now.limit === undefined ? undefined : of(shownCount(now.limit)),
      to: PAGES,
    }),
    countFigure('pages-per-second', names.pagesPerSecond, now.pagesPerSecond, { text: shownRate(now.pagesPerSecond) }),
    countFigure('bytes-per-second', names.bytesPerSecond, now.bytesPerSecond, { text: shownBytes(now.bytesPerSecond) }),
    countFigure('open-requests', names.openRequests, now.openRequests, {
      note: now.slots === 0 ? undefined : of(shownCount(now.slots)),
    }),
    countFigure('queue', names.queue, now.frontier.waiting, { to: linksIn('waiting') }),
    countFigure('failed', names.failed, failed, { tone: tone(failed, 'bad'), to: linksIn('failed') }),
    countFigure('hosts-ready', names.ready, ready, { to: SOONEST }),
    countFigure('hosts-resting', names.resting, resting, { to: LONGEST_WAITING }),
    countFigure('hosts-blocked', names.blocked, blocked, { tone: tone(blocked, 'look'), to: LONGEST_WAITING }),
    countFigure('hosts-down', names.down, down, { tone: tone(down, 'bad'), to: LONGEST_WAITING }),
  ]
}

/** How long it will still take, and because of whom. */
function TimeLeft({ now: { eta } }: { now: CrawlNow }) {
  const words = nowWords()
  if (eta === undefined || eta.ms === null) {
    return (
      <Panel title={words.left}>
        <p class="empty">{words.noEta}</p>
      </Panel>
    )
  }
  const time = shownDuration(eta.ms)
  return (
    <Panel title={words.left}>
      <p class="big">{eta.isAtLeast ? words.atLeast(time) : words.about(time)}</p>
      {eta.isAtLeast ? <p class="faint">{words.growing}</p> : null}
      {eta.slowest.length === 0 ? null : (
        <table class="small">
          <caption>{words.decides}</caption>
          <TableHead columns={[words.host, numbers(words.waiting), numbers(words.takes)]} />
          <tbody>
            {eta.slowest.map(({ host, waiting, ms }) => (
              <tr key={host}>
                <td>
                  <To path="/host" query={{ name: host }}>
                    <WebText text={host} most={60} />
                  </To>
                </td>
                <td class="number">{shownCount(waiting)}</td>
                <td class="number">{ms === null ? '∞' : shownDuration(ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  )
}
