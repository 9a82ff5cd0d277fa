import { useEffect, useState } from 'preact/hooks'
import { printable, shellWord } from '../../../base/words/printable.ts'
import type { FrameView, VisitLine, Visits } from '../../../replay/reading-room.ts'
import { useAnswer, withQuery } from '../parts/api.ts'
import { isoMoment, shownCount, shownVisit } from '../parts/formats.ts'
import { Answered, Heading, Panel } from '../parts/panel.tsx'
import { go, To } from '../parts/router.tsx'
import { hostName, isWebAddress, WebText, WebUrl } from '../parts/web-text.tsx'
import { ArchivedFrame } from './archived-frame.tsx'
import { Calendar } from './calendar.tsx'
import { readWords } from './read-words.ts'
import { indexOfVisit, kindOf, stampOf } from './stamps.ts'

/** An archived page in its frame, with the calendar of its visits. Links in the frame lead to other pages; this follows. */
export function VisitPage({ url, at, folder }: { url: string; at: string; folder: string }) {
  /** What the frame was last asked to show, and what it shows: links in it lead on. */
  const [wanted, setWanted] = useState({ url, at, count: 0 })
  const [view, setView] = useState<FrameView>()
  const want = (at: string): void => setWanted(({ count }) => ({ url, at, count: count + 1 }))
  useEffect(() => {
    const isShown = view?.url === url && stampOfView(view) === at
    const isWanted = wanted.url === url && wanted.at === at
    if (!isShown && !isWanted) want(at)
  }, [url, at])
  const asked = useAnswer<Visits>(url === '' ? undefined : withQuery('/api/visits', { url }))
  const text = readWords()
  const follow = (seen: FrameView): void => {
    setView(seen)
    const stamp = stampOfView(seen)
    // The frame's own step is in the history already.
    if (seen.url !== url || stamp !== at) go('/visit', { url: seen.url, at: stamp }, true)
  }
  const visits = asked.answer?.url === url ? asked.answer : undefined
  const shown = visits === undefined ? -1 : indexOfVisit(visits.items, at)
  const show = (index: number): void => want(stampOf(visits!.items[index]!.dateMs))
  const title = view?.title ?? ''
  const isAddress = isWebAddress(url)
  return (
    <div class="reading">
      <p class="back">
        <To path="/pages">← {text.all}</To>
      </p>
      <Heading title={printable(title === '' ? url : title)}>
        <WebText text={title === '' ? url : title} most={140} />
      </Heading>
      <Bar url={url} view={view} visits={visits} shown={shown} onShow={show} />
      <div class="room">
        {isAddress ? <ArchivedFrame {...wanted} title={text.frame} onView={follow} /> : null}
        <aside class="stack" aria-label={text.visits}>
          <Panel
            title={text.visits}
            note={visits && text.visitCount(shownCount(visits.items.length), visits.items.length === 1)}
          >
            {asked.error?.status === 404 ? (
              <p class="empty">{text.noVisits}</p>
            ) : (
              <Answered asked={asked}>
                {({ items, isCut }) => (
                  <>
                    <Calendar visits={items} shown={shown} onChoose={show} />
                    <Legend visits={items} />
                    {isCut ? <p class="faint">{text.cutVisits}</p> : null}
                    {items.length === 1 ? <OneVisit url={url} folder={folder} /> : null}
                  </>
                )}
              </Answered>
            )}
          </Panel>
          <Panel title={text.scripts}>
            <p class="faint">{text.scriptsHint}</p>
            <p>
              <code class="command">escalona wacz {folder}</code>
            </p>
            <p>
              <a href="https://replayweb.page/" target="_blank" rel="noopener noreferrer">
                replayweb.page
              </a>
            </p>
          </Panel>
        </aside>
      </div>
    </div>
  )
}

interface BarProps {
  readonly url: string
  readonly view: FrameView | undefined
  readonly visits: Visits | undefined
  readonly shown: number
  readonly onShow: (index: number) => void
}

/** What is shown and from when, and the ways on. Nothing of the archived page can look like it: it is outside of the frame. */
function Bar({ url, view, visits, shown, onShow }: BarProps) {
  const text = readWords()
  const items = visits?.items ?? []
  const former = items[shown - 1]
  return (
    <section class="shown-bar" aria-label={text.frame}>
      <div class="steps">
        <button
          type="button"
          disabled={shown <= 0}
          aria-label={text.earlier}
          title={text.earlier}
          onClick={() => onShow(shown - 1)}
        >
          ←
        </button>
        <p class="as-of" role="status">
          <As url={url} view={view} />
        </p>
        <button
          type="button"
          disabled={shown === -1 || shown >= items.length - 1}
          aria-label={text.later}
          title={text.later}
          onClick={() => onShow(shown + 1)}
        >
          →
        </button>
      </div>
      <p class="address">
        <WebUrl url={url} most={300} />
      </p>
      <p class="links">
        {former === undefined ? null : (
          <To path="/compare" query={{ url, from: stampOf(former.dateMs), to: stampOf(items[shown]!.dateMs) }}>
            {text.compare}
          </To>
        )}
        {view?.dateMs === undefined ? null : (
          <To path="/page" query={{ url }}>
            {text.details}
          </To>
        )}
        <To path="/why" query={{ url }}>
          {text.why}
        </To>
        {isWebAddress(url) && hostName(url) !== '' ? (
          <a href={url} target="_blank" rel="noopener noreferrer">
            {text.open}
          </a>
        ) : null}
      </p>
    </section>
  )
}

function As({ url, view }: { url: string; view: FrameView | undefined }) {
  const text = readWords()
  if (!isWebAddress(url)) return <b class="bad">{text.noAddress}</b>
  if (view === undefined) return <span class="faint">{text.loading}</span>
  if (view.dateMs === undefined) return <b class="bad">{text.missing}</b>
  const more = [
    ...(view.status === undefined || view.status === 200 ? [] : [text.status(String(view.status))]),
    ...(view.isCut ? [text.cut] : []),
  ]
  return (
    <>
      <time dateTime={isoMoment(view.dateMs)}>
        <b>{text.asOf(shownVisit(view.dateMs))}</b>
      </time>
      {more.length === 0 ? null : <span class="look"> {more.join(', ')}</span>}
    </>
  )
}

function OneVisit({ url, folder }: { url: string; folder: string }) {
  return (
    <>
      <p class="faint">{readWords().oneVisit}</p>
      <p>
        <code class="command">
          <WebText text={`escalona resume ${folder} --recrawl now --recrawl-only ${shellWord(url)}`} most={400} />
        </code>
      </p>
    </>
  )
}

function Legend({ visits: items }: { visits: readonly VisitLine[] }) {
  const { kinds } = readWords()
  const used = (['full', 'same', 'bad'] as const).filter(kind => items.some(visit => kindOf(visit) === kind))
  return (
    <p class="legend">
      {used.map(kind => (
        <span key={kind}>
          <span class={`key day ${kind}`} />
          {kinds[kind]}
        </span>
      ))}
    </p>
  )
}

function stampOfView({ dateMs }: FrameView): string {
  return dateMs === undefined ? '' : stampOf(dateMs)
}
