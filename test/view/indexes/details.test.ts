import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { appendFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { PAGES_FILE } from '../../../src/archive/names.ts'
import { openArchive } from '../../../src/archive/open-archive.ts'
import { type PageLine, PagesFile } from '../../../src/archive/pages-file.ts'
import { archiveRecords, type Recordable } from '../../../src/archive/records.ts'
import { type Indexes, openIndexes } from '../../../src/view/indexes/open-indexes.ts'
import type { HostRow } from '../../../src/view/questions/host-shapes.ts'
import type { Source } from '../../../src/view/questions/questions.ts'
import { crawlFolder, exchange, options, START_MS } from '../../archive/sample.ts'

const NO_ROWS = {
  ...{ names: [], waiting: new Uint32Array(), pages: new Uint32Array(), delayMs: new Uint32Array() },
  ...{ readyAtMs: new Float64Array(), isDown: new Uint8Array(), next: undefined },
}
const ROW: HostRow = {
  ...{ host: 'a.example', waiting: 1, due: 0, state: 'waiting', readyInMs: 0, delayMs: 0, server: undefined, pages: 2 },
  ...{
    received: 0,
    turns: 0,
    failures: 0,
    isDown: false,
    failed: 0,
    gap: { ms: 1000, by: 'setting' },
    blockedUntilMs: undefined,
    robots: 'rules',
  },
}
const WAITING = { url: 'http://a.example/next', host: 'a.example', rank: 1, hops: 2, attempts: 0 }

/** Says the same each time. */
function source(answers: Readonly<Record<string, unknown>>): Source {
  return { ask: async name => answers[name] as never }
}

/** A crawl whose answers are archived; those with a title are pages. */
async function archived(
  t: TestContext,
  answers: readonly (Partial<Recordable> & { readonly title?: string })[],
): Promise<{ readonly folder: string; readonly indexes: Indexes }> {
  const folder = crawlFolder(t)
  const { writer } = openArchive(folder, options())
  const lines: PageLine[] = []
  for (const { title, ...changes } of answers) {
    const one = exchange(changes)
    const [place] = writer.append([archiveRecords(one, { isPage: title !== undefined, dateMs: START_MS, hops: 1 })])
    const { url, status, body } = one
    const numbers = { status, bytes: body.length, tokens: 3, hops: 1, linksOut: 0, dateMs: START_MS }
    if (title !== undefined) lines.push({ url, title, change: 'new', ...numbers, ...place! })
  }
  await writer.sync()
  const pages = new PagesFile(join(folder, PAGES_FILE), { files: [], onRepair: () => {} })
  pages.append(lines)
  await pages.close()
  const indexes = openIndexes(
    folder,
    source({ hostColumns: NO_ROWS, listLinks: { items: [WAITING], next: undefined } }),
    noLinks,
  )
  t.after(() => indexes.close())
  return { folder, indexes }
}

async function* noLinks() {}

test('stories: a page shows the fields of its record, its HTTP answer, its links and its HTML as text', async t => {
  const body = Buffer.from(
    '<title>S\xe3o</title><a href="/x">x</a><script>alert(1)</script><a href="//b.example/">y</a>',
    'latin1',
  )
  const headers = ['Content-Type', 'text/html; charset=windows-1252', 'X-Two', '1', 'x-two', '<script>"\u202e']
  const { indexes } = await archived(t, [{ url: 'http://a.example/p', headers, body, title: 'São' }])
  const story = (await indexes.pageDetails('a.example/p'))!
  assert.equal(story.page.title, 'São')
  assert.equal(story.statusLine, 'HTTP/1.1 200 OK')
  assert.deepEqual(story.headers.slice(1, 2), [['X-Two', '1']])
  assert.deepEqual(
    story.headers.map(([name]) => name),
    ['Content-Type', 'X-Two', 'x-two', 'Content-Length'],
  )
  const warc = new Map(story.warc)
  assert.equal(warc.get('WARC-Target-URI'), 'http://a.example/p')
  assert.equal(warc.get('WARC-Type'), 'response')
  assert.equal(warc.get('WARC-Date'), new Date(START_MS).toISOString())
  assert.deepEqual(story.links, ['http://a.example/x', 'http://b.example/'])
  assert.match(story.html, /^<title>São<\/title>.*<script>alert\(1\)<\/script>/)
  assert.equal(story.isCut, false)
  assert.equal(await indexes.pageDetails('http://a.example/other'), undefined)
})

test('stories: of a page of many megabytes only the beginning is read', async t => {
  const link = (n: number) => `<a href="/link-${n}">`
  const text = Array.from({ length: 5000 }, (_, n) => link(n)).join('')
  const body = Buffer.concat([Buffer.from(text), randomBytes(3 << 20), Buffer.alloc(60 << 20, 'a')])
  const { indexes } = await archived(t, [{ url: 'http://a.example/big', body, title: '' }])
  const before = process.memoryUsage().arrayBuffers
  const story = (await indexes.pageDetails('http://a.example/big'))!
  assert.equal(story.isCut, true)
  assert.ok(story.html.length <= 1 << 20)
  assert.ok(story.html.startsWith(text))
  assert.equal(story.links.length, 1000)
  assert.ok(process.memoryUsage().arrayBuffers - before < 30 << 20, 'all of it was inflated')
})

test('ours: a page whose WARC file was moved, cut or exchanged is an error that says what to do', async t => {
  const { folder, indexes } = await archived(t, [
    { url: 'http://a.example/1', title: 'one' },
    { url: 'http://a.example/2', title: 'two' },
  ])
  const path = join(folder, 'archive', 'escalona-a1b2c3d4-20260102030405-00001.warc.gz.open')
  const missing = {
    code: 'CRAWL_PAGE_MISSING',
    message: /http:\/\/a\.example\/2 .*escalona-.*-00001\.warc\.gz.*move it back$/,
  }
  const { page } = (await indexes.pageDetails('http://a.example/2'))!
  truncateSync(path, page.offset + 40)
  await assert.rejects(indexes.pageDetails('http://a.example/2'), missing)
  assert.equal((await indexes.pageDetails('http://a.example/1'))?.page.title, 'one')
  renameSync(path, `${path}.away`)
  await assert.rejects(indexes.pageDetails('http://a.example/2'), missing)
  writeFileSync(path, randomBytes(5000))
  await assert.rejects(indexes.pageDetails('http://a.example/2'), missing)
})

test('stories: a host shows its queue, its latest outcomes, and its robots.txt with the lines that hold for this crawl', async t => {
  const robots = `\ufeffUser-agent: other\r\nDisallow: /other\n\nUser-agent: Escalona/1.0 # us\nUser-agent: third\nCrawl-delay: 7\nDisallow: /private\nAllow: /private/open\nDisallow:\nSitemap: http://a.example/map.xml\nUser-agent: *\nDisallow: /\n${'x'.repeat(700)}`
  const { indexes } = await archived(t, [
    { url: 'http://a.example/robots.txt', body: Buffer.from(robots) },
    { url: 'https://a.example/robots.txt', status: 404, body: Buffer.from('<h1>none</h1>') },
    { url: 'http://a.example/1', title: 'one' },
    { url: 'http://b.example/', title: 'elsewhere' },
    { url: 'http://a.example/2', title: 'two' },
  ])
  const story = await indexes.hostDetails(ROW, 'escalona')
  assert.equal(story.host, 'a.example')
  assert.deepEqual(story.queue, [{ url: 'http://a.example/next', rank: 1, hops: 2 }])
  const titles = story.outcomes.map(one => one.kind === 'page' && one.page.title)
  assert.deepEqual(titles, ['two', 'one'])
  const [secure, plain] = story.robotsFiles
  assert.deepEqual([secure?.url, secure?.status, secure?.lines], ['https://a.example/robots.txt', 404, []])
  assert.equal(plain?.status, 200)
  assert.equal(plain.fetchedAtMs, START_MS)
  assert.equal(plain.crawlDelaySeconds, 7)
  assert.deepEqual(plain.sitemaps, ['http://a.example/map.xml'])
  const means = plain.lines
    .filter(line => line.means !== undefined)
    .map(({ number, text, means }) => [number, text, means])
  assert.deepEqual(means, [
    [4, 'User-agent: Escalona/1.0 # us', 'agent'],
    [6, 'Crawl-delay: 7', 'crawl-delay'],
    [7, 'Disallow: /private', 'disallow'],
    [8, 'Allow: /private/open', 'allow'],
    [10, 'Sitemap: http://a.example/map.xml', 'sitemap'],
  ])
  assert.equal(plain.lines[0]!.text, 'User-agent: other')
  assert.equal(plain.lines.length, 13)
  assert.equal(plain.lines[12]!.text.length, 500)
  assert.equal(plain.isCut, true)
  const others = await indexes.hostDetails(ROW, 'nobody')
  assert.deepEqual(
    others.robotsFiles[1]?.lines.flatMap(({ number, means }) => (means === undefined ? [] : [number])),
    [10, 11, 12],
  )
})

test('stories: the first list of hosts is sorted by failures already, and the next one knows new failures', async t => {
  const { folder } = await archived(t, [])
  const failure = (host: string, n: number) =>
    appendFileSync(
      join(folder, 'failures.jsonl'),
      `${JSON.stringify({ url: `http://${host}/${n}`, reason: 'timeout', attempts: 3, atMs: n })}\n`,
    )
  failure('b.example', 1)
  const column = () => new Uint32Array(3)
  const hostColumns = {
    ...NO_ROWS,
    names: ['a.example', 'b.example', 'c.example'],
    waiting: column(),
    pages: column(),
  }
  const indexes = openIndexes(folder, source({ hostColumns, listLinks: { items: [], next: undefined } }), noLinks)
  t.after(() => indexes.close())
  const firstBy = async (): Promise<readonly string[]> => {
    const { names, isComplete } = await indexes.hosts({ sort: 'failed', offset: 0, limit: 1 })
    return isComplete ? names : firstBy()
  }
  assert.deepEqual(await firstBy(), ['b.example'])
  for (const n of [1, 2]) failure('c.example', n)
  for (const endMs = performance.now() + 10_000; (await firstBy())[0] !== 'c.example'; await wait(50))
    assert.ok(performance.now() < endMs, 'new failures are not counted')
  assert.equal(indexes.failedOf('c.example'), 2)
})
