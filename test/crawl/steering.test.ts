// Steering through the library, of crawls on loopback; the web's own log decides.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { unixClock } from '../../src/base/clock.ts'
import { setLanguage } from '../../src/base/words/language.ts'
import { pageLines } from '../../src/folder/lines-of.ts'
import { crawl } from '../../src/library/crawl.ts'
import type { Action } from '../../src/settings/actions.ts'
import type { LinkChoice } from '../../src/settings/link-choice.ts'
import { CrawlView } from '../../src/view/crawl-view.ts'
import { type SteeredWeb, steeredWeb, until } from './steered-web.ts'

function runs(web: SteeredWeb): { settings: Record<string, unknown>; isPaused?: true; hostSettings: object }[] {
  return (JSON.parse(readFileSync(join(web.folder, 'crawl.json'), 'utf8')) as { runs: ReturnType<typeof runs> }).runs
}

function kinds(web: SteeredWeb): string[] {
  return web.actions.map(({ kind }) => kind)
}

test('steering: pausing ends the open requests and begins none, resuming goes on, and nothing is asked for twice', async t => {
  const web = await steeredWeb(t, ['a.test', 'b.test', 'c.test'], 20)
  web.waitMs = 150
  const { subject, ended } = web.start()
  await until(() => web.asked().length >= 5 && web.open >= 2, 'requests')
  await subject.pause()
  assert.equal(subject.state, 'paused')
  const asked = web.log.length
  const isOpen = web.open > 0
  await until(() => web.open === 0, 'the end of the open requests')
  await sleep(300)
  assert.equal(web.log.length, asked, 'a request began after the pause')
  assert.ok(isOpen, 'no request was open when it was paused')
  const archived = web.archived.length
  assert.equal(archived, web.asked().filter(({ endMs }) => endMs !== undefined).length, 'what was open is archived')
  await subject.pause()
  web.waitMs = 1
  await subject.resume()
  assert.equal(subject.state, 'running')
  const end = await ended
  assert.equal(end.because, 'nothing left')
  assert.equal(subject.state, 'ended')
  assert.equal(web.archived.length, 60)
  assert.equal(new Set(web.asked().map(({ host, path }) => host + path)).size, web.asked().length)
  assert.deepEqual(kinds(web), ['pause', 'resume'], 'the second pause did nothing')
  const told = web.events.filter(({ kind }) => kind === 'action')
  assert.deepEqual(
    told.map(event => event.kind === 'action' && event.action.kind),
    ['pause', 'resume'],
  )
})

test('steering: a paused crawl is still paused after a restart, until it is resumed', async t => {
  const web = await steeredWeb(t, ['a.test', 'b.test'], 8)
  const first = web.start()
  await until(() => web.archived.length >= 2, 'pages')
  await first.subject.pause()
  await until(() => web.open === 0, 'the end of the open requests')
  first.subject.stop()
  assert.equal((await first.ended).because, 'stopped')
  assert.equal(runs(web).at(-1)?.isPaused, true)
  const asked = web.log.length
  const second = web.start()
  await until(() => second.subject.state !== undefined, 'the opening')
  await sleep(200)
  assert.equal(second.subject.state, 'paused')
  assert.equal(web.log.length, asked)
  const view = new CrawlView(web.folder, { isLive: true })
  t.after(() => view.close())
  const { state, waitingFor } = await view.ask('crawl', {}, 'en')
  assert.deepEqual([state, waitingFor], ['paused', 'paused; nothing is open'])
  assert.equal((await view.ask('crawl', {}, 'pt')).waitingFor, 'em pausa; nada está aberto')
  await second.subject.resume()
  await second.ended
  assert.equal(web.archived.length, 16)
  assert.equal(runs(web).at(-1)?.isPaused, undefined)
})

