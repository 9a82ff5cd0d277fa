import type { ComponentChildren } from 'preact'
import type { NumberedEvent } from '../../../view/questions/crawl-shapes.ts'
import { isoMoment, shownCount, shownMoment } from '../parts/formats.ts'
import { Panel } from '../parts/panel.tsx'
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
          {events.map(event => (
            <li key={`${event.number} ${event.atMs}`} class={event.kind}>
              <time dateTime={isoMoment(event.atMs)}>{shownMoment(event.atMs)}</time>
              <span class="kind">{words.events[event.kind as keyof typeof words.events]}</span>
              <span class="what">{whatOf(event)}</span>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

function whatOf(event: NumberedEvent): ComponentChildren {
  switch (event.kind) {
    case 'page':
      return <UrlLink url={event.page.url} path="/page" most={MOST_URL} />
    case 'failed':
      return <WithReason url={event.url} reason={event.why} />
    case 'refused':
      return <WithReason url={event.url} reason={event.reason} />
    case 'gone':
      return (
        <>
          <To path="/host" query={{ name: event.host }}>
            <WebText text={event.host} most={60} />
          </To>{' '}
          <span class="faint">
            <code>{event.why}</code>, {nowWords().linksEnded(shownCount(event.links))}
          </span>
        </>
      )
    case 'trouble':
      return <WebText text={event.message} most={300} />
    case 'action':
      return <WebText text={actionText(event.action)} most={200} />
    default:
      return null
  }
}

function WithReason({ url, reason }: { url: string; reason: string }) {
  return (
    <>
      <UrlLink url={url} most={MOST_URL} />{' '}
      <code class="faint">
        <WebText text={reason} most={40} />
      </code>
    </>
  )
}
