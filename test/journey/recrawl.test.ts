// The command visits its pages again. The web's own log decides what was asked, and when.
//   ESCALONA_KILLS=20 for the full number of kills.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { readWhole } from '../../src/archive/read.ts'
import { visitsOf } from '../../src/archive/visits-of.ts'
import { RandomSource, SOAK, seeds } from '../model/random-source.ts'
import { type PageLine, pagesIn, reportOf } from './collected.ts'
import { Running } from './crawl.ts'
import { politeness } from './politeness.ts'
import { pageWith, type Reply, type SmallHost, type SmallWeb, smallWeb } from './small-web.ts'

const DELAY_MS = 40
const KILLS = Number(process.env.ESCALONA_KILLS || (SOAK > 1 ? 20 : 2))
const LAST_MODIFIED = 'Thu, 01 Jan 2026 00:00:00 GMT'
/** Every page of an earlier run is visited again, once: the next time is an hour later. */
const ONCE_AGAIN = ['--recrawl', 'due', '--recrawl-first', '1ms', '--delay', `${DELAY_MS}ms`]

interface Asked {
  readonly place: string
  readonly headers: IncomingHttpHeaders
  readonly status: number
}

interface Versioned {
  readonly web: SmallWeb
  /** Requests for pages. */
  readonly asked: Asked[]
  /** What the pages say, and their version: changed by the test. */
  readonly texts: Map<string, string>
  readonly tags: Map<string, string>
}

const LINE = 'some words that stand on every page so that it is longer than a short one\n'.repeat(20)

/** Hosts whose pages have an ETag and a date, and are honest about both. */
async function versioned(t: TestContext, hosts: number, pages: number): Promise<Versioned> {
  const asked: Asked[] = []
  const texts = new Map<string, string>()
  const tags = new Map<string, string>()
  const paths = Array.from({ length: pages }, (_, n) => `/${n + 1}`)
  const host = (n: number): SmallHost => ({
    name: `host${n}.test`,
    address: `127.0.0.${n + 1}`,
    answer(path, _, headers = {}) {
      if (path === '/robots.txt') return undefined
      const place = `host${n}.test${path}`
      const text = texts.get(place) ?? 'first'
      const reply =
        text === 'gone'
          ? { status: 404 }
          : page(place, text, tags.get(place) ?? text, path === '/' ? paths : ['/'], headers)
      asked.push({ place, headers, status: reply.status ?? 200 })
      return reply
    },
  })
  const web = await smallWeb(
    t,
    Array.from({ length: hosts }, (_, n) => host(n + 1)),
  )
  return { web, asked, texts, tags }
}

function page(place: string, text: string, tag: string, links: readonly string[], headers: IncomingHttpHeaders) {
  const etag = `W/"${tag}, é: ${place}"`
  const all = { 'Content-Type': 'text/html', ETag: latin1(etag), 'Last-Modified': LAST_MODIFIED }
  if (headers['if-none-match'] === latin1(etag)) return { status: 304, headers: all, body: '' }
  // What is no text differs each time, as a counter or a nonce does.
  const body = `${pageWith(place, links)}<p>${text} ${LINE}<script>${Math.random()}</script>`
  return { status: 200, headers: all, body }
}

/** As it comes over the wire: one character per byte. */
function latin1(text: string): string {
  return Buffer.from(text).toString('latin1')
}

async function run(args: readonly string[], command = 'crawl'): Promise<string> {
  const { code, stderr } = await new Running(args, { command }).ending
  assert.equal(code, 0, stderr)
  return stderr
}

/** Runs until something has come, then ends it in good order. Returns how long that took. */
async function runUntil(args: readonly string[], command: string, hasCome: () => boolean): Promise<number> {
  const running = new Running(args, { command })
  for (let n = 0; n < 2000 && !hasCome(); n++) await wait(10)
  running.kill('SIGINT')
  const { code, stderr, tookMs } = await running.ending
  assert.equal(code, 130, stderr)
  return tookMs
}

function linesOf({ web }: Versioned): (PageLine & { readonly change: string; readonly etag?: string })[] {
  return pagesIn(web.folder) as never
}

function wireBytes({ web }: Versioned): number {
  return JSON.parse(readFileSync(join(web.folder, 'stats.json'), 'utf8')).wireBytes
}

