import { useId, useState } from 'preact/hooks'
import { wallClock } from '../../../base/clock.ts'
import { printable } from '../../../base/words/printable.ts'
import { exactDuration, readDuration } from '../../../base/words/quantity.ts'
import type { HostChange } from '../../../settings/actions.ts'
import type { HostDetails } from '../../../view/questions/host-shapes.ts'
import { act } from '../parts/api.ts'
import { Dialog } from '../parts/dialog.tsx'
import { shownCount, shownMoment } from '../parts/formats.ts'
import { perform } from '../parts/notices.tsx'
import { WebText } from '../parts/web-text.tsx'
import { changedDelay, hostWords } from './host-words.ts'

/** What can be done to one host while the crawl runs. `again`: reads it anew. */
export function HostActions({ host, again }: { host: HostDetails; again: () => void }) {
  const words = hostWords()
  const [question, setQuestion] = useState<'delay' | 'block' | 'clear'>()
  const close = (): void => setQuestion(undefined)
  const change = async (what: HostChange, done: string, isReported = false): Promise<void> => {
    await perform(() => act.changeHost(host.host, what), done, { isReported })
    again()
  }
  const name = printable(host.host)
  return (
    <fieldset class="steering">
      <legend class="hidden">{words.actions}</legend>
      <button type="button" onClick={() => setQuestion('delay')}>
        {words.changeDelay}
      </button>
      <button type="button" onClick={() => setQuestion('block')}>
        {words.block}
      </button>
      <button type="button" onClick={() => change({ blockedUntilMs: null }, words.done.askNow(name), true)}>
        {words.askNow}
      </button>
      <button type="button" disabled={host.waiting === 0} onClick={() => setQuestion('clear')}>
        {words.clear}
      </button>
      {question === 'delay' ? <DelayDialog host={host} change={change} onClose={close} /> : null}
      {question === 'block' ? <BlockDialog host={host} change={change} onClose={close} /> : null}
      {question === 'clear' ? (
        <Dialog
          title={titleOf(words.clearTitle, host, '?')}
          yes={words.clear}
          isGrave
          onYes={() => change({ clear: true }, words.done.clear(name))}
          onClose={close}
        >
          <p>{words.clearText(shownCount(host.waiting))}</p>
        </Dialog>
      ) : null}
    </fieldset>
  )
}

function titleOf(what: string, { host }: HostDetails, end = '') {
  return (
    <>
      {what} <WebText text={host} />
      {end}
    </>
  )
}

interface DialogProps {
  readonly host: HostDetails
  readonly change: (what: HostChange, done: string) => Promise<void>
  readonly onClose: () => void
}

function DelayDialog({ host, change, onClose }: DialogProps) {
  const words = hostWords()
  const id = useId()
  const isOwn = host.gap.by === 'host setting'
  const [text, setText] = useState(() => exactDuration(Math.round(host.gap.ms)))
  const [isDefault, setDefault] = useState(false)
  const save = async (): Promise<void> => {
    if (isDefault) return change({ delayMs: null }, words.done.noDelay(printable(host.host)))
    const ms = readDuration(text)
    if (ms === undefined) throw new Error(words.badDelay)
    return change({ delayMs: ms }, changedDelay(host, ms))
  }
  return (
    <Dialog title={titleOf(words.delayTitle, host)} yes={words.save} onYes={save} onClose={onClose}>
      <label for={id}>{words.delayLabel}</label>
      <input
        id={id}
        type="text"
        value={text}
        disabled={isDefault}
        autocomplete="off"
        aria-describedby={`${id}-hint`}
        onInput={event => setText(event.currentTarget.value)}
      />
      <p id={`${id}-hint`} class="faint">
        {words.delayHint}
      </p>
      {isOwn ? (
        <label class="check">
          <input type="checkbox" checked={isDefault} onChange={event => setDefault(event.currentTarget.checked)} />
          {words.useDefault}
        </label>
      ) : null}
    </Dialog>
  )
}

function BlockDialog({ host, change, onClose }: DialogProps) {
  const words = hostWords()
  const id = useId()
  const [minutes, setMinutes] = useState('60')
  const block = (): Promise<void> => {
    const untilMs = Math.round(wallClock() + Number(minutes) * 60_000)
    return change({ blockedUntilMs: untilMs }, words.done.block(printable(host.host), shownMoment(untilMs, false)))
  }
  return (
    <Dialog title={titleOf(words.blockTitle, host)} yes={words.block} onYes={block} onClose={onClose}>
      <label for={id}>{words.blockFor}</label>
      <select
        id={id}
        value={minutes}
        aria-describedby={`${id}-hint`}
        onChange={event => setMinutes(event.currentTarget.value)}
      >
        {Object.entries(words.durations).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <p id={`${id}-hint`} class="faint">
        {words.blockHint}
      </p>
    </Dialog>
  )
}
