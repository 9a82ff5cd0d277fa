// The thread that serves the live page of a crawl in the same process: the crawl's own thread never waits for a browser.
import { parentPort, workerData } from 'node:worker_threads'
import { EscalonaError } from '../base/errors.ts'
import { type Language, setLanguage } from '../base/words/language.ts'
import { CrawlView } from '../view/crawl-view.ts'
import { serverWords } from './messages.ts'
import { type UiOptions, UiServer } from './ui-server.ts'

export interface UiData extends UiOptions {
  readonly language: Language
}

/** What the thread is asked to do later. */
export type UiOrder =
  /** The crawl in this folder has been opened. */
  | { readonly kind: 'show'; readonly folder: string; readonly frontierPassword: string | undefined }
  | { readonly kind: 'close' }

/** What the thread reports: one of the first two, then troubles. */
export type UiReport =
  | { readonly kind: 'listening'; readonly url: string }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
  | { readonly kind: 'trouble'; readonly message: string }

const data = workerData as UiData
const port = parentPort!
const report = (what: UiReport) => port.postMessage(what)
const trouble = (message: string) => report({ kind: 'trouble', message })
setLanguage(data.language)

try {
  const server = await UiServer.listen(data, trouble)
  let view: CrawlView | undefined
  port.on('message', async (order: UiOrder) => {
    if (order.kind === 'show') {
      const { folder, frontierPassword } = order
      try {
        view = new CrawlView(folder, { frontierPassword, isLive: true })
        server.show(view)
      } catch (error) {
        trouble(serverWords().nothingToShow((error as Error).message))
      }
    } else {
      await server.close()
      await view?.close()
      port.close()
    }
  })
  report({ kind: 'listening', url: server.url })
} catch (error) {
  const code = error instanceof EscalonaError ? error.code : 'UI_DEFECT'
  report({ kind: 'failed', code, message: (error as Error).message })
  port.close()
}
