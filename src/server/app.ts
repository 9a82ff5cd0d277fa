import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { EscalonaError } from '../base/errors.ts'
import { excerpt } from '../base/words/printable.ts'
import type { ReadingRoom } from '../replay/reading-room.ts'
import { QUESTIONS, type Question, type ShownName, type View } from '../view/questions/questions.ts'
import { openApi } from './api/openapi.ts'
import { type AskedRoute, partsOf } from './api/request-parts.ts'
import { OTHERS, READING, ROUTES } from './api/routes.ts'
import { archivedContent, isArchivedPath } from './archived-content.ts'
import { type Around, type Asked, languageIn, refusal, statusOf } from './asked.ts'
import type { EventStreams } from './event-streams.ts'
import { type Gate, noTokenPage } from './gate.ts'
import { serverWords } from './messages.ts'
import type { Metrics } from './metrics.ts'
import type { PageFiles } from './page-files.ts'
import { PAGE_PATHS } from './page-paths.ts'
import { readParameters, readQuestion } from './read-request.ts'
import { readingAnswer } from './reading-answers.ts'
import type { ReadingKeys } from './reading-keys.ts'

/** What is shown: the view of a crawl, its archived pages, and those who listen to it. */
export interface Shown {
  readonly view: View
  readonly room: ReadingRoom
  readonly streams: EventStreams
}

export interface AppOptions {
  readonly gate: Gate
  readonly keys: ReadingKeys
  readonly files: PageFiles
  readonly metrics: Metrics
  /** Undefined until the crawl has been opened. */
  readonly shown: () => Shown | undefined
  /** Hears of what should never happen. */
  readonly onDefect: (error: unknown) => void
}

/** Every request goes through the gate; then the table of routes says what it is. */
export function createApp(options: AppOptions): Hono<Around> {
  const { gate, keys, files, metrics } = options
  const app = new Hono<Around>()
  app.use(async (asked, next) => {
    gate.checkName(asked)
    if (isArchivedPath(asked.env.incoming.url ?? '')) {
      asked.res = await archivedContent(asked, shownTo(asked).room, keys)
      return asked.res
    }
    gate.checkSender(asked)
    const isOpen = OTHERS.healthz.path === asked.req.path
    const answer = isOpen ? undefined : gate.checkToken(asked)
    if (answer === undefined) await next()
    else asked.res = answer
    return answer
  })
  app.get(OTHERS.healthz.path, asked => asked.text('ok\n'))
  app.get(OTHERS.openapi.path, asked => asked.json(openApi()))
  app.get(OTHERS.metrics.path, async asked => {
    const text = await metrics.text(await shownTo(asked).view.ask('crawl', {}))
    return asked.body(text, 200, { 'content-type': metrics.contentType })
  })
  app.get(OTHERS.events.path, asked => listen(asked, shownTo(asked).streams))
  for (const [name, { route, asks, checks = asks, acts }] of Object.entries<Question>(QUESTIONS)) {
    if (route === undefined) continue
    answerAt({ ...route, asks: checks }, (given, asked) => {
      const { view } = shownTo(asked)
      if (acts !== undefined) return view.ask('act', { action: acts(given as never) })
      return view.ask(name as ShownName, given as never, languageIn(asked))
    })
  }
  for (const [name, route] of Object.entries(READING))
    answerAt(route, (given, asked) => readingAnswer(name as never, given, { room: shownTo(asked).room, keys }))
  for (const path of PAGE_PATHS)
    app.get(path, async asked => (await files.answer(asked, 'index.html')) ?? unknown(asked))
  app.get('/:name{[\\w.-]+}', async asked => (await files.answer(asked, asked.req.param('name'))) ?? unknown(asked))
  app.notFound(unknown)
  app.onError((error, asked) => {
    if (!(error instanceof EscalonaError)) options.onDefect(error)
    return failed(error, asked)
  })
  return app

  function answerAt(route: AskedRoute, answer: (given: object, asked: Asked) => Promise<object | undefined>): void {
    const parts = partsOf(route)
    app.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), async asked => {
      const found = await answer(await readQuestion(asked, parts), asked)
      if (found === undefined) throw nothing(asked)
      // Fields that are undefined are left out, and null stands for what is infinite.
      return asked.json(found)
    })
  }

  function shownTo(asked: Asked): Shown {
    const shown = options.shown()
    if (shown === undefined) throw refusal(asked, 'UI_STARTING', words => words.starting)
    return shown
  }
}

/** The answer never ends: it is written to the connection itself, which says when its reader is too slow. */
function listen(asked: Asked, streams: EventStreams): Response {
  if (streams.isFull) throw refusal(asked, 'UI_TOO_MANY_STREAMS', words => words.tooManyStreams)
  const { brief = false } = readParameters(asked, OTHERS.events.asks, new URL(asked.req.url).searchParams)
  const { outgoing } = asked.env
  const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' }
  if (asked.req.method === 'HEAD') return asked.body(null, 200, headers)
  outgoing.writeHead(200, headers)
  const last = Number(asked.req.header('last-event-id') ?? 0)
  const after = Number.isSafeInteger(last) && last > 0 ? last : 0
  streams.add(outgoing, languageIn(asked), after, brief)
  return RESPONSE_ALREADY_SENT
}

/** The host or the frame in the path, or the URL in the query, is not known. */
function nothing(asked: Asked): EscalonaError {
  const host = asked.req.param('host')
  if (host !== undefined) return refusal(asked, 'UI_NO_SUCH_HOST', words => words.noSuchHost(excerpt(host)))
  if (asked.req.param('key') !== undefined) return refusal(asked, 'UI_NO_SUCH_FRAME', words => words.noSuchFrame)
  const url = asked.req.query('url') ?? ''
  return refusal(asked, 'UI_NO_SUCH_PAGE', words => words.noSuchPage(excerpt(url)))
}

/** Nothing at this address, or nothing for this method. */
function unknown(asked: Asked): Response {
  const methods = Object.values(ROUTES)
    .filter(({ path }) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(asked.req.path))
    .map(({ method }) => method)
  if (methods.length === 0 || methods.includes(asked.req.method as 'GET'))
    return failed(
      refusal(asked, 'UI_NO_SUCH_ROUTE', words => words.noSuchRoute),
      asked,
    )
  const allow = methods.join(', ')
  asked.header('allow', allow)
  return failed(
    refusal(asked, 'UI_WRONG_METHOD', words => words.wrongMethod(allow)),
    asked,
  )
}

/** An error as an answer. What went wrong inside stays inside. */
function failed(error: unknown, asked: Asked): Response {
  const status = statusOf(error)
  const known = error instanceof EscalonaError ? error : new EscalonaError('UI_DEFECT', () => serverWords().defect)
  const { code } = known
  const message = known.messageIn(languageIn(asked))
  if (status === 401) asked.header('www-authenticate', 'Bearer realm="escalona"')
  // A body that was not read would have to be read to the end before the next request.
  if (asked.req.method !== 'GET' && !asked.env.incoming.readableEnded) asked.header('connection', 'close')
  asked.status(status as 500)
  const isPage = /\btext\/html\b/.test(asked.req.header('accept') ?? '')
  return status === 401 && isPage ? asked.html(noTokenPage(asked)) : asked.json({ error: { code, message } })
}
