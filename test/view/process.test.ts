// What a running crawl answers, over real sockets, on a frontier in a folder.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { unixClock } from '../../src/base/clock.ts'
import { Timeline } from '../../src/folder/stats/timeline.ts'
import type { CrawlFrontier, Link } from '../../src/frontier/frontier.ts'
import { openLocal } from '../../src/frontier/local/open.ts'
import { compileRobots } from '../../src/robots/robots.ts'
import type { Doing, RunActivity, RunServer, SeenRun } from '../../src/run/run-status.ts'
import type { ActionResult } from '../../src/settings/actions.ts'
import { LinkRules } from '../../src/settings/link-rules.ts'
import { CurrentSource } from '../../src/view/current-source.ts'
import { ProcessSource } from '../../src/view/process/process-source.ts'
import { serveRun } from '../../src/view/process/serve-run.ts'

interface Opened {
  readonly folder: string
  readonly frontier: CrawlFrontier
  readonly server: RunServer
  readonly troubles: readonly string[]
  readonly actions: readonly unknown[]
}

/** What a session says of itself. */
const RUNNING: Omit<RunActivity<Doing>, keyof SeenRun> = {
  ...{ pid: process.pid, state: 'running', pages: 7, limit: 10, requests: 9, wireBytes: 1234, workMs: 77 },
  ...{ openRequests: 2, slots: 48, eta: undefined, waitingFor: { kind: 'starting' } },
}

/** Everything is closed before the folder goes. */
async function opened(
  t: TestContext,
  top = mkdtempSync(join(tmpdir(), 'escalona-run-test-')),
  under = '',
  act = async (): Promise<ActionResult> => ({ seeds: 1 }),
): Promise<Opened> {
  const folder = join(top, under)
  mkdirSync(folder, { recursive: true })
  const frontier = await openLocal({ folder: join(folder, 'frontier'), clock: unixClock })
  const troubles: string[] = []
  const rules = {
    scope: 'host',
    seeds: ['http://a.example/'],
    include: [],
    exclude: ['*secret*'],
    maxDepth: Infinity,
    loops: 'no',
    follow: 'links',
    nearDuplicates: 'hold',
  } as const
  const linkRules = new LinkRules(rules, host => host)
  const actions: unknown[] = []
  const server = await serveRun({
    folder,
    frontier,
    rules: () => linkRules,
    strategy: () => 'explore',
    preference: url => (url.includes('news') ? '--prefer *news*' : undefined),
    agent: () => 'escalona',
    clock: unixClock,
    gapOf: () => ({ ms: 100, by: 'setting' }),
    blockedUntilMs: () => undefined,
    restCause: ({ host }) => (host === 'b.example' ? 'retry-after' : undefined),
    outage: () => undefined,
    totals: () => ({ pages: 7, wireBytes: 1234, failures: 0, openRequests: 2 }),
    timeline: () => new Timeline().toJSON(),
    status: async seen => ({
      frontier: await frontier.counts(),
      outlook: await frontier.outlook(),
      ...{ failed: 0, blockedHosts: 3, running: { ...RUNNING, ...seen } },
    }),
    act: async action => {
      actions.push(action)
      return act()
    },
    onTrouble: message => troubles.push(message),
  })
  t.after(async () => {
    await server.close()
    await frontier.close()
    rmSync(top, { recursive: true })
  })
  return { folder, frontier, server, troubles, actions }
}

async function asking(t: TestContext, folder: string): Promise<ProcessSource> {
  const source = await ProcessSource.of(folder)
  assert.ok(source !== undefined, 'nobody answers')
  t.after(() => source.close())
  return source
}

function links(host: string, count: number, more: Partial<Link> = {}): Link[] {
  return Array.from({ length: count }, (_, n) => ({ url: `http://${host}/${n}`, rank: 1, hops: 1, ...more }))
}

