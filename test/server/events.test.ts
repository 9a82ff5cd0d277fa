import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type Served, serveStandIn, TOKEN } from './ask-server.ts'
import { HOSTILE } from './stand-in-view.ts'

interface Heard {
  readonly id: string | undefined
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Listens as a browser does. Events fill the list. */
async function listen(
  t: TestContext,
  { port }: Served,
  headers = {},
): Promise<{ heard: Heard[]; answer: IncomingMessage }> {
  const heard: Heard[] = []
  const options = { host: '127.0.0.1', port, path: '/api/events', agent: false }
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ ...options, headers: { authorization: `Bearer ${TOKEN}`, ...headers } }, resolve).on('error', reject)
  })
  t.after(() => answer.destroy())
  answer.on('error', () => undefined)
  let text = ''
  answer.setEncoding('utf8').on('data', (chunk: string) => {
    const blocks = (text + chunk).split('\n\n')
    text = blocks.pop()!
    for (const block of blocks) {
      // As the standard reads lines: a lone CR would be an end, too.
      const fields = Object.fromEntries(block.split(/\r\n|\n|\r/).map(line => line.split(/: (.*)/s, 2)))
      if (fields.event !== undefined) heard.push({ id: fields.id, event: fields.event, data: JSON.parse(fields.data) })
    }
  })
  return { heard, answer }
}

async function until(isSo: () => boolean): Promise<void> {
  for (let n = 0; n < 100 && !isSo(); n++) await wait(50)
  assert.ok(isSo())
}

const titles = (heard: readonly Heard[]) =>
  heard.filter(({ event }) => event === 'page').map(({ data }) => (data.page as { title: string }).title)

test('events: events come as they happen, once, with their number; where the crawl stands comes every second', async t => {
  const served = await serveStandIn(t)
  served.view.happen('first')
  const { heard, answer } = await listen(t, served, { 'accept-language': 'pt' })
  assert.match(String(answer.headers['content-type']), /^text\/event-stream/)
  assert.equal(answer.headers['cache-control'], 'no-store')
  await until(() => titles(heard).length === 1)
  served.view.happen(HOSTILE)
  await until(() => titles(heard).length === 2 && heard.filter(({ event }) => event === 'now').length >= 3)
  assert.deepEqual(titles(heard), ['first', HOSTILE], 'line ends in a title make no events')
  assert.deepEqual(
    heard.filter(({ id }) => id !== undefined).map(({ id }) => id),
    ['1', '2'],
  )
  assert.equal(heard.find(({ event }) => event === 'now')!.data.waitingFor, 'espera em português')
  assert.ok(heard.every(({ event }) => event !== 'fake'))
})

test('events: a listener that comes back continues after its last event', async t => {
  const served = await serveStandIn(t)
  for (let n = 1; n <= 450; n++) served.view.happen(`title ${n}`)
  const [late, early] = await Promise.all([
    listen(t, served, { 'last-event-id': '447' }),
    listen(t, served, { 'last-event-id': '5' }),
  ])
  await until(() => titles(late.heard).length === 3 && titles(early.heard).length === 445)
  assert.equal(titles(early.heard)[0], 'title 6')
  const odd = await listen(t, served, { 'last-event-id': '-1e9, x' })
  await until(() => titles(odd.heard).length > 0)
})

test('events: a crawl that has 600 events per second has them all heard', async t => {
  const served = await serveStandIn(t)
  const { heard } = await listen(t, served)
  let happened = 0
  const startMs = performance.now()
  const timer = setInterval(() => {
    while (happened < Math.min(1800, (performance.now() - startMs) * 0.6)) served.view.happen(`title ${++happened}`)
  }, 10)
  t.after(() => clearInterval(timer))
  await wait(3800)
  assert.deepEqual([happened, titles(heard).length], [1800, 1800])
})

test('events: the crawl is asked once for all listeners, and not at all when nobody listens', async t => {
  const served = await serveStandIn(t)
  await wait(600)
  assert.equal(served.view.eventQuestions, 0)
  const all = await Promise.all(Array.from({ length: 20 }, () => listen(t, served)))
  await wait(1600)
  const asked = served.view.eventQuestions
  assert.ok(asked >= 1 && asked <= 4, `${asked} questions`)
  for (const { answer } of all) answer.destroy()
  await wait(100)
  const before = served.view.eventQuestions
  await wait(1100)
  assert.equal(served.view.eventQuestions, before)
})
