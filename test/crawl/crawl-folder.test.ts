import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { PageLine } from '../../src/archive/pages-file.ts'
import { archiveRecords } from '../../src/archive/records.ts'
import { addRun, type CrawlFile, readCrawlFile } from '../../src/folder/crawl-file.ts'
import { type Former, planRun } from '../../src/folder/run-plan.ts'
import { Stats } from '../../src/folder/stats/stats.ts'
import {
  abandonCrawlFolder,
  type CrawlFolder,
  closeCrawlFolder,
  openCrawlFolder,
} from '../../src/run/opening/crawl-folder.ts'
import type { CrawlSettings } from '../../src/settings/settings.ts'
import { type WebUrl, webUrl } from '../../src/url/web.ts'

const NOW_MS = 1_700_000_000_000
const RECORDS = archiveRecords(
  {
    url: 'http://a.com/',
    ip: '',
    requestHead: 'GET / HTTP/1.1\r\n\r\n',
    status: 200,
    statusText: 'OK',
    headers: [],
    body: new Uint8Array(0),
    truncated: undefined,
  },
  { isPage: true, dateMs: NOW_MS },
)
const NUMBERS = { status: 200, bytes: 0, tokens: 0, hops: 0, linksOut: 0, dateMs: NOW_MS }
const LINE = { url: 'http://a.com/', title: '', change: 'new' as const, ...NUMBERS }

const SEED = webUrl('http://a.com/') as WebUrl

function newPath(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'escalona-crawl-folder-'))
  t.after(() => rmSync(path, { recursive: true }))
  return path
}

function open(path: string, own: Partial<CrawlSettings> = {}): Promise<CrawlFolder> {
  const plan = (former: Former) => planRun({ seeds: [SEED], add: false, given: own, cores: 2, version: '1.0' }, former)
  return openCrawlFolder({
    path,
    plan,
    version: '1.0',
    clock: () => NOW_MS,
    seedsGiven: 1,
    onRepair() {},
    onTrouble() {},
    async onLost() {},
    onDamaged() {},
  })
}

/** As a run that begins and ends. */
function close(folder: CrawlFolder, stats = new Stats(NOW_MS)): Promise<CrawlFile> {
  const run = { startedAt: '', version: '1.0', seeds: [], seedCount: 0, settings: {}, hostSettings: {}, secrets: [] }
  const file = addRun(folder.path, folder.file, { ...run, knownSeeds: 0, failuresBytes: 0 })
  return closeCrawlFolder(folder, stats, { file, because: 'stopped', atMs: NOW_MS })
}

test('ours: a crawl never writes into a folder that holds other things', async t => {
  const path = newPath(t)
  writeFileSync(join(path, 'thesis.tex'), 'years of work')
  await assert.rejects(open(path), { code: 'CRAWL_FOLDER_TAKEN', message: /name a new or empty folder/ })
  assert.deepEqual(readdirSync(path), ['thesis.tex'])
})

test('ours: a new folder, an empty one and one of a crawl are all used', async t => {
  const path = newPath(t)
  await abandonCrawlFolder(await open(join(path, 'new', 'deep')))
  await abandonCrawlFolder(await open(join(path, 'new', 'deep')))
})

test('folder: a crawl.json of another format is an error, and nothing in the folder is changed', async t => {
  const path = newPath(t)
  await close(await open(path))
  const file = join(path, 'crawl.json')
  for (const format of [1, 4, 99]) {
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), format }))
    const before = contents(path)
    await assert.rejects(open(path), {
      code: 'CRAWL_OTHER_FORMAT',
      message: new RegExp(`crawl.json has format ${format}`),
    })
    assert.throws(() => readCrawlFile(path), { code: 'CRAWL_OTHER_FORMAT' })
    assert.deepEqual(contents(path), before)
  }
})

test('folder: a frontier beside nothing that names its crawl is not touched', async t => {
  const path = newPath(t)
  await close(await open(path))
  for (const name of ['crawl.json', 'crawl.toml', 'seeds.jsonl']) rmSync(join(path, name), { force: true })
  const before = contents(path)
  await assert.rejects(open(path), { code: 'CRAWL_OTHER_FORMAT', message: /crawl\.json/ })
  assert.deepEqual(contents(path), before)
})

/** Every file of a folder but its locks, with its bytes. */
function contents(path: string): Record<string, string> {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(name => !/lock-/.test(name))
  const files = names.filter(name => statSync(join(path, name)).isFile())
  return Object.fromEntries(files.map(name => [name, readFileSync(join(path, name), 'latin1')]))
}

test('crawl folder: of two that begin in a new folder at once, one gets it; what a kill left of crawl.json is no obstacle', async t => {
  const path = newPath(t)
  writeFileSync(join(path, 'crawl.json.new'), '{"for')
  const begun = await Promise.allSettled([open(path), open(path)])
  const [first] = begun.filter(({ status }) => status === 'fulfilled')
  const [other] = begun.filter(({ status }) => status === 'rejected')
  assert.equal((other as PromiseRejectedResult).reason.code, 'CRAWL_LOCKED')
  await abandonCrawlFolder((first as PromiseFulfilledResult<CrawlFolder>).value)
})

