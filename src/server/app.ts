import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { EscalonaError } from '../base/errors.ts'
import { said } from '../base/messages/message.ts'
import { unguessable } from '../base/random.ts'
import { excerpt } from '../base/words/printable.ts'
import { settingIn } from '../settings/check-options.ts'
import { REPORT } from '../view/questions/crawl-shapes.ts'
import { QUESTIONS, type QuestionRow, type ShownName } from '../view/questions/questions.ts'
import type { TypeOf } from '../view/questions/shape.ts'
import { AccessControl, type AccessOptions, HEADERS, noTokenPage } from './access-control.ts'
import { openApi } from './api/openapi.ts'
import { type AskedRoute, OTHERS, partsOf, READING, ROUTES } from './api/routes.ts'
import { crawlNamedBy, nameCrawl } from './crawl-path.ts'
import type { EventStreams } from './event-streams.ts'
import { Metrics } from './metrics.ts'
import { PageFiles } from './page-files.ts'
import { CRAWLS_PATH, PAGE_PATHS } from './page-paths.ts'
import { readParameters, readQuestion } from './read-request.ts'
import { archivedContent, isArchivedPath, ReadingKeys } from './reading.ts'
import { languageIn, type RequestContext, type ServerEnv, statusOf } from './request-context.ts'
import type { ShownCrawl, ShownCrawls } from './shown-crawls.ts'

interface HandlerOptions extends AccessOptions {
  /** Undefined until the crawl has been opened. */
  readonly shown: () => ShownCrawls | undefined
  /** Called when an answer failed for no known reason. */
  readonly onTrouble: (message: string) => void
}

export type RequestHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>

type AnswerAt<Path> = Path extends { readonly answer: infer Answer } ? TypeOf<Answer> : object

const MOST_TROUBLES = 10

/** Answers requests: everything that the packages are needed for. */
export function requestHandler(options: HandlerOptions): RequestHandler {
  const app = createApp(options)
  const answer = getRequestListener(app.fetch as never, { overrideGlobalObjects: false })
  return async (incoming, outgoing) => {
    nameCrawl(incoming)
    for (const [name, value] of Object.entries(HEADERS)) outgoing.setHeader(name, value)
    await answer(incoming, outgoing)
  }
}

/** The access of every request is checked; then the table of routes says what it asks for. */
function createApp({ shown, onTrouble, ...options }: HandlerOptions): Hono<ServerEnv> {
  const access = new AccessControl(options)
  const keys = new ReadingKeys(unguessable())
  const files = new PageFiles()
  const metrics = new Metrics()
  const onDefect = firstOf(onTrouble)
  const app = new Hono<ServerEnv>()
  app.use(async (context, next) => {
    access.checkName(context)
    if (isArchivedPath(context.env.incoming.url ?? '')) {
      context.res = await archivedContent(context, id => crawls().withId(id).room, keys)
      return context.res
    }
    access.checkSender(context)
    const isOpen = OTHERS.healthz.path === context.req.path
    const answer = isOpen ? undefined : access.checkToken(context)
    if (answer === undefined) await next()
    else context.res = answer
    return answer
  })
  app.get(OTHERS.healthz.path, context => context.text('ok\n'))
  app.get(OTHERS.openapi.path, context => context.json(openApi()))
  app.get(OTHERS.metrics.path, async context => {
    const { view } = shownTo(context)
    const text = await metrics.text(await view.ask('crawl', {}), await view.ask('totals', {}))
    return context.body(text, 200, { 'content-type': metrics.contentType })
  })
  app.get(OTHERS.report.path, context => report(context, shownTo(context).view.folder))
  answerAt(OTHERS.crawls, () => crawls().list())
  app.get(OTHERS.events.path, context => listen(context, shownTo(context).streams))
  for (const [name, { route, asks, checks = asks, acts }] of Object.entries<QuestionRow>(QUESTIONS)) {
    if (route === undefined) continue
    answerAt({ ...route, asks: checks }, (given, context) => {
      const { view } = shownTo(context)
      if (acts !== undefined) return view.ask('act', { action: acts(given as never) })
      return view.ask(name as ShownName, given as never, languageIn(context))
    })
  }
  answerAt(READING.visits, async ({ url }, context) => shownTo(context).room.visits(url))
  answerAt(READING.difference, ({ url, from, to }, context) => shownTo(context).room.difference(url, from, to))
  answerAt(READING.frame, async (_, context) => ({ key: keys.make(shownTo(context).id) }))
  answerAt(READING.frameView, async ({ key }) => keys.viewOf(key))
  for (const path of PAGE_PATHS) {
    app.get(path, async context => {
      // Without a name, there is only the list of crawls to be seen.
      if (path !== CRAWLS_PATH && crawlNamedBy(context) === undefined && shown()?.areSeveral)
        return context.redirect(CRAWLS_PATH, 303)
      return (await files.answer(context, 'index.html')) ?? unknown(context)
    })
  }
  app.get(
    '/:name{[\\w.-]+}',
    async context => (await files.answer(context, context.req.param('name'))) ?? unknown(context),
  )
  app.notFound(unknown)
  app.onError((error, context) => {
    if (!(error instanceof EscalonaError)) onDefect(error)
    return failed(error, context)
  })
  return app

  /** `answer`: undefined when there is no such host, page or frame. */
  function answerAt<Path extends AskedRoute & { readonly answer?: unknown }>(
    route: Path,
    answer: (given: TypeOf<Path['asks']>, context: RequestContext) => Promise<AnswerAt<Path> | undefined>,
  ): void {
    const parts = partsOf(route)
    app.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), async context => {
      const found = await answer((await readQuestion(context, parts)) as TypeOf<Path['asks']>, context)
      if (found === undefined) throw nothing(context)
      // Fields that are undefined are left out, and null means infinite.
      return context.json(found)
    })
  }

  function crawls(): ShownCrawls {
    const all = shown()
    if (all === undefined) throw new EscalonaError('UI_STARTING')
    return all
  }

  function shownTo(context: RequestContext): ShownCrawl {
    return crawls().named(crawlNamedBy(context))
  }
}