test('steering: when pages are visited again is changed while it runs, also of pages that are planned', async t => {
  const web = await steeredWeb(t, ['a.test'], 4)
  const { subject, ended } = web.start({ recrawl: 'yes', recrawlFirstMs: 86_400_000, limit: 4 })
  await until(() => web.archived.length === 4, 'pages')
  await until(() => web.open === 0, 'the end of the open requests')
  const asked = web.asked().length
  await sleep(200)
  assert.equal(web.asked().length, asked, 'nothing is due')
  await subject.change({ recrawlFirstMs: 1 })
  await until(() => web.asked().length === asked + 4, 'visits again')
  subject.stop()
  await ended
  assert.equal(runs(web).at(-1)?.settings['recrawl-first'], '1ms')
})

test('steering: seeds are added while it runs: archived, in scope with what was held before, tried again, and kept', async t => {
  const web = await steeredWeb(t, ['a.test', 'b.test', 'c.test'], 6)
  web.waitMs = 40
  const { subject, ended } = web.start({ scope: 'host' })
  await until(() => web.archived.length >= 2, 'pages')
  const added = [`HTTP://b.test:${web.port}/5#top`, web.url('a.test'), web.url('a.test', '/99')]
  assert.deepEqual(await subject.addSeeds(added), { seeds: 2, requeued: 1 }, 'a link to b.test was out of scope')
  await until(() => web.asked('a.test').some(({ path, endMs }) => path === '/99' && endMs !== undefined), 'page 99')
  await until(async () => (await subject.explain(web.url('a.test', '/99'))).state === 'refused', 'its 404')
  assert.deepEqual(await subject.addSeeds([web.url('a.test', '/99')]), { seeds: 0, requeued: 1 })
  const refused = [{ place: 2, url: 'ftp://a.test/', reason: 'protocol' }]
  assert.deepEqual(await subject.addSeeds([web.url('a.test'), 'ftp://a.test/']), { seeds: 0, requeued: 0, refused })
  await assert.rejects(subject.addSeeds(['ftp://a.test/', 'no host']), { code: 'CRAWL_BAD_ACTION' })
  await ended
  const names = [0, 1, 2, 3, 4, 5].flatMap(n => [`a.test/${n}`, `b.test/${n}`])
  assert.deepEqual(web.archived, names.sort())
  assert.equal(web.asked().filter(({ path }) => path === '/99').length, 2)
  const kept = [web.url('a.test'), web.url('b.test', '/5'), web.url('a.test', '/99')]
  assert.deepEqual(
    web.lines<{ url: string }>('seeds.jsonl').map(({ url }) => url),
    kept,
  )
  assert.deepEqual(
    web.actions.map(line => line.kind === 'add seeds' && line.urls.length),
    [3, 1, 1],
  )
  const again = web.start({ seeds: [] })
  await again.ended
  assert.deepEqual([again.subject.end?.frontier.pages, again.subject.end?.frontier.refusedFor.scope], [12, 1])
})

