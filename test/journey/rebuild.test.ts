// A frontier that holds less than was acknowledged is an error; made again from the rest of the folder, nothing is fetched twice.
import assert from 'node:assert/strict'
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { openLocal } from '../../src/frontier/local/open.ts'
import { openLocalReadOnly } from '../../src/frontier/local/read-only.ts'
import { crawl as crawlPages } from '../../src/index.ts'
import { temporaryFolder } from '../cli/run-cli.ts'
import { expected } from '../web/synthetic-web.ts'
import { archivedUrls, pageUrls } from './collected.ts'
import {
  differences,
  type Journey,
  journey,
  Running,
  requestedUrls,
  requests,
  running,
  twice,
  urlsOf,
} from './crawl.ts'
import { type SmallHost, smallWeb } from './small-web.ts'

const AN_ERROR = 2
const OPTIONS = ['-n', '100000', '--delay', '20ms']
const ends: (() => void)[] = []
/** A web, and the folder of a crawl of it that was killed twice. */
let trip: Journey
/** Its frontier, as it was after the first kill. */
let older = ''
/** The frontier of another crawl, which holds more. */
let another = ''

before(async () => {
  const context = { after: (end: () => void) => ends.push(end) } as unknown as TestContext
  trip = await journey(context, { seed: 5, hosts: 50, pagesAHost: 8, waitMs: 5, oddities: false, patientHosts: 0 })
  older = join(temporaryFolder(context), 'older')
  for (const requested of [120, 130]) {
    const killed = running(context, [...trip.args, ...OPTIONS])
    await requests(trip, trip.server.log.length + requested)
    killed.kill('SIGKILL')
    await killed.ending
    if (!existsSync(older)) cpSync(join(trip.folder, 'frontier'), older, { recursive: true })
  }
  another = join(temporaryFolder(context), 'another')
  const frontier = await openLocal({ folder: another })
  const links = (host: number) =>
    Array.from({ length: 500 }, (_, n) => ({ url: `http://h${host}.example/${n}`, rank: 1, hops: 0 }))
  for (let host = 0; host < 40; host++) await frontier.offer(links(host))
  await frontier.close()
})
after(() => {
  for (const end of ends.reverse()) end()
})

/** A copy of the folder, and what became of its frontier. */
function damaged(t: TestContext, damage: (frontier: string, journal: string) => void): string {
  const folder = join(temporaryFolder(t), 'crawl')
  cpSync(trip.folder, folder, { recursive: true, filter: path => !path.endsWith('.sock') })
  const frontier = join(folder, 'frontier')
  damage(frontier, join(frontier, readdirSync(frontier).findLast(name => name.startsWith('journal'))!))
  return folder
}

const resumed = (folder: string, ...options: string[]) =>
  new Running([folder, ...options], { command: 'resume' }).ending

/** Goes on with a frontier that is made again, to the end of the web. */
async function isWholeAfter(t: TestContext, folder: string, ending = resumed(folder, '--rebuild')): Promise<void> {
  const wanted = urlsOf(expected(trip.web).archived, trip)
  const done = new Set(pageUrls(folder))
  assert.ok(done.size > 40 && done.size < wanted.length - 20, `${done.size} of ${wanted.length} pages`)
  const asked = trip.server.log.length
  const { code, stderr } = await ending
  assert.equal(code, 0, stderr)
  const log = trip.server.log.slice(asked)
  const again = requestedUrls({ ...trip, server: { ...trip.server, log } })
  t.diagnostic(`${done.size} pages before, ${again.length} requests after; ${stderr.match(/the frontier was .*/)?.[0]}`)
  assert.deepEqual(
    again.filter(url => done.has(url)),
    [],
    'fetched twice',
  )
  const archived = await archivedUrls(folder)
  assert.deepEqual(twice(archived), [], 'archived twice')
  assert.deepEqual(differences(archived, wanted), { missing: [], extra: [] })
}

const DAMAGES: Readonly<Record<string, (frontier: string, journal: string) => void>> = {
  emptied: (_, journal) => truncateSync(journal),
  'cut in half': (_, journal) => truncateSync(journal, readFileSync(journal).length >> 1),
  'replaced by something short': (_, journal) => writeFileSync(journal, '{}'),
  removed: (_, journal) => rmSync(journal),
  'replaced by an older copy': (frontier, journal) => cpSync(join(older, journal.slice(frontier.length + 1)), journal),
  'replaced by an older copy with all files': frontier => {
    rmSync(frontier, { recursive: true })
    cpSync(older, frontier, { recursive: true })
  },
  'replaced by that of another crawl, with all files': frontier => {
    rmSync(frontier, { recursive: true })
    cpSync(another, frontier, { recursive: true })
  },
}