test('crawl folder: without its frontier a crawl that has pages is refused, and nothing is changed', async t => {
  const path = newPath(t)
  const folder = await open(path)
  folder.pages.append([{ ...LINE, file: 'x', offset: 0, length: 1 }])
  await close(folder)
  rmSync(join(path, 'frontier'), { recursive: true })
  const before = readdirSync(path)
  await assert.rejects(open(path), { code: 'CRAWL_FRONTIER_MISSING', message: /collected again.*restore/ })
  assert.deepEqual(readdirSync(path), before)
})

test('crawl folder: a folder that cannot be made is an ordinary error', async t => {
  const path = newPath(t)
  writeFileSync(join(path, 'file'), '')
  for (const bad of [join(path, 'file'), join(path, 'file', 'x'), join(path, 'x'.repeat(300)), '/proc/x'])
    await assert.rejects(open(bad), { code: 'CRAWL_FOLDER_UNUSABLE' })
})

test('ours: one crawl at a time has a folder; closed or abandoned, it is free', async t => {
  const path = newPath(t)
  const first = await open(path)
  await assert.rejects(open(path), { code: 'CRAWL_LOCKED' })
  await close(first)
  await abandonCrawlFolder(await open(path))
  await abandonCrawlFolder(await open(path))
})

test('ours: an opening that fails leaves the folder free', async t => {
  const path = newPath(t)
  await abandonCrawlFolder(await open(path))
  const file = join(path, 'crawl.json')
  const text = readFileSync(file)
  writeFileSync(file, '{"format": 2}')
  for (let n = 0; n < 2; n++) await assert.rejects(open(path), { code: 'CRAWL_FILE_DAMAGED' })
  writeFileSync(file, text)
  await abandonCrawlFolder(await open(path))
})

test('ours: a folder that was closed has its statistics and an index', async t => {
  const path = newPath(t)
  const folder = await open(path)
  folder.archive.append([RECORDS])
  const stats = new Stats(NOW_MS)
  stats.redirects = 17
  await close(folder, stats)
  assert.equal(JSON.parse(readFileSync(join(path, 'stats.json'), 'utf8')).redirects, 17)
  assert.match(readFileSync(join(path, 'index.cdxj'), 'utf8'), /a\.com/)
})

test('ours: whoever has lost the folder writes neither records nor lines', async t => {
  const path = newPath(t)
  const folder = await open(path)
  for (const name of readdirSync(path).filter(name => name.startsWith('lock-'))) rmSync(join(path, name))
  assert.throws(() => folder.archive.append([RECORDS]), { code: 'CRAWL_LOST' })
  const line: PageLine = { ...LINE, file: 'x', offset: 0, length: 1 }
  assert.throws(() => folder.pages.append([line]), { code: 'CRAWL_LOST' })
  await abandonCrawlFolder(folder)
})

test('crawl folder: the frontier keeps the crawl’s limit, delays and bounds', async t => {
  const folder = await open(newPath(t), { limit: 1, delayMs: 700, maxHosts: 2, retries: 0 })
  const { frontier } = folder
  const links = ['a', 'b', 'c'].map(name => ({ url: `http://${name}.com/`, rank: 0, hops: 0 }))
  assert.equal(await frontier.offer(links), 2)
  const { tickets } = await frontier.take(9)
  assert.equal(tickets.length, 1)
  assert.equal(tickets[0]!.leaseMs, 600_000)
  const done = { outcome: { kind: 'done', isPage: true }, shown: 'answer', links: [], delayMs: 0 } as const
  await frontier.settle([{ ticketId: tickets[0]!.id, ...done }])
  assert.equal((await frontier.take(9)).end, 'limit')
  const { items } = await frontier.hosts({ limit: 9 })
  assert.deepEqual(
    items.map(({ readyInMs }) => readyInMs).sort((a, b) => a - b),
    [0, 700],
  )
  await abandonCrawlFolder(folder)
})

test('folder: a crawl.json of a wrong shape is an error that names it', async t => {
  const path = newPath(t)
  await close(await open(path))
  const file = join(path, 'crawl.json')
  const whole = JSON.parse(readFileSync(file, 'utf8'))
  const [run] = whole.runs
  const wrong = [
    ...[null, [], 7, 'x', {}, { ...whole, id: 1 }, { ...whole, runs: {} }, { ...whole, runs: [null] }],
    ...[
      { ...whole, format: 3 },
      { ...whole, frontier: 1 },
      { ...whole, forgottenRuns: '0' },
      { ...whole, format: '2' },
    ],
    ...Object.keys(run).map(key => ({ ...whole, runs: [{ ...run, [key]: [{}] }] })),
    ...[
      { ...run, settings: { delay: 1 } },
      { ...run, hostSettings: { 'a.com': null } },
    ].map(one => ({
      ...whole,
      runs: [one],
    })),
  ]
  for (const value of wrong) {
    writeFileSync(file, JSON.stringify(value))
    await assert.rejects(
      open(path),
      { code: 'CRAWL_FILE_DAMAGED', message: /crawl\.json is damaged/ },
      JSON.stringify(value),
    )
  }
})