test('steering: links are tried again or let in by what they are chosen by, and no others', async t => {
  const web = await steeredWeb(t, ['a.test', 'b.test', 'c.test'], 6)
  const seeds = [web.url('a.test'), web.url('c.test'), 'http://10.0.0.1/']
  const { subject, ended } = web.start({ seeds, scope: 'host', recrawl: 'yes', recrawlFirstMs: 86_400_000 })
  await until(() => web.archived.length > 0, 'a page')
  const view = new CrawlView(web.folder, { isLive: true })
  t.after(() => view.close())
  const act = (action: Action) => view.ask('act', { action })
  const urls = async (which: LinkChoice) =>
    (await view.ask('links', { ...which, sort: 'url' })).items.map(({ url }) => url)
  const ofA = { reason: 'status-404', host: web.host('a.test') }
  const missing = ['/6', '/7', '/8'].map(path => web.url('a.test', path))
  await until(async () => (await view.ask('crawl', {})).frontier.refused === 8, 'six 404s, one host and one address')
  await until(async () => (await urls(ofA)).length === 3, 'the list')
  assert.deepEqual(await urls(ofA), missing)
  assert.deepEqual(await act({ kind: 'retry links', which: { ...ofA, q: '/7' } }), { requeued: 1 })
  const asked = (path: string) => web.asked('a.test').filter(one => one.path === path).length
  await until(() => asked('/7') === 2, 'a second request')
  assert.deepEqual([asked('/6'), asked('/8'), web.asked('c.test').length], [1, 1, 9])
  await until(async () => (await view.ask('crawl', {})).frontier.refused === 8, 'its 404')
  assert.deepEqual(await act({ kind: 'retry links', which: { states: ['failed'] } }), { requeued: 0 })
  await assert.rejects(act({ kind: 'retry links', which: { states: ['held'] } }), { code: 'CRAWL_BAD_ACTION' })
  await assert.rejects(act({ kind: 'let links in', which: {} }), { code: 'CRAWL_BAD_ACTION', message: /address/ })
  assert.equal(web.asked('b.test').length, 0)
  assert.deepEqual(await act({ kind: 'let links in', which: { reason: 'scope' } }), { seeds: 1, requeued: 1 })
  await until(() => web.archived.length === 18, 'all pages of b.test')
  subject.stop()
  await ended
  assert.deepEqual(kinds(web), ['retry links', 'retry links', 'let links in'])
})

test('steering: actions are done one after the other, in the order in which they came', async t => {
  const web = await steeredWeb(t, ['a.test', 'b.test'], 10)
  web.waitMs = 40
  const { subject, ended } = web.start({ scope: 'host' })
  await until(() => web.archived.length >= 1, 'a page')
  const seeds = Array.from({ length: 500 }, (_, n) => web.url('b.test', `/seed-${n}`))
  await Promise.all([subject.addSeeds(seeds), subject.pause(), subject.resume()])
  assert.deepEqual(kinds(web), ['add seeds', 'pause', 'resume'])
  subject.stop()
  await ended
})

test('steering: settings change while it runs: what is excluded is not asked for any more, what is let in comes back', async t => {
  const web = await steeredWeb(t, ['a.test', 'b.test'], 12)
  web.waitMs = 30
  const { subject, ended } = web.start({ exclude: ['*/7'], limit: 500 })
  await until(() => web.archived.length >= 4, 'pages')
  await subject.change({ exclude: ['*/9', '*/11'], limit: Infinity, delayMs: 1 })
  const after = web.asked().length
  assert.deepEqual(
    web
      .asked()
      .slice(0, after)
      .filter(({ path }) => path === '/7'),
    [],
  )
  web.waitMs = 1
  await ended
  const later = web.asked().slice(after)
  assert.deepEqual(
    later.filter(({ path }) => path === '/9' || path === '/11'),
    [],
    'excluded meanwhile',
  )
  assert.equal(web.archived.filter(name => name.endsWith('/7')).length, 2, 'let in again')
  const { settings } = runs(web).at(-1)!
  assert.deepEqual([settings.exclude, settings.limit, settings.delay], [['*/9', '*/11'], 'none', '1ms'])
  assert.match(readFileSync(join(web.folder, 'crawl.toml'), 'utf8'), /^exclude = \[ "\*\/9", "\*\/11" \]$/m)
  const pages = web.archived.length
  const again = crawl({ folder: web.folder, ...{ allowNetworks: ['127.0.0.0/8'] } })
  await again.run()
  assert.deepEqual(again.opening?.changes, [], 'a restart has the same settings')
  assert.equal(web.archived.length, pages)
})

