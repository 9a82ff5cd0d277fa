// The front view of a crawl, as the server of the live page sees it: while it runs, when it ends, and when it begins again.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { EscalonaError } from '../../src/base/errors.ts'
import { CrawlView } from '../../src/view/crawl-view.ts'
import type { CrawlNow, NumberedEvent } from '../../src/view/questions/crawl-shapes.ts'
import { running } from './crawl.ts'
import { pageWith, plainHost, robotsTxt, type SmallWeb, smallWeb } from './small-web.ts'

const PAGES = 30

/** A host that asks for a second between two requests, so that its crawl lasts. */
function web(t: TestContext): Promise<SmallWeb> {
  const plain = plainHost('a.test', '127.3.1.1', PAGES)
  return smallWeb(t, [
    {
      ...plain,
      answer(path, times) {
        if (path === '/robots.txt') return robotsTxt('User-agent: *\nCrawl-delay: 1\nDisallow: /private/\n')
        if (path !== '/') return plain.answer(path, times)
        return pageWith('front', ['/private/x', ...Array.from({ length: PAGES }, (_, n) => `/${n + 1}`)])
      },
    },
  ])
}

async function opened(t: TestContext, folder: string): Promise<CrawlView> {
  const view = new CrawlView(folder, { isLive: true })
  t.after(() => view.close())
  return view
}

/** Asks until it is so, for at most ten seconds. */
async function until(view: CrawlView, isSo: (now: CrawlNow) => boolean): Promise<CrawlNow> {
  for (let n = 0; ; n++) {
    const now = await view.ask('crawl', {})
    if (isSo(now)) return now
    assert.ok(n < 100, `still ${JSON.stringify(now)}`)
    await wait(100)
  }
}

/** The indexes read in the background. */
async function listed<List extends { readonly items: readonly unknown[] }>(ask: () => Promise<List>): Promise<List> {
  for (let n = 0; ; n++) {
    const list = await ask()
    if (list.items.length > 0 || n > 100) return list
    await wait(20)
  }
}

async function eventsAfter(view: CrawlView, after: number): Promise<{ items: readonly NumberedEvent[]; last: number }> {
  const items: NumberedEvent[] = []
  for (;;) {
    const batch = await view.ask('events', { after })
    items.push(...batch.items)
    after = batch.last
    if (batch.items.length === 0) return { items, last: after }
  }
}