test('questions: a running crawl answers over the socket in its folder', async t => {
  const { folder, frontier } = await opened(t)
  await frontier.offer(links('a.example', 700))
  await frontier.offer(links('b.example', 3, { refused: 'scope', note: '{"from":"http://a.example/0"}' }))
  await frontier.note(
    'a.example',
    'robots http',
    compileRobots(Buffer.from('User-agent: *\nDisallow: /7'), 'x'),
    60_000,
  )
  const source = await asking(t, folder)

  const status = await source.ask('status', {})
  assert.equal(status.frontier.known, 703)
  assert.deepEqual(status.frontier.refusedFor, { scope: 3 })
  const { pid, pages, openRequests, waitingFor } = status.running!
  assert.deepEqual([pid, pages, openRequests, waitingFor], [process.pid, 7, 2, { en: 'starting', pt: 'começando' }])

  const hosts = await source.ask('listHosts', { page: { limit: 10 } })
  assert.deepEqual(
    hosts.items.map(({ host, waiting, waitsFor }) => [host, waiting, waitsFor]),
    [
      ['a.example', 700, undefined],
      ['b.example', 0, 'retry-after'],
    ],
  )
  assert.deepEqual(
    (await source.ask('listHosts', { page: { limit: 10 }, host: 'b.*' })).items.map(({ host }) => host),
    ['b.example'],
  )
  assert.deepEqual(
    (await source.ask('listHosts', { page: { limit: 10 }, host: 'a.example' })).items.map(({ host }) => host),
    ['a.example'],
  )

  const seen: string[] = []
  let calls = 0
  for (let after: string | undefined; ; ) {
    const page = await source.ask('listLinks', { which: { state: 'waiting' }, page: { after, limit: 100_000 } })
    seen.push(...page.items.map(({ url }) => url))
    calls++
    after = page.next
    if (after === undefined) break
  }
  assert.equal(seen.length, 700)
  assert.ok(calls >= 2, 'an answer has no bound')
  const held = await source.ask('listLinks', { which: { state: 'refused', reasons: ['scope'] }, page: { limit: 10 } })
  assert.equal(held.items.length, 3)
  assert.equal(
    (await source.ask('listLinks', { which: { state: 'waiting', host: 'a.example' }, page: { limit: 5 } })).items
      .length,
    5,
  )

  const story = await source.ask('explain', { url: 'http://a.example/7' })
  assert.equal(story.frontier.state, 'waiting')
  assert.deepEqual(story.robots, { kind: 'refused', line: 2 })
  assert.equal(story.heldBy, undefined)
  assert.equal(story.host?.waiting, 700)
  const other = await source.ask('explain', { url: 'http://b.example/1' })
  assert.deepEqual([other.frontier.state, other.heldBy, other.link?.reason], ['refused', 'scope', 'scope'])
  assert.match(other.link?.note ?? '', /a\.example/)
  assert.equal((await source.ask('explain', { url: 'http://a.example/secret' })).heldBy, 'exclude')
})

test('ours: the socket is for its owner only, and gone when the crawl no longer answers', {
  skip: process.platform === 'win32',
}, async t => {
  const { folder, server } = await opened(t)
  assert.equal(statSync(join(folder, 'run.sock')).mode & 0o777, 0o600)
  const client = await asking(t, folder)
  const asked = client.ask('status', {})
  await asked
  await server.close()
  assert.deepEqual(
    readdirSync(folder).filter(name => name.startsWith('run.')),
    [],
  )
  await assert.rejects(client.ask('status', {}), { code: 'RUN_GONE' })
  assert.equal(await ProcessSource.of(folder), undefined)
})

test('ours: what a killed crawl left is ignored by whoever looks, and replaced by the next run', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'escalona-run-test-'))
  leaveSocket(join(folder, 'run.sock'))
  assert.ok(statSync(join(folder, 'run.sock')).isSocket())
  assert.equal(await ProcessSource.of(folder), undefined)
  await opened(t, folder)
  assert.equal((await (await asking(t, folder)).ask('status', {})).running?.pid, process.pid)
})

test('ours: where the path would be too long for a socket, run.json says where it is', async t => {
  const { folder, server, troubles } = await opened(t, undefined, `${'a'.repeat(90)}/${'b'.repeat(90)}`)
  const { path } = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as { path: string }
  assert.equal(statSync(dirname(path)).mode & 0o777, 0o700)
  assert.equal((await (await asking(t, folder)).ask('status', {})).running?.pages, 7)
  await server.close()
  assert.deepEqual(
    [existsSync(path), existsSync(dirname(path)), existsSync(join(folder, 'run.json'))],
    [false, false, false],
  )
  assert.deepEqual(troubles, [])
})

test('ours: whoever sends nonsense, or too much, is answered or cut off, and disturbs nobody', async t => {
  const { folder } = await opened(t)
  const source = await asking(t, folder)
  const answers = await raw(
    t,
    folder,
    'nonsense\n{"id":5,"ask":"everything"}\n{"id":6,"ask":"links","with":{"which":{"state":"done"},"page":{"limit":1}}}\n',
    3,
  )
  assert.deepEqual(
    answers.map(one => (one as { id: number }).id),
    [0, 5, 6],
  )
  for (const one of answers) assert.equal((one as { error: { key: string } }).error.key, 'RUN_BAD_QUESTION')
  const long = connect(join(folder, 'run.sock'))
  t.after(() => long.destroy())
  long.on('error', () => {})
  long.write('x'.repeat(3_000_000))
  await new Promise<void>(resolve => long.on('close', () => resolve()))
  assert.equal((await source.ask('status', {})).frontier.known, 0)
})