test('recrawl: the second run makes only conditional requests, and a 304 brings no body', async t => {
  const one = await versioned(t, 3, 6)
  const { web, asked } = one
  await run([...web.args, '--delay', `${DELAY_MS}ms`])
  const [first, bytes] = [asked.length, wireBytes(one)]
  assert.equal(first, 21)
  await run([web.folder, ...ONCE_AGAIN], 'resume')
  const second = asked.slice(first)
  assert.deepEqual(
    second.map(({ place }) => place).sort(),
    asked
      .slice(0, first)
      .map(({ place }) => place)
      .sort(),
  )
  for (const { place, headers, status } of second) {
    assert.equal(headers['if-none-match'], latin1(`W/"first, é: ${place}"`))
    assert.equal(headers['if-modified-since'], LAST_MODIFIED)
    assert.equal(status, 304)
  }
  assert.equal(wireBytes(one), bytes, 'no body came')
  assert.deepEqual(politeness(web.log, { delayMs: DELAY_MS }).complaints, [])

  const lines = linesOf(one)
  assert.deepEqual(
    lines.slice(0, first).map(({ change }) => change),
    Array(first).fill('new'),
  )
  assert.deepEqual(
    lines.slice(first).map(({ change }) => change),
    Array(first).fill('same'),
  )
  assert.equal(reportOf(web.folder).pages, first)
  for (const line of lines.slice(first)) {
    const { record, message } = readWhole(web.folder, line)
    assert.equal(record.type, 'revisit')
    assert.equal(record.block.length, 0)
    assert.equal(record.fields.get('warc-refers-to-target-uri'), line.url)
    assert.match(message.body.toString(), /some words/)
    assert.equal(visitsOf(web.folder, line.url).length, 2)
  }
  // Nothing is due for an hour.
  await run([web.folder, ...ONCE_AGAIN], 'resume')
  assert.equal(asked.length, 2 * first)
})

test('recrawl: changed, same, gone: by the text and not by the bytes, and three 404 in a row', async t => {
  const one = await versioned(t, 1, 4)
  const { web, asked, texts } = one
  await run([...web.args, '--delay', `${DELAY_MS}ms`])
  assert.equal(asked.length, 5)
  texts.set('host1.test/1', 'second').set('host1.test/2', 'gone')
  one.tags.set('host1.test/3', 'another one')
  const often = [
    '--recrawl-first',
    '1ms',
    '--recrawl-min',
    '200ms',
    '--recrawl-max',
    '200ms',
    '--delay',
    `${DELAY_MS}ms`,
  ]
  const isDone = () => asked.length > 22 && linesOf(one).some(({ change }) => change === 'gone')
  await runUntil([web.folder, '--recrawl', ...often], 'resume', isDone)
  const lines = linesOf(one)
  const changes = (path: string) => lines.filter(({ url }) => url.endsWith(path)).map(({ change }) => change)
  assert.deepEqual(changes('/1').slice(0, 3), ['new', 'changed', 'same'])
  assert.deepEqual(changes('/2'), ['new', 'gone'])
  assert.deepEqual(changes('/3').slice(0, 3), ['new', 'same', 'same'])
  const statuses = (path: string) => asked.filter(({ place }) => place.endsWith(path)).map(({ status }) => status)
  assert.deepEqual(statuses('/2'), [200, 404, 404, 404])
  assert.deepEqual(statuses('/3').slice(0, 3), [200, 200, 304])
  // What is no text differs, so the bytes are kept.
  const third = lines.filter(({ url }) => url.endsWith('/3'))[1]!
  assert.equal(readWhole(web.folder, third).record.type, 'response')
  assert.equal(reportOf(web.folder).pages, 5)
  const { revisits } = JSON.parse(readFileSync(join(web.folder, 'stats.json'), 'utf8'))
  assert.equal(revisits.changed, 1)
  assert.equal(revisits.gone, 1)
  assert.equal(revisits.failed, 2)
  assert.deepEqual(politeness(web.log, { delayMs: DELAY_MS }).complaints, [])
})