for (const [what, damage] of Object.entries(DAMAGES)) {
  test(`frontier: a journal that was ${what} is an error with a way out, and nothing is requested or changed`, async t => {
    const folder = damaged(t, damage)
    const asked = trip.server.log.length
    const before = readdirSync(join(folder, 'frontier')).filter(name => !name.startsWith('lock'))
    const { code, stderr } = await resumed(folder)
    assert.equal(code, AN_ERROR, stderr)
    assert.match(
      stderr,
      /frontier.*(?:journal-0000000\d\.log|synced) is damaged.*restore it from a copy, or .*--rebuild/,
    )
    assert.equal(trip.server.log.length, asked)
    assert.deepEqual(
      readdirSync(join(folder, 'frontier')).filter(name => !name.startsWith('lock')),
      before,
    )
  })
}

test('frontier: without its folder, or with nothing but a lock in it, a crawl is an error with a way out', async t => {
  for (const left of [undefined, 'lock-00000007']) {
    const folder = damaged(t, frontier => rmSync(frontier, { recursive: true }))
    if (left !== undefined) {
      cpSync(older, join(folder, 'frontier'), {
        recursive: true,
        filter: path => !/\.(?:log|txt|bin)$|synced$/.test(path),
      })
    }
    const { code, stderr } = await resumed(folder)
    assert.equal(code, AN_ERROR, stderr)
    assert.match(stderr, /frontier is missing.*restore it from a copy, or .*escalona resume \S+ --rebuild/)
  }
})

test('resume --rebuild: an emptied journal: the former frontier is set aside, and every page is archived once', async t => {
  const folder = damaged(t, DAMAGES.emptied!)
  await isWholeAfter(t, folder)
  assert.equal(readFileSync(join(folder, 'frontier.damaged-1', 'journal-00000001.log')).length, 0)
  const { code, stderr } = await resumed(folder)
  assert.equal(code, 0, stderr)
})

test('resume --rebuild: a folder without a frontier, killed while it was made again', async t => {
  const folder = damaged(t, frontier => rmSync(frontier, { recursive: true }))
  const killed = running(t, [folder, '--rebuild'], { command: 'resume' })
  while (!existsSync(join(folder, 'frontier.rebuilding'))) await wait(1)
  killed.kill('SIGKILL')
  assert.equal((await killed.ending).signal, 'SIGKILL')
  assert.ok(!existsSync(join(folder, 'frontier')))
  assert.equal((await resumed(folder)).code, AN_ERROR)
  await isWholeAfter(t, folder)
  assert.ok(!existsSync(join(folder, 'frontier.rebuilding')))
})

test('resume --rebuild: a WARC file is gone: its pages are not fetched again, and their number is said', async t => {
  const folder = damaged(t, DAMAGES.removed!)
  const [first = ''] = readdirSync(join(folder, 'archive')).filter(name => /warc/.test(name))
  renameSync(join(folder, 'archive', first), join(folder, '..', first))
  const done = pageUrls(folder)
  const asked = trip.server.log.length
  const { code, stderr } = await resumed(folder, '--rebuild')
  assert.equal(code, 0, stderr)
  assert.match(stderr, new RegExp(`the links of ${done.length} archived pages could not be read again`))
  const log = trip.server.log.slice(asked)
  const again = requestedUrls({ ...trip, server: { ...trip.server, log } })
  assert.deepEqual(
    again.filter(url => done.includes(url)),
    [],
  )
})

test('crawl({ rebuild }): the library makes a frontier again, too', async t => {
  const folder = damaged(t, DAMAGES['cut in half']!)
  await assert.rejects(crawlPages({ folder }).run(), { code: 'FRONTIER_DAMAGED' })
  const repairs: string[] = []
  const ending = crawlPages({ folder, rebuild: true, onRepair: message => repairs.push(message) })
    .run()
    .then(() => ({ code: 0, stderr: repairs.join('\n') }))
  await isWholeAfter(t, folder, ending as ReturnType<typeof resumed>)
})

