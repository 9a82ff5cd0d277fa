import { useEffect, useId, useState } from 'preact/hooks'
import {
  choiceOptions,
  LINK_ORIGINS,
  LINK_STATES,
  type LinkChoice,
  type LinkOrigin,
  type LinkState,
  reasonsIn,
} from '../../../settings/link-choice.ts'
import type { CrawlNow } from '../../../view/questions/crawl-shapes.ts'
import { LINK_ORDERS, type LinkList, type LinkOrder } from '../../../view/questions/link-shapes.ts'
import { useAnswer, withQuery } from '../parts/api.ts'
import { folderOf, shownCount } from '../parts/formats.ts'
import { offsetIn, Pager, SearchField } from '../parts/pager.tsx'
import { Answered, Heading } from '../parts/panel.tsx'
import { reasonSentence } from '../parts/reason.tsx'
import { go, To } from '../parts/router.tsx'
import { SortChoice, SortHead, type Sorting } from '../parts/sorting.tsx'
import { UrlLink, WebText, WebUrl } from '../parts/web-text.tsx'
import { words } from '../parts/words.ts'
import { LinkActions } from './link-actions.tsx'
import { linkWords } from './link-words.ts'

const LIMIT = 50
const EVERY_MS = 5000
const ASCENDING: readonly LinkOrder[] = ['known', 'url', 'host', 'reason']

const isPartial = ({ isComplete }: LinkList): boolean => !isComplete

/** The known links: by state, reason, origin and host, searched, sorted, and paged through. The choice is in the address. */
export function LinksPage({ query, now }: { query: URLSearchParams; now: CrawlNow | undefined }) {
  const which = choiceIn(query)
  const sort = LINK_ORDERS.find(order => order === query.get('sort')) ?? 'known'
  const isReversed = query.get('reverse') === 'true'
  const offset = offsetIn(query)
  const shown = { ...which, states: which.states?.join(','), sort, reverse: isReversed }
  const isRunning = now !== undefined && now.state !== 'ended'
  const asked = useAnswer<LinkList>(
    withQuery('/api/links', { ...shown, offset, limit: LIMIT }),
    isRunning ? EVERY_MS : undefined,
    isPartial,
  )
  const to = (change: Readonly<Record<string, string | number | boolean | undefined>>): void =>
    go('/links', { ...shown, sort: sort === 'known' ? undefined : sort, ...change }, change.offset === undefined)
  const sorting = {
    ...{ sort, isReversed, ascending: ASCENDING },
    onSort: (sort: LinkOrder, reverse: boolean) => to({ sort, reverse }),
  }
  const text = linkWords()
  const { answer } = asked
  return (
    <>
      <div class="page-head">
        <Heading title={text.title}>{text.title}</Heading>
        <SearchField label={text.search} hint={text.searchHint} value={which.q ?? ''} onSearch={q => to({ q })} />
        <SortChoice names={text.columns} sorting={sorting} />
        <p class="faint count" role="status" data-testid="link-count">
          {answer === undefined ? '' : countText(answer)}
        </p>
      </div>
      <Filters which={which} now={now} onChange={to} />
      {answer === undefined || now === undefined ? null : (
        <LinkActions which={which} found={answer} now={now} again={asked.again} />
      )}
      <Answered asked={asked}>
        {({ items, total, reachable, isComplete }) => (
          <>
            {items.length === 0 ? (
              <p class="empty">{isComplete ? text.none : text.noneYet}</p>
            ) : (
              <LinkTable links={items} sorting={sorting} />
            )}
            <Pager
              offset={offset}
              shown={items.length}
              total={total}
              reachable={reachable}
              limit={LIMIT}
              names={[words().previous, words().next]}
              onGo={offset => to({ offset: offset === 0 ? '' : offset })}
            />
            {isComplete && reachable < total ? <p class="faint">{text.reach(shownCount(reachable))}</p> : null}
          </>
        )}
      </Answered>
      <p class="faint">
        {text.command}{' '}
        <code class="command">
          <WebText text={`escalona list ${folderOf(now)} ${choiceOptions(which)}`.trimEnd()} most={400} />
        </code>
      </p>
    </>
  )
}

function countText({ total, isComplete }: LinkList): string {
  const { found, counting } = linkWords()
  return isComplete ? found(shownCount(total), total === 1) : counting(shownCount(total))
}

/** What an address asks for; what it gets wrong is left out. */
function choiceIn(query: URLSearchParams): LinkChoice {
  const text = (name: string): string | undefined => query.get(name)?.trim() || undefined
  const states = (text('states')?.split(',') ?? []).filter((one): one is LinkState =>
    LINK_STATES.includes(one as LinkState),
  )
  const origin = LINK_ORIGINS.find(one => one === text('origin'))
  return {
    states: states.length === 0 ? undefined : states,
    reason: text('reason'),
    origin,
    host: text('host'),
    q: text('q'),
  }
}