/** The page of charts that a crawl wrote. Its scripts run without an origin: they can ask this server nothing. */
const REPORT_POLICY =
  "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"

async function report(context: RequestContext, folder: string): Promise<Response> {
  const html = await readFile(join(folder, REPORT)).catch(() => undefined)
  if (html === undefined) throw new EscalonaError('UI_NO_REPORT')
  context.env.outgoing.setHeader('content-security-policy', REPORT_POLICY)
  return context.body(new Uint8Array(html), 200, { 'content-type': 'text/html; charset=utf-8' })
}

/** The answer never ends: it is written to the connection itself, which says when its reader is too slow. */
function listen(context: RequestContext, streams: EventStreams): Response {
  if (streams.isFull) throw new EscalonaError('UI_TOO_MANY_STREAMS')
  const { brief = false } = readParameters(context, OTHERS.events.asks, new URL(context.req.url).searchParams)
  const { outgoing } = context.env
  const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' }
  if (context.req.method === 'HEAD') return context.body(null, 200, headers)
  outgoing.writeHead(200, headers)
  const last = Number(context.req.header('last-event-id') ?? 0)
  const after = Number.isSafeInteger(last) && last > 0 ? last : 0
  streams.add(outgoing, languageIn(context), after, brief)
  return RESPONSE_ALREADY_SENT
}

/** The host or the frame in the path, or the URL in the query, is not known. */
function nothing(context: RequestContext): EscalonaError {
  const host = context.req.param('host')
  if (host !== undefined) return new EscalonaError('UI_NO_SUCH_HOST', { host: excerpt(host) })
  if (context.req.param('key') !== undefined) return new EscalonaError('UI_NO_SUCH_FRAME')
  const url = context.req.query('url') ?? ''
  return new EscalonaError('UI_NO_SUCH_PAGE', { url: excerpt(url) })
}

/** Nothing at this address, or nothing for this method. */
function unknown(context: RequestContext): Response {
  const methods = Object.values(ROUTES)
    .filter(({ path }) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(context.req.path))
    .map(({ method }) => method)
  if (methods.length === 0 || methods.includes(context.req.method as 'GET'))
    return failed(new EscalonaError('UI_NO_SUCH_ROUTE'), context)
  const allow = methods.join(', ')
  context.header('allow', allow)
  return failed(new EscalonaError('UI_WRONG_METHOD', { methods: allow }), context)
}

/** An error as an answer. What went wrong inside stays inside. */
function failed(error: unknown, context: RequestContext): Response {
  const status = statusOf(error)
  const known = error instanceof EscalonaError ? error : new EscalonaError('UI_DEFECT')
  const { code } = known
  const message = known.messageIn(languageIn(context))
  const field = known.code === 'CRAWL_BAD_SETTING' ? settingIn(known.said) : undefined
  if (status === 401) context.header('www-authenticate', 'Bearer realm="escalona"')
  // A body that was not read would have to be read to the end before the next request.
  if (context.req.method !== 'GET' && !context.env.incoming.readableEnded) context.header('connection', 'close')
  context.status(status as 500)
  const isPage = /\btext\/html\b/.test(context.req.header('accept') ?? '')
  return status === 401 && isPage
    ? context.html(noTokenPage(context))
    : context.json({ error: { code, message, field } })
}

/** Passes on what has not been said before; a defect may repeat with every request. */
function firstOf(onTrouble: (message: string) => void): (error: unknown) => void {
  const known = new Set<string>()
  return error => {
    const message = said('server/answer-failed', { reason: excerpt(String(error)) })
    if (known.has(message) || known.size >= MOST_TROUBLES) return
    known.add(message)
    onTrouble(message)
  }
}