test('steering: limit, concurrency, rate and strategy change at once, without waiting for slow requests; a depth does not', async t => {
  const web = await steeredWeb(t, ['a.test', 'b.test', 'c.test', 'd.test'], 30)
  web.waitMs = 15_000
  const { subject, ended } = web.start({ concurrency: 1, maxDepth: 4 })
  await until(() => web.open === 1, 'a request')
  const startMs = performance.now()
  await subject.change({ concurrency: 3, maxRequestsPerSecond: 100, strategy: 'breadth', limit: 500 })
  assert.ok(performance.now() - startMs < 10_000, 'it waited')
  web.waitMs = 300
  web.letGo()
  await until(() => web.open === 3, 'three open requests')
  const limit = web.archived.length + 5
  await subject.change({ maxDepth: 2, limit })
  const asked = web.asked().length
  const end = await ended
  assert.deepEqual([end.because, web.archived.length], ['limit', limit])
  assert.ok(asked <= limit)
  const pages = () => web.lines<{ hops: number }>('pages.jsonl')
  // Links that the former depth let in wait on: they are held when their turn comes, also in a later run.
  web.waitMs = 1
  const again = web.start({ limit: Infinity })
  await again.ended
  assert.deepEqual(
    pages()
      .slice(asked)
      .filter(({ hops }) => hops > 2),
    [],
  )
  assert.ok(again.subject.end!.frontier.refusedFor['max-depth']! > 0)
})

test('steering: a host gets a delay, which holds at once and after a restart; null takes it back', async t => {
  const web = await steeredWeb(t, ['a.test', 'b.test'], 40)
  const { subject, ended } = web.start({ hostSettings: [{ host: web.host('a.test'), limit: 35, delayMs: 20 }] })
  await until(() => web.asked('a.test').length >= 4 && web.asked('b.test').length >= 4, 'requests')
  await subject.changeHost(web.host('A.test'), { delayMs: 400 })
  const changedMs = unixClock()
  const requested = web.asked('a.test').length
  await until(() => web.asked('a.test').length >= requested + 3, 'three more requests')
  await until(() => web.asked('b.test').length >= 30, 'the other host')
  subject.stop()
  await ended
  assert.deepEqual(runs(web).at(-1)?.hostSettings, { [web.host('a.test')]: { limit: '35', delay: '400ms' } })
  const asked = web.asked('a.test').length
  const again = web.start({ seeds: [] })
  await until(() => web.asked('a.test').length >= asked + 2, 'requests after the restart')
  const takenBackMs = unixClock()
  await again.subject.changeHost(web.host('a.test'), { delayMs: null })
  await again.ended
  // By the dates in the archive: requests may arrive late. One that was under way when the delay changed is not counted.
  const dates = [...pageLines(web.folder)].filter(({ url }) => url.startsWith(web.url('a.test', '/')))
  const gapsFrom = (fromMs: number, toMs: number) => {
    const times = dates.map(({ dateMs }) => dateMs).filter(dateMs => dateMs > fromMs && dateMs < toMs)
    return times.slice(1).map((dateMs, n) => dateMs - times[n]!)
  }
  const slow = gapsFrom(changedMs, takenBackMs)
  assert.ok(slow.length >= 3 && Math.min(...slow) >= 400, `${slow}`)
  assert.ok(
    gapsFrom(takenBackMs, Infinity).some(gapMs => gapMs < 400),
    'the crawl has its own delay again',
  )
  assert.equal(web.archived.length, 75, 'its other setting stays: at most 35 pages of a.test')
  assert.deepEqual(runs(web).at(-1)?.hostSettings, { [web.host('a.test')]: { limit: '35' } })
})

