import type { ComponentChildren } from 'preact'
import type { NumberedEvent } from '../../../view/questions/crawl-shapes.ts'
import { isoMoment, shownCount, shownMoment } from '../parts/formats.ts'
import { Panel } from '../parts/panel.tsx'
import { ReasonLink } from '../parts/reason.tsx'
import { To } from '../parts/router.tsx'
import { UrlLink, WebText } from '../parts/web-text.tsx'
import { actionText } from '../settings/action-table.tsx'
import { nowWords } from './now-words.ts'

const MOST_URL = 120

/** The latest events, newest first. Not read out by itself: it changes every second. */
export function Feed({ events }: { events: readonly NumberedEvent[] }) {
  const words = nowWords()
  return (
    <Panel title={words.feed} class="feed">
      {events.length === 0 ? (
        <p class="empty">{words.noEvents}</p>
      ) : (
        <ol>
          {collected(events).map(event => (
            <li key={`${event.number} ${event.atMs}`} class={event.kind === 'several gone' ? 'gone' : event.kind}>
              <time dateTime={isoMoment(event.atMs)}>{shownMoment(event.atMs)}</time>
              <span class="kind">
                {words.events[(event.kind === 'several gone' ? 'gone' : event.kind) as keyof typeof words.events]}
              </span>
              <span class="what">{whatOf(event)}</span>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

function whatOf(event: Entry): ComponentChildren {
  switch (event.kind) {
    case 'page':
      return <UrlLink url={event.page.url} path="/page" most={MOST_URL} />
    case 'failed':
      return <WithReason url={event.url} reason={event.why} />
    case 'refused':
      return <WithReason url={event.url} reason={event.reason} />
    case 'gone':
      return <GoneHosts events={[event]} />
    case 'several gone':
      return <GoneHosts events={event.events} />
    case 'trouble':
      return <WebText text={event.message} most={300} />
    case 'action':
      return <WebText text={actionText(event.action)} most={200} />
    default:
      return null
  }
}

type Gone = Extract<NumberedEvent, { kind: 'gone' }>
/** Hosts that are gone for the same reason are one entry: dead names come by the hundred, and would hide everything else. */
type Entry = NumberedEvent | { kind: 'several gone'; number: number; atMs: number; events: readonly Gone[] }

function collected(events: readonly NumberedEvent[]): Entry[] {
  const gone = events.filter(event => event.kind === 'gone')
  return events.flatMap((event): Entry[] => {
    const same = event.kind === 'gone' ? gone.filter(({ why }) => why === event.why) : []
    if (same.length < 2) return [event]
    return same[0] === event ? [{ kind: 'several gone', number: event.number, atMs: event.atMs, events: same }] : []
  })
}

const MOST_NAMED = 3

function GoneHosts({ events }: { events: readonly Gone[] }) {
  const words = nowWords()
  const links = events.reduce((sum, { links }) => sum + links, 0)
  const hosts = [...new Set(events.map(({ host }) => host))]
  return (
    <>
      {words.gone(shownCount(hosts.length), hosts.length === 1, shownCount(links), links === 1)}{' '}
      {hosts.slice(0, MOST_NAMED).map((host, at) => (
        <>
          {at === 0 ? '' : ', '}
          <To path="/host" query={{ name: host }}>
            <WebText text={host} most={40} />
          </To>
        </>
      ))}
      {hosts.length > MOST_NAMED ? `, ${words.andMore}` : ''}{' '}
      <small class="faint">
        <ReasonLink reason={events[0]!.why} />
      </small>
    </>
  )
}

function WithReason({ url, reason }: { url: string; reason: string }) {
  return (
    <>
      <UrlLink url={url} most={MOST_URL} />{' '}
      <small class="faint">
        <ReasonLink reason={reason} />
      </small>
    </>
  )
}