test('ours: connections that hang, and more than are allowed, keep nobody from asking', async t => {
  const { folder } = await opened(t)
  const first = await asking(t, folder)
  const hanging: Socket[] = []
  for (let n = 0; n < 40; n++) {
    const socket = connect(join(folder, 'run.sock'))
    socket.on('error', () => {})
    hanging.push(socket)
    t.after(() => socket.destroy())
  }
  // They ask, and never read the answers.
  for (const socket of hanging) socket.pause().write('{"id":1,"ask":"status"}\n')
  await wait(50)
  assert.equal((await first.ask('status', {})).running?.pages, 7)
  for (const socket of hanging) socket.destroy()
  await wait(50)
  assert.equal((await (await asking(t, folder)).ask('status', {})).running?.pages, 7)
})

/** As a process leaves it that is killed while it listens. */
function leaveSocket(path: string): void {
  const code = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`
  spawnSync(process.execPath, ['-e', code])
}

async function raw(t: TestContext, folder: string, text: string, wanted: number): Promise<unknown[]> {
  const socket = connect(join(folder, 'run.sock'))
  t.after(() => socket.destroy())
  let heard = ''
  socket.setEncoding('utf8').on('data', piece => (heard += String(piece)))
  socket.write(text)
  for (let n = 0; n < 500 && heard.split('\n').length <= wanted; n++) await wait(10)
  return heard
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as unknown)
}

test('ours: a long list of a running crawl goes on from the files, and no link is left out or comes twice', async t => {
  const { folder, frontier } = await opened(t)
  await frontier.offer(links('a.example', 6000))
  const look = new CurrentSource(folder, unixClock)
  const seen: string[] = []
  let asked = 0
  for (let after: string | undefined; ; ) {
    const page = await look.ask('listLinks', { which: { state: 'waiting' }, page: { after, limit: 500 } })
    seen.push(...page.items.map(({ url }) => url))
    // What comes after the files were opened is not seen: so it is known from where the list came.
    if (seen.length === 5000) asked = await frontier.offer(links('b.example', 10))
    after = page.next
    if (after === undefined) break
  }
  await look.close()
  assert.equal(asked, 10)
  assert.equal(seen.length, 6000)
  assert.equal(new Set(seen).size, 6000)
})

test('ours: a question that is open when the reader is closed opens nothing again', async t => {
  const { folder } = await opened(t)
  const look = new CurrentSource(folder, unixClock)
  await look.ask('status', {})
  const open = assert.rejects(look.ask('status', {}), { code: 'RUN_GONE' })
  await look.close()
  await open
})

test('ours: whoever finds all connections taken reads the files', async t => {
  const { folder, frontier } = await opened(t)
  await frontier.offer(links('a.example', 5))
  const sockets = Array.from({ length: 16 }, () => connect(join(folder, 'run.sock')))
  for (const socket of sockets) t.after(() => socket.destroy())
  await Promise.all(sockets.map(socket => new Promise(resolve => socket.once('connect', resolve))))
  await wait(50)
  const look = new CurrentSource(folder, unixClock)
  const { items } = await look.ask('listLinks', { which: { state: 'waiting' }, page: { limit: 10 } })
  assert.equal(items.length, 5)
  assert.equal((await look.ask('status', {})).running, undefined)
  await look.close()
})

test('questions: hosts by name and in columns, series, events and actions over the socket', async t => {
  const { folder, frontier, server, actions } = await opened(t)
  await frontier.offer(links('a.example', 3))
  await frontier.offer(links('b.example', 1))
  await frontier.offer(links('c.example', 1))
  await frontier.setDelay('b.example', 5000)
  await frontier.hold('c.example', { forMs: 60_000 })
  const rulesOf = (text: string) => compileRobots(Buffer.from(text), 'x')
  await frontier.note('a.example', 'robots http', rulesOf('User-agent: *\nDisallow: /7'), 60_000)
  await frontier.note('b.example', 'robots http', rulesOf('User-agent: *\nDisallow: /'), 60_000)
  await frontier.note('c.example', 'robots https', rulesOf(''), 60_000)
  const client = await asking(t, folder)

  const named = await client.ask('hostsNamed', { hosts: ['c.example', 'nobody.example', 'a.example', 'b.example'] })
  assert.deepEqual(
    named.map(({ host, waiting, gap, robots }) => [host, waiting, gap, robots]),
    [
      ['c.example', 1, { ms: 100, by: 'setting' }, 'none'],
      ['a.example', 3, { ms: 100, by: 'setting' }, 'rules'],
      ['b.example', 1, { ms: 5000, by: 'robots.txt' }, 'forbids all'],
    ],
  )
  const first = await client.ask('hostColumns', { limit: 2 })
  const rest = await client.ask('hostColumns', { after: first.next!, limit: 100_000 })
  assert.deepEqual([...first.names, ...rest.names], ['a.example', 'b.example', 'c.example'])
  assert.equal(rest.next, undefined)
  assert.deepEqual([...first.waiting, ...rest.waiting], [3, 1, 1])
  assert.deepEqual([...first.delayMs, ...rest.delayMs], [100, 5000, 100])
  assert.deepEqual([...first.readyAtMs], [0, 0])
  const inMs = rest.readyAtMs[0]! - unixClock()
  assert.ok(inMs > 30_000 && inMs <= 60_000, `${inMs}`)
  assert.deepEqual([...first.isDown, ...rest.isDown, ...rest.pages], [0, 0, 0, 0])

  server.hear({ kind: 'trouble', message: 'x'.repeat(5000) }, 1)
  const heard = await client.ask('events', { after: 0 })
  assert.equal((heard.items[0] as { message: string }).message.length, 2000)
  server.hear({ kind: 'redirected', url: 'http://a.example/' }, 2)
  const later = await client.ask('events', { after: heard.last })
  assert.deepEqual([later.items.map(({ kind }) => kind), later.skipped], [['redirected'], 0])
  assert.deepEqual((await client.ask('events', { after: later.last })).items, [])

  const { recent, whole } = await client.ask('series', {})
  assert.deepEqual([recent.openRequests, recent.pages, whole.pages], [[2], [0], []])
  assert.deepEqual(await client.ask('act', { action: { kind: 'pause' } }), { seeds: 1 })
  assert.deepEqual(actions, [{ kind: 'pause' }])
})

test('ours: any number of questions at once are answered, on one connection', async t => {
  const { folder, frontier } = await opened(t)
  await frontier.offer(links('a.example', 3))
  const client = await asking(t, folder)
  const asked = Array.from({ length: 300 }, () => client.ask('hostsNamed', { hosts: ['a.example'] }))
  const late = Array.from({ length: 100 }, () => client.ask('status', {}))
  assert.deepEqual([...new Set((await Promise.all(asked)).map(hosts => hosts[0]?.waiting))], [3])
  assert.equal((await Promise.all(late)).length, 100)
  const lost = Promise.allSettled(Array.from({ length: 100 }, () => client.ask('status', {})))
  client.close()
  for (const one of await lost) assert.equal((one as { reason?: { code: string } }).reason?.code, 'RUN_GONE')
})

test('ours: noted rules of a robots.txt that are damaged, or of another version, are as good as none', async t => {
  const { folder, frontier } = await opened(t)
  await frontier.offer(links('a.example', 1))
  await frontier.offer(links('b.example', 1))
  const rules = compileRobots(Buffer.from('User-agent: *\nDisallow: /'), 'x')
  const other = rules.slice()
  other[4]! ^= 0xff
  await frontier.note('a.example', 'robots http', other, 60_000)
  await frontier.note('a.example', 'robots https', rules.slice(0, -1), 60_000)
  await frontier.note('b.example', 'robots http', rules, 60_000)
  const client = await asking(t, folder)
  const named = await client.ask('hostsNamed', { hosts: ['a.example', 'b.example'] })
  assert.deepEqual(
    named.map(({ robots }) => robots),
    ['unknown', 'forbids all'],
  )
  for (const scheme of ['http', 'https'])
    assert.deepEqual((await client.ask('explain', { url: `${scheme}://a.example/0` })).robots, { kind: 'unknown' })
})