test('recrawl: a server that lies is found out by the full GET, and costs no loop', async t => {
  const statuses = new Map<string, number[]>()
  const bodies = { fresh: 0 }
  const future = new Date(performance.timeOrigin + 10 * 365 * 86_400_000).toUTCString()
  const lies: Readonly<Record<string, (times: number, headers: IncomingHttpHeaders) => Reply>> = {
    // 304 to whoever asks whether it changed, though it changes all the time.
    '/always': (_, { 'if-modified-since': since }) => (since ? html('', 304) : html(`number ${bodies.fresh++}`)),
    // An ETag that is always new, though nothing changes.
    '/tags': times => html('the same', 200, { ETag: `"${times}"` }),
    // Changed in the future.
    '/future': (_, { 'if-modified-since': since }) =>
      since ? html('', 304) : html('x', 200, { 'Last-Modified': future }),
    // 304 to everything, once it was there.
    '/broken': times => (times === 1 ? html('there') : html('', 304)),
  }
  const host: SmallHost = {
    name: 'liar.test',
    address: '127.0.0.1',
    answer(path, times, headers = {}) {
      if (path === '/')
        return html(
          Object.keys(lies)
            .map(href => `<a href="${href}">x</a>`)
            .join(''),
        )
      const reply = lies[path]?.(times, headers) as Exclude<Reply, string | { raw: string }> | undefined
      if (reply !== undefined) statuses.set(path, [...(statuses.get(path) ?? []), reply.status ?? 200])
      return reply
    },
  }
  const web = await smallWeb(t, [host])
  const often = ['--recrawl-first', '100ms', '--recrawl-min', '300ms', '--recrawl-max', '300ms', '--recrawl-full', '3']
  const tookMs = await runUntil([...web.args, '--recrawl', ...often, '--delay', '20ms'], 'crawl', () =>
    Object.keys(lies).every(path => (statuses.get(path)?.length ?? 0) >= 7),
  )
  const lines = pagesIn(web.folder) as unknown as (PageLine & { readonly change: string })[]
  const changes = (path: string) => lines.filter(({ url }) => url.endsWith(path)).map(({ change }) => change)
  // Each 300 ms, less 10 % by chance.
  for (const [path, all] of statuses)
    assert.ok(all.length <= tookMs / 270 + 2, `${path}: ${all.length} in ${tookMs} ms`)
  assert.deepEqual(
    statuses.get('/always')!.slice(0, 6),
    [200, 304, 304, 200, 200, 200],
    'found out, then asked for all of it',
  )
  assert.deepEqual(changes('/always').slice(0, 6), ['new', 'same', 'same', 'changed', 'changed', 'changed'])
  assert.ok(statuses.get('/tags')!.every(status => status === 200))
  assert.deepEqual(new Set(changes('/tags').slice(1)), new Set(['same']))
  assert.deepEqual(statuses.get('/future')!.slice(0, 7), [200, 304, 304, 200, 304, 304, 200])
  assert.deepEqual(new Set(changes('/future').slice(1)), new Set(['same']))
  assert.deepEqual(changes('/broken'), ['new', 'same', 'same'], 'what follows are failures')
  assert.deepEqual(politeness(web.log, { delayMs: 20 }).complaints, [])
})

function html(body: string, status = 200, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { 'Content-Type': 'text/html', ...headers }, body }
}

test(`recrawl: killed ${KILLS} times while it visits again: no visit is lost, and only open ones are made again`, async t => {
  const [seed = 1] = seeds(t, 0, 1)
  const random = new RandomSource(seed)
  const hosts = 4
  const one = await versioned(t, hosts, Math.max(8, 2 * KILLS))
  const { web, asked } = one
  await run([...web.args, '--delay', `${DELAY_MS}ms`])
  const pages = asked.length
  const before = web.log.length
  const kills: { readonly atMs: number; readonly goneMs: number }[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    const running = new Running([web.folder, ...ONCE_AGAIN], { command: 'resume' })
    const until = web.log.length + 1 + random.below(2 * hosts)
    for (let n = 0; n < 2000 && web.log.length < until; n++) await wait(3)
    await wait(random.below(30))
    const atMs = performance.timeOrigin + performance.now()
    running.kill('SIGKILL')
    const { signal, stderr } = await running.ending
    assert.equal(signal, 'SIGKILL', `seed ${seed}, kill ${kill}: it ended before it was killed: ${stderr}`)
    kills.push({ atMs, goneMs: performance.timeOrigin + performance.now() })
  }
  await run([web.folder, ...ONCE_AGAIN], 'resume')
  const second = asked.slice(pages)
  assert.ok(
    second.every(({ headers }) => headers['if-none-match'] !== undefined),
    `seed ${seed}: all conditional`,
  )
  const goneMs = kills.map(({ goneMs }) => goneMs)
  assert.deepEqual(politeness(web.log, { delayMs: DELAY_MS, killsMs: goneMs }).complaints, [], `seed ${seed}`)
  const lines = linesOf(one)
  const count = (change: string) => lines.filter(line => line.change === change).map(({ url }) => url)
  assert.equal(new Set(count('new')).size, pages)
  assert.deepEqual(count('same').sort(), count('new').sort(), `seed ${seed}: each page has one line more`)
  const log = web.log.slice(before).filter(({ path }) => path !== '/robots.txt')
  const unexcused = log.filter((request, n) => {
    const later = log.slice(n + 1).find(({ host, path }) => host === request.host && path === request.path)
    const kill = kills.find(({ goneMs }) => goneMs > request.startMs)
    const isOpen =
      kill !== undefined &&
      !log.some(({ host, startMs }) => host === request.host && startMs > request.startMs && startMs < kill.goneMs)
    return later !== undefined && !isOpen
  })
  assert.deepEqual(unexcused, [], `seed ${seed}: what was not open was asked for again`)
  t.diagnostic(`seed ${seed}: ${pages} pages, ${second.length} visits again, ${second.length - pages} of them twice`)
  assert.equal(reportOf(web.folder).pages, pages)
})

