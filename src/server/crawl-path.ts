import type { IncomingMessage } from 'node:http'
import { CRAWLS_PATH } from './page-paths.ts'
import type { RequestContext } from './request-context.ts'

const names = new WeakMap<IncomingMessage, string>()

/**
 * Takes the crawl out of the path of a request: `/crawls/NAME/api/hosts` asks the crawl NAME for `/api/hosts`. So there is one table of
 * routes, whether a server shows one crawl or several.
 */
export function nameCrawl(incoming: IncomingMessage): void {
  const [, name, rest] = /^\/crawls\/([^/?]+)(\/.*|\?.*)?$/s.exec(incoming.url ?? '') ?? []
  if (name === undefined) return
  try {
    names.set(incoming, decodeURIComponent(name))
  } catch {
    // A percent sign that encodes nothing: no crawl has this name.
    names.set(incoming, '')
  }
  incoming.url = rest?.startsWith('/') ? rest : `/${rest ?? ''}`
}

/** The crawl that the path named; undefined when it named none. */
export function crawlNamedBy({ env }: RequestContext): string | undefined {
  return names.get(env.incoming)
}

/** What was taken out of the path. */
export function crawlPrefix(context: RequestContext): string {
  const name = crawlNamedBy(context)
  return name === undefined ? '' : `${CRAWLS_PATH}/${encodeURIComponent(name)}`
}
