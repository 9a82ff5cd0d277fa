import { useId } from 'preact/hooks'
import { printable } from '../../../base/words/printable.ts'
import type { DifferenceRow, TextPiece, VisitDifference, VisitLine, Visits } from '../../../replay/reading-room.ts'
import { useAnswer, withQuery } from '../parts/api.ts'
import { shownCount, shownVisit } from '../parts/formats.ts'
import { Answered, Heading } from '../parts/panel.tsx'
import { go, To } from '../parts/router.tsx'
import { WebUrl } from '../parts/web-text.tsx'
import { ArchivedFrame } from './archived-frame.tsx'
import { readWords } from './read-words.ts'
import { indexOfVisit, isGood, kindOf, stampOf } from './stamps.ts'

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
          const last = indexOfVisit(items, to)
          // Without a time, the one that the later visit was compared with when it was made.
          const former = items.slice(0, last).findLastIndex(isGood)
          const [before, after] = [items[from === '' ? Math.max(0, former) : indexOfVisit(items, from)]!, items[last]!]
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

interface ChoiceProps {
  readonly label: string
  readonly visits: readonly VisitLine[]
  readonly chosen: VisitLine
  readonly onChoose: (stamp: string) => void
}

function Choice({ label, visits, chosen, onChoose }: ChoiceProps) {
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

/** What changed in the text: on a wide screen side by side, on a narrow one below each other. */
function Differences({ difference }: { difference: VisitDifference }) {
  const { from, to, rows, addedWords, removedWords, isCut } = difference
  const text = readWords()
  const isSame = addedWords === 0 && removedWords === 0
  return (
    <>
      <p class="verdict" role="status">
        {isSame ? text.noChange : text.change(shownCount(addedWords), shownCount(removedWords), addedWords === 1)}
      </p>
      {isCut ? <p class="look">{text.cutDifference}</p> : null}
      <table class="differences" aria-label={text.differences}>
        <thead>
          <tr>
            {[from, to].map((visit, side) => (
              <th key={side} scope="col">
                {side === 0 ? text.from : text.to}: {shownVisit(visit.dateMs)}
                <small class="faint"> {text.words(shownCount(visit.words), visit.words === 1)}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <Line key={at} row={row} />
          ))}
        </tbody>
      </table>
    </>
  )
}

function Line({ row }: { row: DifferenceRow }) {
  const text = readWords()
  if (row.kind === 'skipped') {
    return (
      <tr class="skipped">
        <td colSpan={2}>{text.skipped(shownCount(row.lines), row.lines === 1)}</td>
      </tr>
    )
  }
  const isSame = row.kind === 'same'
  const before = 'before' in row ? row.before : undefined
  const after = 'after' in row ? row.after : undefined
  return (
    <tr class={row.kind}>
      <td class={isSame || before === undefined ? '' : 'gone'}>
        <Pieces pieces={before} Mark="del" />
      </td>
      <td class={after === undefined ? '' : 'fresh'}>
        <Pieces pieces={isSame ? before : after} Mark="ins" />
      </td>
    </tr>
  )
}

/** `del` and `ins` say by themselves what they mean, and are underlined or struck out: no colour is the only sign. */
function Pieces({ pieces = [], Mark }: { pieces: readonly TextPiece[] | undefined; Mark: 'del' | 'ins' }) {
  return (
    <bdi class="web" dir="auto">
      {pieces.map(({ text, isChanged }, at) => (
        <span key={at}>
          {at === 0 ? '' : ' '}
          {isChanged ? <Mark>{printable(text)}</Mark> : printable(text)}
        </span>
      ))}
    </bdi>
  )
}
