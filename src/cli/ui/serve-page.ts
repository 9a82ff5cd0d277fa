import type { UiOptions } from '../../server/ui-server.ts'
import { CrawlView } from '../../view/crawl-view.ts'
import { redisPassword } from '../terminal/redis-password.ts'
import { say } from '../terminal/say.ts'
import { StopSignals } from '../terminal/stop-signals.ts'

/** Serves the page of a crawl until a signal comes; returns its exit code. `sayWhere` hears the address of the page, with its token. */
export async function servePage(folder: string, options: UiOptions, sayWhere: (url: string) => void): Promise<number> {
  // Reading the arguments should not wait for the server's packages.
  const { UiServer } = await import('../../server/ui-server.ts')
  const view = new CrawlView(folder, { frontierPassword: redisPassword(process.env), isLive: true })
  try {
    const server = await UiServer.listen(options, message => say('warn', message))
    server.show(view)
    sayWhere(server.url)
    const code = await new Promise<number>(resolve => {
      const signals = new StopSignals(() => resolve(signals.exitCode!))
    })
    await server.close()
    return code
  } finally {
    await view.close()
  }
}
