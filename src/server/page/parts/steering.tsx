import { useState } from 'preact/hooks'
import type { CrawlNow } from '../../../view/questions/crawl-shapes.ts'
import { act } from './api.ts'
import { Dialog, SeedsDialog } from './dialog.tsx'
import { folderOf } from './formats.ts'
import { perform } from './notices.tsx'
import { words } from './words.ts'

/** Pause, resume, stop, and more seeds: at the top of every page while the crawl can be steered. */
export function Steering({ now }: { now: CrawlNow }) {
  const [question, setQuestion] = useState<'stop' | 'seeds'>()
  const [isBusy, setBusy] = useState(false)
  const { done } = words()
  const once = async (doing: Promise<unknown>): Promise<void> => {
    setBusy(true)
    await doing
    setBusy(false)
  }
  const close = (): void => setQuestion(undefined)
  const toggle =
    now.state === 'paused'
      ? () => once(perform(act.resume, done.resume, { isReported: true }))
      : () => once(perform(act.pause, done.pause, { isReported: true }))
  return (
    <fieldset class="steering">
      <legend class="hidden">{words().steer}</legend>
      <button type="button" class="toggle" disabled={isBusy} onClick={toggle}>
        {now.state === 'paused' ? words().resume : words().pause}
      </button>
      <button type="button" onClick={() => setQuestion('stop')}>
        {words().stop}
      </button>
      <button type="button" onClick={() => setQuestion('seeds')}>
        {words().addSeeds}
      </button>
      {question === 'seeds' ? <SeedsDialog onClose={close} /> : null}
      {question === 'stop' ? (
        <Dialog
          title={words().stopTitle}
          yes={words().stopButton}
          isGrave
          onYes={() => perform(act.stop, done.stop)}
          onClose={close}
        >
          <p>{words().stopText(folderOf(now))}</p>
        </Dialog>
      ) : null}
    </fieldset>
  )
}
