import { useState } from 'preact/hooks'
import { shellWord } from '../../../base/words/printable.ts'
import { MOST_SEEDS } from '../../../settings/actions.ts'
import { type LinkChoice, type LinkState, reasonsIn, stateOf } from '../../../settings/link-choice.ts'
import { aboutReason, isRuled } from '../../../settings/reasons.ts'
import type { CrawlNow } from '../../../view/questions/crawl-shapes.ts'
import type { LinkList } from '../../../view/questions/link-shapes.ts'
import { act } from '../parts/api.ts'
import { Dialog } from '../parts/dialog.tsx'
import { folderOf, shownCount } from '../parts/formats.ts'
import { perform } from '../parts/notices.tsx'
import { linkWords } from './link-words.ts'

/** What can be done to the links that a choice shows, or why nothing can. */
type Offer =
  | { readonly kind: 'retry' | 'letIn'; readonly advice?: string }
  | { readonly kind: 'none'; readonly why: string; readonly command?: string; readonly note?: string }

interface LinkActionsProps {
  readonly which: LinkChoice
  readonly found: Pick<LinkList, 'total' | 'isComplete'>
  readonly now: CrawlNow
  readonly again: () => void
}

/** Buttons that change exactly the links that are shown; where that can't work, a sentence says why. */
export function LinkActions({ which, found, now, again }: LinkActionsProps) {
  const [isAsked, setAsked] = useState(false)
  const text = linkWords()
  const { total, isComplete } = found
  if (isComplete && total === 0) return null
  const offer = offerOf(which, found, now)
  if (offer.kind === 'none') {
    return (
      <p class="faint">
        {offer.why} {offer.command === undefined ? null : <code class="command">{offer.command}</code>}{' '}
        {offer.note === undefined ? null : (
          <>
            <br />
            {offer.note}
          </>
        )}
      </p>
    )
  }
  const counted = [shownCount(total), total === 1] as const
  const [change, title, about] =
    offer.kind === 'retry'
      ? [act.retryLinks, text.retryTitle(...counted), text.retryText]
      : [act.letLinksIn, text.letInTitle(...counted), text.letInText]
  const name = text[offer.kind](...counted)
  const changeThem = async (): Promise<void> => {
    await perform(() => change(which), text.retried)
    again()
  }
  return (
    <p class="actions">
      <button type="button" onClick={() => setAsked(true)}>
        {name}
      </button>
      {isAsked ? (
        <Dialog title={title} yes={name} onYes={changeThem} onClose={() => setAsked(false)}>
          <p>{about}</p>
          {offer.advice === undefined ? null : <p class="faint">{offer.advice}</p>}
        </Dialog>
      ) : null}
    </p>
  )
}

const PLAIN = ['waiting', 'leased', 'done'] as const

function offerOf(which: LinkChoice, { total, isComplete }: LinkActionsProps['found'], now: CrawlNow): Offer {
  const { cannot } = linkWords()
  const none = (why: string): Offer => ({ kind: 'none', why })
  const { states, reason } = which
  const plain = reason === undefined ? PLAIN.find(state => states?.length === 1 && states[0] === state) : undefined
  if (plain !== undefined) return none(cannot[plain])
  const reasons = reasonsIn(which, now.frontier.refusedFor)
  const classes = new Set<LinkState>([...(reason === undefined ? (states ?? PLAIN) : []), ...reasons.map(stateOf)])
  const isOnly = (...some: LinkState[]): boolean => classes.size > 0 && [...classes].every(one => some.includes(one))
  const advice = reasons.length === 1 ? { advice: aboutReason(reasons[0]!).advice } : {}
  if (isOnly('held')) return noLettingIn(reasons, total, isComplete, now) ?? { kind: 'letIn' }
  if (!isOnly('failed', 'refused')) return none(cannot.mixed)
  if (now.state === 'ended') {
    const names = reason === undefined || reason.includes('*') ? [...classes] : [reason]
    const command = `escalona resume ${folderOf(now)} ${names.map(name => `--retry ${shellWord(name)}`).join(' ')}`
    const isPart =
      which.host !== undefined || which.q !== undefined || which.origin !== undefined || names[0] !== reason
    return { kind: 'none', why: cannot.ended, command, ...(isPart && { note: cannot.endedAll }) }
  }
  if (now.state === 'stopping') return none(cannot.ending)
  return isComplete ? { kind: 'retry', ...advice } : none(cannot.counting)
}

/** Why links that settings keep out can't be let in; undefined: they can. */
function noLettingIn(reasons: readonly string[], total: number, isComplete: boolean, now: CrawlNow): Offer | undefined {
  const { cannot } = linkWords()
  const none = (why: string): Offer => ({ kind: 'none', why })
  const advice = reasons.length === 1 ? aboutReason(reasons[0]!).advice : cannot.reasons
  if (now.state === 'ended') return none(`${cannot.endedHeld} ${advice}`)
  if (now.state === 'stopping') return none(cannot.ending)
  if (!reasons.every(isRuled)) return none(`${cannot.rule} ${advice}`)
  if (!isComplete) return none(cannot.counting)
  return total > MOST_SEEDS ? none(cannot.many(shownCount(MOST_SEEDS))) : undefined
}