test('recrawl: what is not due is said to be when; other bounds plan anew; now visits all, or only some', async t => {
  const { web, asked } = await versioned(t, 2, 2)
  const delay = ['--delay', `${DELAY_MS}ms`]
  await run([...web.args, ...delay])
  assert.equal(asked.length, 6)
  const visited = async (...args: string[]) => {
    const before = asked.length
    const said = await run([web.folder, ...args, ...delay], 'resume')
    return { said, places: asked.slice(before).map(({ place }) => place) }
  }
  const early = await visited('--recrawl', 'due')
  assert.deepEqual(early.places, [])
  const lines = early.said.split('\n').filter(line => line.includes('visits again: '))
  assert.equal(lines.length, 2, 'at the start and at the end')
  for (const line of lines) assert.match(line, /visits again: 6 pages are planned, the first in 2[1-6] h/)
  const status = await new Running([web.folder], { command: 'status' }).ending
  assert.match(status.stdout, /again +6 pages are planned, the first in 2[1-6] h/)

  const sooner = await visited('--recrawl', 'due', '--recrawl-first', '1ms')
  assert.match(sooner.said, /changed: recrawl-first 1d → 1ms/)
  assert.match(sooner.said, /visits again: 6 pages are planned, the first is due now/)
  assert.equal(sooner.places.length, 6)

  const portuguese = await visited('--recrawl', 'due', '--lang', 'pt')
  assert.deepEqual(portuguese.places, [])
  assert.match(portuguese.said, /novas visitas: 6 páginas planejadas, a primeira em/)

  const host = await visited('--recrawl', 'now', '--recrawl-only', 'host1.test')
  assert.match(host.said, /visits again: 3 pages are due now \(--recrawl now\)/)
  assert.deepEqual(host.places.sort(), ['host1.test/', 'host1.test/1', 'host1.test/2'])
  const pattern = await visited('--recrawl', 'now', '--recrawl-only', '*/2')
  assert.deepEqual(pattern.places.sort(), ['host1.test/2', 'host2.test/2'])
  const none = await visited('--recrawl', 'now', '--recrawl-only', 'other.test')
  assert.match(none.said, /no page matches --recrawl-only other\.test/)
  assert.deepEqual(none.places, [])
  const all = await visited('--recrawl', 'now')
  assert.equal(all.places.length, 6)
  assert.deepEqual((await visited()).places, [], 'now is not kept: the next run goes by what is due')
  const wrong = await new Running([web.folder, '--no-recrawl', '--recrawl-only', '*/2'], { command: 'resume' }).ending
  assert.match(wrong.stderr, /add --recrawl due or --recrawl now/)
})