type Change = Readonly<Record<string, string | undefined>>

function Filters({
  which,
  now,
  onChange,
}: {
  which: LinkChoice
  now: CrawlNow | undefined
  onChange: (change: Change) => void
}) {
  const text = linkWords()
  const chosen = which.states?.join(',') ?? ''
  const states = ['', ...LINK_STATES, 'failed,refused']
  const nameOf = (states: string): string =>
    states === ''
      ? text.all
      : states
          .split(',')
          .map(one => text.states[one as LinkState])
          .join(text.or)
  const isChosen = which.states ?? which.reason ?? which.origin ?? which.host ?? which.q
  return (
    <fieldset class="filters">
      <legend class="hidden">{text.filters}</legend>
      <Choice
        label={text.state}
        value={chosen}
        options={(states.includes(chosen) ? states : [...states, chosen]).map(one => [one, nameOf(one)])}
        onChange={states => onChange({ states, reason: undefined })}
      />
      <Choice
        label={text.reason}
        value={which.reason ?? ''}
        options={reasonOptions(which, now)}
        onChange={reason => onChange({ reason })}
      />
      <Choice
        label={text.origin}
        value={which.origin ?? ''}
        options={[['', text.all], ...LINK_ORIGINS.map(one => [one, text.origins[one]] as const)]}
        onChange={origin => onChange({ origin: origin as LinkOrigin })}
      />
      <HostField value={which.host ?? ''} onChange={host => onChange({ host })} />
      {isChosen === undefined ? null : (
        <To path="/links" class="reset-filters">
          {text.reset}
        </To>
      )}
    </fieldset>
  )
}

/** The reasons that occurred among the chosen states, the most frequent first. */
function reasonOptions({ states, reason }: LinkChoice, now: CrawlNow | undefined): (readonly [string, string])[] {
  const counts = now?.frontier.refusedFor ?? {}
  const known = reasonsIn({ states }, counts).sort((a, b) => counts[b]! - counts[a]!)
  const others = reason === undefined || known.includes(reason) ? [] : [[reason, reason] as const]
  const options = known.map(one => [one, `${reasonSentence(one)} (${shownCount(counts[one]!)})`] as const)
  return [['', linkWords().all], ...options, ...others]
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [string, string])[]
  readonly onChange: (value: string) => void
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <label>
      {label}
      <select value={value} onChange={event => onChange(event.currentTarget.value)}>
        {options.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Takes what was written with Enter, or when the field is left. */
function HostField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const id = useId()
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const submit = (event: Event): void => {
    event.preventDefault()
    if (text.trim() !== value) onChange(text.trim())
  }
  return (
    <form onSubmit={submit}>
      <label for={id}>{linkWords().host}</label>
      <input
        id={id}
        type="text"
        maxLength={300}
        spellcheck={false}
        autocapitalize="off"
        placeholder={linkWords().hostHint}
        value={text}
        onInput={event => setText(event.currentTarget.value)}
        onBlur={submit}
      />
    </form>
  )
}

function LinkTable({ links, sorting }: { links: LinkList['items']; sorting: Sorting<LinkOrder> }) {
  const { columns, states, title, foundOn, seed } = linkWords()
  return (
    <table class="cards known-links" aria-label={title}>
      <thead>
        <tr>
          {(['url', 'reason', 'attempts', 'hops'] as const).map(order => (
            <SortHead key={order} order={order} isNumber={order === 'attempts' || order === 'hops'} sorting={sorting}>
              {columns[order]}
            </SortHead>
          ))}
        </tr>
      </thead>
      <tbody>
        {links.map(({ url, state, reason, from, hops, attempts, title: name = '' }) => (
          <tr key={`${state} ${url}`}>
            <td class="name">
              <UrlLink url={url} most={140} />
              {name === '' ? null : (
                <small>
                  <WebText text={name} most={120} />
                </small>
              )}
              <small class="faint">
                {from === undefined ? (
                  hops === 0 ? (
                    seed
                  ) : null
                ) : (
                  <>
                    {foundOn} <WebUrl url={from} most={120} />
                  </>
                )}
              </small>
            </td>
            <td class="whole why" data-label={columns.reason}>
              <span class={`link-state ${state}`}>{states[state]}</span>
              {reason === undefined ? null : (
                <small class="faint">
                  <WebText text={reasonSentence(reason)} most={200} />{' '}
                  <code>
                    <WebText text={reason} most={40} />
                  </code>
                </small>
              )}
            </td>
            <td class="number" data-label={columns.attempts}>
              {attempts === undefined ? '–' : shownCount(attempts)}
            </td>
            <td class="number" data-label={columns.hops}>
              {shownCount(hops)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
