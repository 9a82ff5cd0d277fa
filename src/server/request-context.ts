import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { EscalonaError } from '../base/errors.ts'
import { type Language, languageOf } from '../base/words/language.ts'

/** What the handlers of a request share. */
export interface ServerEnv {
  Bindings: HttpBindings
}

export type RequestContext = Context<ServerEnv>

const MOST_LANGUAGES = 20

/** The language that a browser or program prefers, of those we have. */
export function languageFor(acceptLanguage: string | undefined): Language {
  const wanted = (acceptLanguage ?? '').split(',', MOST_LANGUAGES).map(part => {
    const [name = '', ...parameters] = part.trim().split(';')
    const quality = parameters.map(one => /^\s*q=([\d.]+)\s*$/i.exec(one)?.[1]).find(one => one !== undefined)
    return { name: name.trim(), quality: quality === undefined ? 1 : Number(quality) || 0 }
  })
  const ours = wanted.filter(({ name, quality }) => quality > 0 && /^(?:en|pt)(?:$|-)/i.test(name))
  return languageOf(ours.toSorted((a, b) => b.quality - a.quality)[0]?.name)
}

export function languageIn(context: RequestContext): Language {
  return languageFor(context.req.header('accept-language'))
}

/** The HTTP status of each refusal of the server's own. */
const OWN = {
  UI_BAD_REQUEST: 400,
  UI_NO_TOKEN: 401,
  UI_FOREIGN_ORIGIN: 403,
  UI_NO_SUCH_ROUTE: 404,
  UI_NO_SUCH_HOST: 404,
  UI_NO_SUCH_PAGE: 404,
  UI_NO_SUCH_FRAME: 404,
  UI_NO_SUCH_CRAWL: 404,
  UI_SEVERAL_CRAWLS: 404,
  UI_NO_REPORT: 404,
  UI_WRONG_METHOD: 405,
  UI_TOO_LARGE: 413,
  UI_NOT_JSON: 415,
  UI_WRONG_HOST: 421,
  UI_TOO_MANY_TOKENS: 429,
  UI_STARTING: 503,
  UI_TOO_MANY_STREAMS: 503,
} as const
export type ServerCode = keyof typeof OWN

/** The HTTP status of what the crawl refuses. Codes that are missing here are our own trouble: 500. */
const CRAWLS: Readonly<Record<string, number>> = {
  CRAWL_BAD_ACTION: 422,
  CRAWL_BAD_SETTING: 422,
  CRAWL_BAD_URL: 422,
  FRONTIER_UNSUPPORTED: 422,
  SEARCH_BAD_QUERY: 422,
  CRAWL_PAGE_MISSING: 404,
  CRAWL_NOT_RUNNING: 409,
  CRAWL_CLOSING: 503,
  RUN_GONE: 503,
}

export function statusOf(error: unknown): number {
  if (!(error instanceof EscalonaError)) return 500
  return Object.hasOwn(OWN, error.code) ? OWN[error.code as ServerCode] : (CRAWLS[error.code] ?? 500)
}
