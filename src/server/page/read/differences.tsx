import { printable } from '../../../base/words/printable.ts'
import type { DifferenceRow, VisitDifference } from '../parts/api.ts'
import { shownCount, shownVisit } from '../parts/formats.ts'
import { readWords } from './read-words.ts'

/** What changed in the text: on a wide screen side by side, on a narrow one below each other. */
export function Differences({ difference }: { difference: VisitDifference }) {
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

function Line({ row: { kind, before, after, lines } }: { row: DifferenceRow }) {
  const text = readWords()
  if (kind === 'skipped') {
    return (
      <tr class="skipped">
        <td colSpan={2}>{text.skipped(shownCount(lines ?? 0), lines === 1)}</td>
      </tr>
    )
  }
  return (
    <tr class={kind}>
      <td class={kind === 'same' || before === undefined ? '' : 'gone'}>
        <Pieces pieces={before} Mark="del" />
      </td>
      <td class={kind === 'same' || after === undefined ? '' : 'fresh'}>
        <Pieces pieces={kind === 'same' ? before : after} Mark="ins" />
      </td>
    </tr>
  )
}

/** `del` and `ins` say by themselves what they mean, and are underlined or struck out: no colour is the only sign. */
function Pieces({ pieces = [], Mark }: { pieces: DifferenceRow['before']; Mark: 'del' | 'ins' }) {
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