test('questions: a short question is not kept waiting by long ones, on the same connection', async t => {
  const { folder, frontier } = await opened(t)
  await frontier.offer(Array.from({ length: 3000 }, (_, n) => links(`h${n}.example`, 1)[0]!))
  const client = await asking(t, folder)
  let isOver = false
  // Much more than the time that was saved up, however fast this machine is; what follows has to wait.
  const others = await Promise.all(Array.from({ length: 5 }, () => asking(t, folder)))
  const longs = [client, ...others].flatMap(one =>
    Array.from({ length: 30 }, () => one.ask('hostColumns', { limit: 2000 })),
  )
  const long = Promise.allSettled(longs).then(() => {
    isOver = true
  })
  for (let n = 0; n < 5; n++) {
    assert.equal((await client.ask('status', {})).frontier.known, 3000)
    assert.equal(
      (await client.ask('listLinks', { which: { state: 'waiting', host: `h${n}.example` }, page: { limit: 100 } }))
        .items.length,
      1,
    )
  }
  assert.equal(isOver, false, 'the long questions were answered first')
  for (const one of [client, ...others]) one.close()
  await long
})

test('questions: whoever asks the crawl to stop is answered, although it ends', async t => {
  const { folder, server } = await opened(t, undefined, '', async () => {
    closing = server.close()
    await wait(20)
    return { cleared: 4 }
  })
  let closing: Promise<void> | undefined
  const client = await asking(t, folder)
  assert.deepEqual(await client.ask('act', { action: { kind: 'stop' } }), { cleared: 4 })
  await closing
})