test('recrawl: explain names a visit again that failed, and list --changed the pages that have changed', async t => {
  const { web, texts } = await versioned(t, 1, 3)
  const delay = ['--delay', `${DELAY_MS}ms`]
  await run([...web.args, ...delay])
  texts.set('host1.test/1', 'second').set('host1.test/2', 'gone')
  const again = () => run([web.folder, '--recrawl', 'now', ...delay], 'resume')
  const look = async (command: string, ...args: string[]) => {
    const { stdout, stderr } = await new Running([web.folder, ...args], { command }).ending
    return stdout + stderr
  }
  await again()
  const { url: one } = pagesIn(web.folder).find(({ url }) => url.endsWith('/1'))!
  const two = one.replace(/1$/, '2')
  const explained = await look('explain', two)
  assert.match(explained, /state: +done/)
  assert.match(explained, /last visit: +20\d\d-[^ ]+Z, brought no page \(status-404\): The host answered 404/)
  assert.match(await look('explain', two, '--lang', 'pt'), /última visita: .*sem trazer página \(status-404\)/)
  assert.equal(JSON.parse(await look('explain', two, '--json')).failedVisit.reason, 'status-404')
  assert.doesNotMatch(await look('explain', one), /last visit/)

  const rows = (await look('list', '--changed')).trim().split('\n')
  assert.deepEqual([rows.length, rows[1]!.split(/ +/)[0], rows[1]!.split(/ +/).at(-1)], [2, 'changed', one])
  const { url, change } = JSON.parse(await look('list', '--changed', '--since', '1h', '--json'))
  assert.deepEqual({ url, change }, { url: one, change: 'changed' })
  assert.match(await look('list', '--changed', '--csv'), /^change,time,url,title,status,bytes\r\nchanged,20/)
  assert.match(
    await look('list', '--changed', '--since', '2999-01-01'),
    /no page whose last visit again found a change/,
  )
  assert.match(await look('list', '--changed', '--since', 'yesterday'), /a duration such as 7d, or a date/)
  assert.match(await look('list', '--since', '7d'), /--since goes with --changed/)
  texts.set('host1.test/2', 'first')
  await again()
  assert.match(await look('list', '--changed'), /no page/, 'the last visit found it as it was')
  assert.doesNotMatch(await look('explain', two), /last visit/)
  texts.set('host1.test/2', 'gone')
  for (let n = 0; n < 3; n++) await again()
  assert.match(await look('explain', two), /page: +HTTP 404.*, gone: not there three times in a row/)
  assert.match(await look('list', '--changed', '--lang', 'pt'), /sumiu.*\/2/)
})

function is304(fields: ReadonlyMap<string, string>): boolean {
  return fields.get('warc-profile')!.endsWith('server-not-modified')
}

test('recrawl: --dedup archives equal payloads of other URLs once', async t => {
  const body = pageWith('equal', []) + LINE
  const tags: unknown[] = []
  const host: SmallHost = {
    name: 'equal.test',
    address: '127.0.0.1',
    answer(path, _, headers = {}) {
      if (path === '/') return pageWith('home', ['/1', '/2', '/3', '/4'])
      if (path === '/robots.txt') return undefined
      tags.push([path, headers['if-none-match']])
      const isKnown = headers['if-none-match'] === `"${path}"`
      return isKnown ? { status: 304, body: '' } : html(body, 200, { ETag: `"${path}"` })
    },
  }
  const web = await smallWeb(t, [host])
  await run([...web.args, '--delay', '60ms', '--dedup', '1000', '--workers', '1'])
  const lines = pagesIn(web.folder).filter(({ title }) => title === 'equal')
  const kinds = lines.map(line => readWhole(web.folder, line))
  assert.deepEqual(
    kinds.map(({ record }) => record.type),
    ['response', 'revisit', 'revisit', 'revisit'],
  )
  assert.ok(kinds.every(({ message }) => message.body.toString() === body))
  const [first, second] = kinds
  assert.equal(second!.record.fields.get('warc-refers-to'), first!.record.fields.get('warc-record-id'))
  assert.equal(second!.record.fields.get('warc-refers-to-target-uri'), lines[0]!.url)
  assert.equal(reportOf(web.folder).pages, 5)
  // The next run knows them, too.
  await run([web.folder, ...ONCE_AGAIN], 'resume')
  const again = pagesIn(web.folder).slice(5) as unknown as (PageLine & { readonly change: string })[]
  assert.deepEqual(
    again.map(({ change }) => change),
    Array(5).fill('same'),
  )
  assert.ok(again.every(line => readWhole(web.folder, line).record.type === 'revisit'))
  const asked = ['/1', '/2', '/3', '/4'].map(path => [path, lines[0]!.url.endsWith(path) ? `"${path}"` : undefined])
  assert.deepEqual(tags.slice(4).sort(), asked, 'a page whose body is in the record of another URL is asked for whole')
  const notModified = again.map(line => readWhole(web.folder, line).record.fields).filter(is304)
  assert.ok(notModified.length > 0)
  for (const fields of notModified)
    assert.equal(fields.get('warc-refers-to-target-uri'), fields.get('warc-target-uri'), 'a 304 refers to its own URL')
})
