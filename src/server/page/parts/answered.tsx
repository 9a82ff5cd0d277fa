import type { ComponentChildren } from 'preact'
import type { Asked as AskedState } from './api.ts'
import { words } from './words.ts'

/** What was asked for, or why it is not there. */
export function Answered<Answer>({
  asked,
  children,
}: {
  asked: AskedState<Answer>
  children: (answer: Answer) => ComponentChildren
}) {
  const { answer, error, isLoading, again } = asked
  return (
    <>
      {error === undefined ? null : (
        <div class="notice bad" role="alert">
          <p>{error.message}</p>
          <button type="button" onClick={again}>
            {words().again}
          </button>
        </div>
      )}
      {answer === undefined && isLoading ? <p class="faint">{words().loading}</p> : null}
      {answer === undefined ? null : children(answer)}
    </>
  )
}
