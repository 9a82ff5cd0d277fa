import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { systemTimer } from '../base/clock.ts'
import { EscalonaError, errorSaying } from '../base/errors.ts'
import { said } from '../base/messages/message.ts'
import { whyOf } from '../base/system-error.ts'
import { language } from '../base/words/language.ts'
import type { FrontierCounts } from '../frontier/frontier.ts'
import type { UiOptions } from './ui-server.ts'
import type { UiData, UiOrder, UiReport } from './ui-thread.ts'

/** The indexes of a million hosts are mostly outside of this heap. */
const HEAP_MB = 1024
/** How long the end of a crawl waits for the page to close. */
const LONGEST_CLOSE_MS = 2000

export interface Ui {
  /** The address of the page, with its token. */
  readonly url: string
  /** From now on, the crawl in this folder is shown. */
  show(folder: string, frontierPassword: string | undefined): void
  /** The crawl has ended in good order. Those who watch see how, before the page closes. */
  ended(frontier: FrontierCounts): void
  close(): Promise<void>
}

/**
 * Serves the live page in a thread of its own. Throws when the port is taken. After that, nothing that happens to the page disturbs
 * the crawl: `onTrouble` is told about it. The thread does not keep the process alive.
 */
export async function startUi(options: UiOptions, onTrouble: (message: string) => void): Promise<Ui> {
  const workerData: UiData = { ...options, language: language() }
  const thread = new Worker(new URL('./ui-thread.js', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  const url = await addressOf(thread)
  let hasEnded = false
  thread.on('message', (report: UiReport) => {
    if (report.kind === 'trouble') onTrouble(report.message)
  })
  thread.on('error', error => onTrouble(said('server/thread-died', { reason: whyOf(error) })))
  thread.on('exit', () => {
    hasEnded = true
  })
  thread.unref()
  const order = (what: UiOrder) => thread.postMessage(what)
  return {
    url,
    show: (folder, frontierPassword) => order({ kind: 'show', folder, frontierPassword }),
    ended: frontier => order({ kind: 'ended', frontier }),
    close: async () => {
      if (hasEnded) return
      const ended = once(thread, 'exit')
      thread.ref()
      order({ kind: 'close' })
      const cancel = systemTimer(LONGEST_CLOSE_MS, () => void thread.terminate())
      await ended
      cancel()
    },
  }
}

async function addressOf(thread: Worker): Promise<string> {
  const ended = once(thread, 'exit').then(([code]) => {
    throw new Error(`exit ${code}`)
  })
  const [report] = (await Promise.race([once(thread, 'message'), ended])) as [UiReport]
  if (report.kind === 'listening') return report.url
  if (report.kind === 'failed') throw errorSaying(report.said)
  throw new EscalonaError('UI_DEFECT/start', { reason: report.message })
}
