import { useId } from 'preact/hooks'
import { Answered } from '../parts/answered.tsx'
import type { VisitDifference, VisitLine, Visits } from '../parts/api.ts'
import { useAnswer, withQuery } from '../parts/api.ts'
import { shownCount, shownVisit } from '../parts/formats.ts'
import { Heading } from '../parts/heading.tsx'
import { go, To } from '../parts/router.tsx'
import { WebUrl } from '../parts/web-text.tsx'
import { ArchivedFrame } from './archived-frame.tsx'
import { Differences } from './differences.tsx'
import { readWords } from './read-words.ts'
import { kindOf, placeOf, stampOf } from './stamps.ts'

/** Two visits of a page side by side: what changed in its text, or the pages themselves. */
export function ComparePage({ query }: { query: URLSearchParams }) {
  const url = query.get('url') ?? ''
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? '']
  const isPages = query.get('show') === 'pages'
  const asked = useAnswer<Visits>(url === '' ? undefined : withQuery('/api/visits', { url }))
  const text = readWords()
  const change = (next: { from?: string; to?: string; show?: string }): void =>
    go('/compare', { url, from, to, show: isPages ? 'pages' : undefined, ...next }, true)
  return (
    <div class="reading">
      <p class="back">
        <To path="/visit" query={{ url, at: to }}>
          ← {text.back}
        </To>
      </p>
      <Heading title={text.compareTitle}>{text.compareTitle}</Heading>
      <p class="address">
        <WebUrl url={url} most={300} />
      </p>
      <Answered asked={asked}>
        {({ items }) => {
          const [before, after] = [items[placeOf(items, from)]!, items[placeOf(items, to)]!]
          return (
            <>
              <div class="choices">
                <Choice label={text.from} visits={items} chosen={before} onChoose={from => change({ from })} />
                <Choice label={text.to} visits={items} chosen={after} onChoose={to => change({ to })} />
                <button type="button" onClick={() => change({ from: to, to: from })}>
                  ⇄ {text.swap}
                </button>
                <fieldset class="years">
                  <legend class="hidden">{text.view}</legend>
                  <button type="button" aria-pressed={!isPages} onClick={() => change({ show: '' })}>
                    {text.text}
                  </button>
                  <button type="button" aria-pressed={isPages} onClick={() => change({ show: 'pages' })}>
                    {text.pages}
                  </button>
                </fieldset>
              </div>
              {isPages ? (
                <div class="two">
                  {[before, after].map((visit, side) => (
                    <ArchivedFrame
                      key={side}
                      url={url}
                      at={stampOf(visit.dateMs)}
                      title={`${side === 0 ? text.from : text.to}: ${shownVisit(visit.dateMs)}`}
                    />
                  ))}
                </div>
              ) : before === after ? (
                <p class="empty">{text.sameVisit}</p>
              ) : (
                <TextSide url={url} before={before} after={after} />
              )}
            </>
          )
        }}
      </Answered>
    </div>
  )
}

function TextSide({ url, before, after }: { url: string; before: VisitLine; after: VisitLine }) {
  const path = withQuery('/api/difference', { url, from: before.dateMs, to: after.dateMs })
  return <Answered asked={useAnswer<VisitDifference>(path)}>{answer => <Differences difference={answer} />}</Answered>
}

function Choice({
  label,
  visits,
  chosen,
  onChoose,
}: {
  label: string
  visits: readonly VisitLine[]
  chosen: VisitLine
  onChoose: (stamp: string) => void
}) {
  const id = useId()
  const { kinds } = readWords()
  return (
    <div class="choice">
      <label for={id}>{label}</label>
      <select id={id} value={stampOf(chosen.dateMs)} onChange={event => onChoose(event.currentTarget.value)}>
        {visits.map(visit => (
          <option key={visit.dateMs} value={stampOf(visit.dateMs)}>
            {shownVisit(visit.dateMs)} · {kindOf(visit) === 'bad' ? shownCount(visit.status) : kinds[kindOf(visit)]}
          </option>
        ))}
      </select>
    </div>
  )
}