test('steering: a host is blocked, also after a restart, and let go at once', async t => {
  const web = await steeredWeb(t, ['a.test', 'b.test'], 10)
  web.waitMs = 20
  const { subject, ended } = web.start()
  await until(() => web.asked('b.test').length >= 1, 'requests')
  const blockedUntilMs = Date.now() + 3_600_000
  await subject.changeHost(web.host('b.test'), { blockedUntilMs })
  const open = web.asked('b.test').filter(({ endMs }) => endMs === undefined).length
  const asked = web.asked('b.test').length
  await until(() => web.archived.filter(name => name.startsWith('a.')).length === 10, 'the other host')
  assert.ok(web.asked('b.test').length <= asked && open <= 1)
  const story = await subject.explain(web.url('b.test', '/3'))
  assert.deepEqual([story.state, story.host?.waitsFor], ['waiting', 'blocked'])
  subject.stop()
  await ended
  const again = web.start({ seeds: [] })
  await until(() => again.subject.state === 'running', 'the restart')
  const view = new CrawlView(web.folder, { isLive: true })
  t.after(() => view.close())
  await until(async () => /^all/.test((await view.ask('crawl', {})).waitingFor), 'the end of the other host')
  assert.equal(web.asked('b.test').length, asked)
  const { hosts, waitingFor } = await view.ask('crawl', {})
  assert.equal(hosts.blocked, 1)
  assert.match(waitingFor, /^all \d+ waiting URLs belong to b\.test:\d+, which you blocked until .*\d\d:\d\d$/)
  assert.match(
    (await view.ask('crawl', {}, 'pt')).waitingFor,
    /^todas as \d URLs que esperam são de b\.test:\d+, que você bloqueou até /,
  )
  await again.subject.changeHost(web.host('b.test'), { blockedUntilMs: null })
  await again.ended
  assert.equal(web.archived.length, 20)
})

test('steering: a queue is cleared: its links end as cleared, each with a line, and can be tried again', async t => {
  const web = await steeredWeb(t, ['a.test', 'b.test'], 10)
  const { subject, ended } = web.start({ delayMs: 300 })
  await until(() => web.archived.some(name => name.startsWith('b.')), 'a page of b.test')
  await subject.pause()
  await until(() => web.open === 0, 'the end of the open requests')
  await sleep(50)
  const { cleared } = await subject.changeHost(web.host('b.test'), { clear: true })
  assert.ok(cleared! >= 2)
  await subject.change({ delayMs: 1 })
  await subject.resume()
  await ended
  assert.equal(subject.end!.frontier.refusedFor.cleared, cleared)
  const reasons = web.lines<{ url: string; reason: string; from: string }>('failures.jsonl')
  assert.equal(reasons.filter(({ reason, from }) => reason === 'cleared' && from !== undefined).length, cleared)
  assert.equal(subject.stats!.refused.get('cleared'), cleared)
  const again = web.start({ retry: ['cleared'] })
  await again.ended
  assert.equal(web.archived.length, 20)
})

test('steering: stopping waits for no other change, and stopping twice is no mistake', async t => {
  const web = await steeredWeb(t, ['a.test', 'b.test'], 30)
  web.waitMs = 15_000
  const { subject, ended } = web.start({ concurrency: 2 })
  await until(() => web.open > 0, 'a request')
  // The rules change when the open requests have ended.
  const changing = subject.change({ maxDepth: 3 })
  await sleep(50)
  const act = (given: unknown) => (subject as unknown as { act(given: unknown): Promise<object> }).act(given)
  const startMs = performance.now()
  assert.deepEqual(await act({ kind: 'stop' }), {})
  assert.ok(performance.now() - startMs < 10_000 && web.open > 0, 'it waited')
  assert.equal(subject.state, 'stopping')
  assert.deepEqual(await act({ kind: 'stop' }), {})
  await assert.rejects(act({ kind: 'pause' }), { code: 'CRAWL_NOT_RUNNING' })
  web.letGo()
  assert.equal((await ended).because, 'stopped')
  await changing
  assert.deepEqual(kinds(web), ['change settings', 'stop'])
})

