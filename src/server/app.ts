import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { EscalonaError } from '../base/errors.ts'
import { unguessable } from '../base/random.ts'
import { excerpt } from '../base/words/printable.ts'
import type { ReadingRoom } from '../replay/reading-room.ts'
import { QUESTIONS, type Question, type ShownName, type View } from '../view/questions/questions.ts'
import { AccessControl, type AccessOptions, HEADERS, noTokenPage } from './access-control.ts'
import { openApi } from './api/openapi.ts'
import { type AskedRoute, OTHERS, partsOf, READING, ROUTES } from './api/routes.ts'
import type { EventStreams } from './event-streams.ts'
import { serverWords } from './messages.ts'
import { Metrics } from './metrics.ts'
import { PageFiles } from './page-files.ts'
import { PAGE_PATHS } from './page-paths.ts'
import { readParameters, readQuestion } from './read-request.ts'
import { archivedContent, isArchivedPath, ReadingKeys, readingAnswer } from './reading.ts'
import { languageIn, type RequestContext, refusal, type ServerEnv, statusOf } from './request-context.ts'

/** What is shown: the view of a crawl, its archived pages, and the streams of those who listen to it. */
export interface ShownCrawl {
  readonly view: View
  readonly room: ReadingRoom
  readonly streams: EventStreams
}

interface HandlerOptions extends AccessOptions {
  /** Undefined until the crawl has been opened. */
  readonly shown: () => ShownCrawl | undefined
  /** Called when an answer failed for no known reason. */
  readonly onTrouble: (message: string) => void
}

export type RequestHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>

/** How many different defects are reported. */
const MOST_TROUBLES = 10

/** Answers requests: everything that the packages are needed for. */
export function requestHandler(options: HandlerOptions): RequestHandler {
  const app = createApp(options)
  const answer = getRequestListener(app.fetch as never, { overrideGlobalObjects: false })
  return async (incoming, outgoing) => {
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
      context.res = await archivedContent(context, shownTo(context).room, keys)
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
    const text = await metrics.text(await shownTo(context).view.ask('crawl', {}))
    return context.body(text, 200, { 'content-type': metrics.contentType })
  })
  app.get(OTHERS.events.path, context => listen(context, shownTo(context).streams))
  for (const [name, { route, asks, checks = asks, acts }] of Object.entries<Question>(QUESTIONS)) {
    if (route === undefined) continue
    answerAt({ ...route, asks: checks }, (given, context) => {
      const { view } = shownTo(context)
      if (acts !== undefined) return view.ask('act', { action: acts(given as never) })
      return view.ask(name as ShownName, given as never, languageIn(context))
    })
  }
  for (const [name, route] of Object.entries(READING))
    answerAt(route, (given, context) => readingAnswer(name as never, given, { room: shownTo(context).room, keys }))
  for (const path of PAGE_PATHS)
    app.get(path, async context => (await files.answer(context, 'index.html')) ?? unknown(context))
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

  function answerAt(
    route: AskedRoute,
    answer: (given: object, context: RequestContext) => Promise<object | undefined>,
  ): void {
    const parts = partsOf(route)
    app.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), async context => {
      const found = await answer(await readQuestion(context, parts), context)
      if (found === undefined) throw nothing(context)
      // Fields that are undefined are left out, and null stands for what is infinite.
      return context.json(found)
    })
  }

  function shownTo(context: RequestContext): ShownCrawl {
    const crawl = shown()
    if (crawl === undefined) throw refusal(context, 'UI_STARTING', words => words.starting)
    return crawl
  }
}

/** The answer never ends: it is written to the connection itself, which says when its reader is too slow. */
function listen(context: RequestContext, streams: EventStreams): Response {
  if (streams.isFull) throw refusal(context, 'UI_TOO_MANY_STREAMS', words => words.tooManyStreams)
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
  if (host !== undefined) return refusal(context, 'UI_NO_SUCH_HOST', words => words.noSuchHost(excerpt(host)))
  if (context.req.param('key') !== undefined) return refusal(context, 'UI_NO_SUCH_FRAME', words => words.noSuchFrame)
  const url = context.req.query('url') ?? ''
  return refusal(context, 'UI_NO_SUCH_PAGE', words => words.noSuchPage(excerpt(url)))
}

/** Nothing at this address, or nothing for this method. */
function unknown(context: RequestContext): Response {
  const methods = Object.values(ROUTES)
    .filter(({ path }) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(context.req.path))
    .map(({ method }) => method)
  if (methods.length === 0 || methods.includes(context.req.method as 'GET'))
    return failed(
      refusal(context, 'UI_NO_SUCH_ROUTE', words => words.noSuchRoute),
      context,
    )
  const allow = methods.join(', ')
  context.header('allow', allow)
  return failed(
    refusal(context, 'UI_WRONG_METHOD', words => words.wrongMethod(allow)),
    context,
  )
}

/** An error as an answer. What went wrong inside stays inside. */
function failed(error: unknown, context: RequestContext): Response {
  const status = statusOf(error)
  const known = error instanceof EscalonaError ? error : new EscalonaError('UI_DEFECT', () => serverWords().defect)
  const { code } = known
  const message = known.messageIn(languageIn(context))
  if (status === 401) context.header('www-authenticate', 'Bearer realm="escalona"')
  // A body that was not read would have to be read to the end before the next request.
  if (context.req.method !== 'GET' && !context.env.incoming.readableEnded) context.header('connection', 'close')
  context.status(status as 500)
  const isPage = /\btext\/html\b/.test(context.req.header('accept') ?? '')
  return status === 401 && isPage ? context.html(noTokenPage(context)) : context.json({ error: { code, message } })
}

/** Passes on what has not been said before; a defect may repeat with every request. */
function firstOf(onTrouble: (message: string) => void): (error: unknown) => void {
  const said = new Set<string>()
  return error => {
    const message = serverWords().answerFailed(excerpt(String(error)))
    if (said.has(message) || said.size >= MOST_TROUBLES) return
    said.add(message)
    onTrouble(message)
  }
}
