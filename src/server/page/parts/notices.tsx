import { useEffect, useState } from 'preact/hooks'
import type { ActionDone } from '../../../view/questions/action-shapes.ts'
import { shownCount } from './formats.ts'
import { liveStream } from './live.ts'
import { words } from './words.ts'

interface Notice {
  readonly text: string
  readonly isError: boolean
}

const SHOWN_MS = 12_000
let show: (notice: Notice) => void = () => {}

/** Does something, says what came of it, and has the figures read again. Throws what went wrong only when `isReported` is false. */
export async function perform(
  action: () => Promise<ActionDone>,
  done: string,
  { isReported = false }: { isReported?: boolean } = {},
): Promise<ActionDone> {
  try {
    const result = await action()
    show({ text: [done, ...resultTexts(result)].filter(text => text !== '').join(' '), isError: false })
    return result
  } catch (error) {
    if (!isReported) throw error
    show({ text: (error as Error).message, isError: true })
    return {}
  } finally {
    void liveStream.refresh()
  }
}

/** What an action did, one sentence each. */
export function resultTexts({ seeds, requeued, cleared }: ActionDone): string[] {
  const { done } = words()
  const texts: string[] = []
  if (seeds !== undefined) texts.push(seeds === 0 ? done.noSeeds : done.seeds(shownCount(seeds), seeds === 1))
  if (requeued !== undefined && requeued > 0) texts.push(done.requeued(shownCount(requeued), requeued === 1))
  if (cleared !== undefined) texts.push(done.cleared(shownCount(cleared), cleared === 1))
  return texts
}

/** The result of the latest action. Good news goes away by itself. */
export function Notices() {
  const [notice, setNotice] = useState<Notice>()
  useEffect(() => {
    show = setNotice
    return () => {
      show = () => {}
    }
  }, [])
  useEffect(() => {
    if (notice === undefined || notice.isError) return
    const timer = setTimeout(() => setNotice(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [notice])
  const close = (
    <button type="button" class="plain" aria-label={words().close} onClick={() => setNotice(undefined)}>
      ×
    </button>
  )
  return (
    <div class="notices">
      <div role="status" class="notice good" hidden={notice === undefined || notice.isError}>
        {notice !== undefined && !notice.isError ? <p>{notice.text}</p> : null}
        {notice !== undefined && !notice.isError ? close : null}
      </div>
      <div role="alert" class="notice bad" hidden={notice?.isError !== true}>
        {notice?.isError === true ? <p>{notice.text}</p> : null}
        {notice?.isError === true ? close : null}
      </div>
    </div>
  )
}