test('resume --rebuild: redirects, failures, held links, sitemaps and hops come out as in a crawl that was never damaged', async t => {
  const link = (path: string) => `<a href="${path}">x</a>`
  const answers: Readonly<Record<string, ReturnType<SmallHost['answer']>>> = {
    '/': ['/old', '/gone', '/one', '/picture', '/unlisted', 'http://b.test:{{port}}/'].map(link).join(''),
    '/old': { status: 301, headers: { Location: '/new' } },
    '/new': link('/after-new'),
    '/one': link('/two'),
    '/two': link('/three'),
    '/picture': { headers: { 'Content-Type': 'image/png' }, body: 'x' },
    '/unlisted': '<meta name="robots" content="noindex">x',
    '/robots.txt': { headers: { 'Content-Type': 'text/plain' }, body: 'Sitemap: /sitemap.txt' },
    '/sitemap.txt': {
      headers: { 'Content-Type': 'text/plain' },
      body: 'http://a.test:{{port}}/listed\nhttp://a.test:{{port}}/listed-2',
    },
  }
  const pages = new Set(['/after-new', '/three', '/listed', '/listed-2'])
  const answer: SmallHost['answer'] = path => answers[path] ?? (pages.has(path) ? 'page' : undefined)
  const web = await smallWeb(t, [{ name: 'a.test', address: '127.49.90.1', answer }], { seeds: ['a.test/'] })
  const args = [...web.args, '--delay', '0', '--scope', 'host', '--sitemaps', 'yes']
  const whole = await new Running([...args, '-o', `${web.folder}-whole`]).ending
  assert.equal(whole.code, 0, whole.stderr)
  for (const limit of [2, 5, 7]) {
    const folder = `${web.folder}-${limit}`
    const begun = await new Running([...args, '-o', folder, '-n', String(limit)]).ending
    assert.equal(begun.code, 0, begun.stderr)
    const done = new Set((await linksIn(folder)).filter(({ state }) => state !== 'waiting').map(({ url }) => url))
    rmSync(join(folder, 'frontier'), { recursive: true })
    const asked = web.log.length
    const { code, stderr } = await resumed(folder, '--rebuild', '-n', 'none')
    assert.equal(code, 0, stderr)
    const again = web.log.slice(asked).map(({ path }) => web.url('a.test', path))
    assert.deepEqual(
      again.filter(url => done.has(url)),
      [],
      `after ${limit} pages: asked for again`,
    )
    assert.deepEqual(await linksIn(folder), await linksIn(`${web.folder}-whole`), `after ${limit} pages`)
  }
})

/** All links that a folder knows, by URL. */
async function linksIn(folder: string): Promise<{ readonly url: string; readonly state: string }[]> {
  const { stdout, code, stderr } = await new Running([folder, '--json'], { command: 'list' }).ending
  assert.equal(code, 0, stderr)
  const rows = stdout.split('\n').flatMap(line => (line === '' ? [] : JSON.parse(line)))
  const links = rows.map(({ url, state, reason, hops }) => ({ url, state, reason, hops }))
  return links.sort((a, b) => (a.url < b.url ? -1 : 1))
}

test('resume --rebuild: pages that are visited again are planned again, and not asked for before their time', async t => {
  const answer: SmallHost['answer'] = path =>
    path === '/' ? '<a href="/a">a</a><a href="/b">b</a>' : path.length === 2 ? 'x' : undefined
  const web = await smallWeb(t, [{ name: 'a.test', address: '127.49.91.1', answer }], { seeds: ['a.test/'] })
  const begun = await new Running([...web.args, '--delay', '0', '--recrawl', 'due', '--recrawl-first', '1h']).ending
  assert.equal(begun.code, 0, begun.stderr)
  const plannedIn = async () => {
    const frontier = await openLocalReadOnly({ folder: join(web.folder, 'frontier') })
    return (await frontier.counts().finally(() => frontier.close())).planned
  }
  assert.equal(await plannedIn(), 3)
  rmSync(join(web.folder, 'frontier'), { recursive: true })
  const asked = web.log.length
  const { code, stderr } = await resumed(web.folder, '--rebuild')
  assert.equal(code, 0, stderr)
  assert.deepEqual(
    web.log.slice(asked).filter(({ path }) => path !== '/robots.txt'),
    [],
  )
  assert.equal(await plannedIn(), 3)
})
