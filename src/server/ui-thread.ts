// The thread that serves the live page of a crawl in the same process: the crawl's own thread never waits for a browser.
import { parentPort, workerData } from 'node:worker_threads'
import { EscalonaError } from '../base/errors.ts'
import { type Message, message, said } from '../base/messages/message.ts'
import { whyOf } from '../base/system-error.ts'
import { type Language, setLanguage } from '../base/words/language.ts'
import type { FrontierCounts } from '../frontier/frontier.ts'
import { CrawlView } from '../view/crawl-view.ts'
import { type UiOptions, UiServer } from './ui-server.ts'

export interface UiData extends UiOptions {
  readonly language: Language
}

/** What the thread is asked to do later. */
export type UiOrder =
  /** The crawl in this folder has been opened. */
  | { readonly kind: 'show'; readonly folder: string; readonly frontierPassword: string | undefined }
  /** It has ended in good order; what its frontier counted then. */
  | { readonly kind: 'ended'; readonly frontier: FrontierCounts }
  | { readonly kind: 'close' }

/** What the thread reports: one of the first two, then troubles. */
export type UiReport =
  | { readonly kind: 'listening'; readonly url: string }
  | { readonly kind: 'failed'; readonly said: Message }
  | { readonly kind: 'trouble'; readonly message: string }

const data = workerData as UiData
const port = parentPort!
const report = (what: UiReport) => port.postMessage(what)
const trouble = (message: string) => report({ kind: 'trouble', message })
setLanguage(data.language)

try {
  const server = await UiServer.listen(data, trouble)
  let view: CrawlView | undefined
  let ending: Promise<void> | undefined
  port.on('message', async (order: UiOrder) => {
    if (order.kind === 'show') {
      const { folder, frontierPassword } = order
      try {
        view = new CrawlView(folder, { frontierPassword, isLive: true })
        server.show(view)
      } catch (error) {
        trouble(said('server/nothing-to-show', { reason: whyOf(error) }))
      }
    } else if (order.kind === 'ended') {
      view?.end(order.frontier)
      ending = server.end()
    } else {
      await ending
      await server.close()
      await view?.close()
      port.close()
    }
  })
  report({ kind: 'listening', url: server.url })
} catch (error) {
  const said = error instanceof EscalonaError ? error.said : undefined
  report({ kind: 'failed', said: said ?? message('UI_DEFECT/start', { reason: whyOf(error) }) })
  port.close()
}