test('questions: one view for a crawl that runs, ends, begins again and is killed', async t => {
  const small = await web(t)
  const { folder, url } = small
  const command = running(t, [...small.args, '--scope', 'host', '-q'])
  for (let n = 0; n < 500 && small.log.length < 3; n++) await wait(10)
  const view = await opened(t, folder)

  const now = await until(view, ({ waitingFor }) =>
    /^collecting .*, as fast as the hosts' delays allow$/.test(waitingFor),
  )
  assert.equal(now.state, 'running')
  assert.equal(now.name, folder.split('/').at(-1))
  assert.equal(now.slots, 48)
  assert.equal(now.limit, undefined)
  assert.equal(now.frontier.known, PAGES + 2)
  assert.ok(now.pages >= 1 && now.requests > now.pages && now.wireBytes > 0 && now.workMs > 0)
  const { waitingFor } = await view.ask('crawl', {}, 'pt')
  assert.match(waitingFor, /^coletando .*, o que os intervalos dos hosts permitem$/)
  assert.notEqual(now.waitingFor, waitingFor)

  const { recent, whole } = await view.ask('series', {})
  assert.ok(recent.pages.length >= 1 && recent.untilMs > now.startedAtMs!)
  assert.equal(recent.pages.length, recent.openRequests.length)
  assert.ok(whole.pages.reduce((a, b) => a + b, 0) >= 1)

  const heard = await eventsAfter(view, 0)
  assert.ok(heard.items.some(event => event.kind === 'page' && event.page.url === url('a.test')))

  const told = await view.ask('explain', { url: url('a.test', '/private/x') })
  assert.equal(told.history.url, url('a.test', '/private/x'))
  const robots = (await view.ask('explain', { url: told.history.url }, 'pt')).lines.find(
    ({ about }) => about === 'robots',
  )
  assert.match(robots?.text ?? '', /linha 3: Disallow: \/private\//)
  assert.match(told.lines.find(({ about }) => about === 'robots')?.text ?? '', /line 3: Disallow: \/private\//)

  const settings = (await view.ask('settings', {})).items
  const setting = (name: string) => settings.find(one => one.setting === name)
  assert.deepEqual(setting('scope'), {
    ...{ setting: 'scope', option: '--scope', value: ['host'], valueCount: 1, isDefault: false, canChange: true },
    choices: ['any', 'domain', 'host'],
  })
  assert.deepEqual([setting('limit')?.value, setting('limit')?.isDefault], [['none'], true])
  assert.equal(setting('timeoutMs')?.canChange, false)

  const found = await listed(() => view.ask('hosts', { q: 'a.t', sort: 'waiting', offset: 0, limit: 10 }))
  assert.deepEqual(
    found.items.map(({ host, gap, robots, failed }) => [host, gap, robots, failed]),
    [[`a.test:${small.port}`, { ms: 1000, by: 'robots.txt' }, 'rules', 0]],
  )
  const host = await view.ask('host', { host: `a.test:${small.port}` })
  assert.equal(host?.queue[0]?.url.startsWith(url('a.test')), true)
  assert.deepEqual(
    host?.robotsFiles[0]?.lines.map(({ means }) => means),
    ['agent', 'crawl-delay', 'disallow'],
  )
  assert.equal(await view.ask('host', { host: 'nobody.test' }), undefined)
  const { items } = await listed(() => view.ask('pages', { q: 'FRONT', offset: 0, limit: 10 }))
  assert.deepEqual(
    items.map(page => page.url),
    [url('a.test')],
  )
  const page = await view.ask('page', { url: url('a.test') })
  assert.match(page?.html ?? '', /private/)

  for (const [refused, code, en, pt] of [
    [
      () => view.ask('act', { action: { kind: 'dance' } as never }),
      'CRAWL_BAD_ACTION',
      /^an action has a kind/,
      /^uma ação tem um kind/,
    ],
    [
      () => view.ask('act', { action: { kind: 'add seeds', urls: ['ftp://x'] } }),
      'CRAWL_BAD_ACTION',
      /^nothing was added/,
      /^nada foi acrescentado/,
    ],
    [
      () => view.ask('act', { action: { kind: 'change host', host: 'x', change: { clear: true } } }),
      'CRAWL_BAD_ACTION',
      / knows? /,
      / conhece /,
    ],
    [
      () => view.ask('explain', { url: 'ftp://x' }),
      'CRAWL_BAD_URL',
      /is not a web address/,
      /não é um endereço da web/,
    ],
  ] as const)
    await assert.rejects(refused(), (error: EscalonaError) => {
      assert.equal(error.code, code)
      assert.match(error.messageIn('en'), en)
      assert.match(error.messageIn('pt'), pt)
      return true
    })
  await view.ask('act', { action: { kind: 'stop' } })
  const ended = await until(view, ({ state }) => state === 'ended')
  assert.equal((await command.ending).code, 0)
  assert.match(ended.waitingFor, /^ended: it was stopped; continue it with: escalona resume /)
  assert.equal(ended.openRequests, 0)
  assert.ok(ended.pages >= now.pages && ended.pages < PAGES)
  assert.equal(ended.frontier.known, PAGES + 2)
  assert.deepEqual(
    (await view.ask('actions', {})).items.map(({ kind }) => kind),
    ['stop'],
  )
  assert.deepEqual((await view.ask('series', {})).recent.pages, [])
  assert.equal(
    (await view.ask('settings', {})).items.some(({ canChange }) => canChange),
    false,
  )
  await assert.rejects(
    view.ask('act', { action: { kind: 'pause' } }),
    (error: EscalonaError) => error.code === 'CRAWL_NOT_RUNNING' && /não está em execução/.test(error.messageIn('pt')),
  )
  assert.equal((await view.ask('explain', { url: url('a.test') })).history.state, 'done')
  assert.equal((await view.ask('host', { host: `a.test:${small.port}` }))?.robots, 'rules', 'read from the archive')

  const again = running(t, [...small.args, '-q'])
  const back = await until(view, ({ state }) => state === 'running')
  assert.ok(back.pages >= ended.pages)
  assert.ok(back.startedAtMs! > ended.startedAtMs!, 'of the newest run')
  const later = await eventsAfter(view, heard.last)
  assert.ok(later.items.every(({ number }) => number > heard.last))
  again.kill('SIGKILL')
  const killed = await until(view, ({ state }) => state === 'ended')
  const apartMs = Math.abs(killed.startedAtMs! - back.startedAtMs!)
  assert.ok(apartMs < 5000, `${apartMs} ms between what the process and its files say`)
  assert.match(killed.waitingFor, /killed or ended with an error; continue it with: escalona resume /)
})

test('questions: a folder without a crawl has no view', async () => {
  assert.throws(() => new CrawlView('no-such-folder', { isLive: true }), { code: 'CRAWL_NOT_FOUND' })
})