const BAD: readonly (readonly [given: unknown, code: string, message: RegExp])[] = [
  [undefined, 'CRAWL_BAD_ACTION', /the action must be an object/],
  [{ kind: 'explode' }, 'CRAWL_BAD_ACTION', /one of: pause, resume, stop, add seeds, change settings, change host/],
  [{ kind: 'pause', really: true }, 'CRAWL_BAD_ACTION', /really/],
  [{ kind: 'add seeds', urls: [] }, 'CRAWL_BAD_ACTION', /at least one URL/],
  [{ kind: 'add seeds', urls: 'http://a.test/' }, 'CRAWL_BAD_ACTION', /urls must be a list/],
  [{ kind: 'add seeds', urls: Array(10_001).fill('http://a.test/') }, 'CRAWL_BAD_ACTION', /at most 10000 seeds/],
  [{ kind: 'change settings', settings: {} }, 'CRAWL_BAD_ACTION', /at least one/],
  [{ kind: 'change settings', settings: { workers: 4 } }, 'CRAWL_BAD_SETTING', /stop it and start it again/],
  [{ kind: 'change settings', settings: { limitt: 4 } }, 'CRAWL_BAD_SETTING', /did you mean limit\?/],
  [{ kind: 'change settings', settings: { limit: 0 } }, 'CRAWL_BAD_SETTING', /from 1/],
  [{ kind: 'change settings', settings: { delayMs: null } }, 'CRAWL_BAD_SETTING', /delayMs must be a number/],
  [
    { kind: 'change settings', settings: { include: ['x'.repeat(2001)] } },
    'CRAWL_BAD_SETTING',
    /at most 1000 patterns/,
  ],
  [
    { kind: 'change host', host: 'nowhere.test', change: { clear: true } },
    'CRAWL_BAD_ACTION',
    /does not know the host nowhere/,
  ],
  [{ kind: 'change host', host: '\u001b[2J', change: { clear: true } }, 'CRAWL_BAD_ACTION', /\\u\{1b\}/],
  [{ kind: 'change host', host: 'a.test', change: {} }, 'CRAWL_BAD_ACTION', /at least one/],
  [{ kind: 'change host', host: 'a.test', change: { delayMs: -1 } }, 'CRAWL_BAD_ACTION', /31 days/],
  [
    { kind: 'change host', host: 'a.test', change: { blockedUntilMs: Date.now() + 32 * 86_400_000 } },
    'CRAWL_BAD_ACTION',
    /31 days/,
  ],
  [{ kind: 'change host', host: 'a.test', change: { clear: 'yes' } }, 'CRAWL_BAD_ACTION', /clear is true/],
]

test('steering: an action that makes no sense changes nothing and says what would be right, in both languages', async (t: TestContext) => {
  const web = await steeredWeb(t, ['a.test'], 3)
  await assert.rejects(crawl(web.options).pause(), { code: 'CRAWL_NOT_BEGUN' })
  const { subject, ended } = web.start()
  await subject.pause()
  t.after(() => setLanguage('en'))
  // What a program without types, or a socket, may give.
  const act = (given: unknown) => (subject as unknown as { act(given: unknown): Promise<object> }).act(given)
  for (const [given, code, message] of BAD) {
    await assert.rejects(act(given), { code, message }, JSON.stringify(given)?.slice(0, 100))
    setLanguage('pt')
    const { message: inPt } = await act(given).then(
      () => ({ message: '' }),
      (error: Error) => error,
    )
    assert.ok(inPt !== '' && !message.test(inPt.replace(/\\u.*|limit\?|really.*|31|1000.*|de 1/, '')), inPt)
    setLanguage('en')
  }
  assert.deepEqual(kinds(web), ['pause'])
  await act({ kind: 'change settings', settings: { limit: null } })
  assert.equal(runs(web).at(-1)?.settings.limit, 'none', 'null is no limit')
  await act({ kind: 'stop' })
  assert.equal((await ended).because, 'stopped')
  await assert.rejects(subject.resume(), { code: 'CRAWL_NOT_RUNNING' })
  assert.deepEqual(kinds(web), ['pause', 'change settings', 'stop'])
})
