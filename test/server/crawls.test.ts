// Several crawls on one server: the same routes, once per crawl, under /crawls/NAME.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { addRun, amendRun, openCrawlFile } from '../../src/folder/crawl-file.ts'
import { Stats } from '../../src/folder/stats/stats.ts'
import { writeStats } from '../../src/folder/stats/stats-file.ts'
import { CrawlsIn } from '../../src/server/crawls-in.ts'
import { UiServer } from '../../src/server/ui-server.ts'
import type { CrawlSummary } from '../../src/view/questions/crawl-shapes.ts'
import { temporaryFolder } from '../cli/run-cli.ts'
import { ask, codeOf, TOKEN } from './ask-server.ts'

const AT_MS = Date.parse('2026-01-02T03:04:05Z')
const RUN = {
  startedAt: new Date(AT_MS).toISOString(),
  version: '0.0.0',
  seeds: [],
  seedCount: 0,
  settings: {},
  hostSettings: {},
  secrets: [],
  knownSeeds: 0,
  failuresBytes: 0,
}

/** A folder of crawls: one that has ended, one that was killed, a damaged one, and things that are no crawls. */
function parentFolder(t: TestContext): string {
  const parent = temporaryFolder(t)
  for (const name of ['ended', 'killed é', 'damaged', 'other']) mkdirSync(join(parent, name))
  for (const name of ['ended', 'killed é']) {
    const folder = join(parent, name)
    const file = addRun(folder, openCrawlFile(folder, AT_MS), RUN)
    if (name === 'ended') amendRun(folder, file, { endedAt: RUN.startedAt, because: 'limit' })
    writeStats(folder, new Stats(AT_MS, { pages: name.length, failed: { connect: 2, timeout: 1 } }))
  }
  writeFileSync(join(parent, 'damaged', 'crawl.json'), '{')
  writeFileSync(join(parent, 'seeds.txt'), 'https://a.example/')
  writeFileSync(join(parent, 'ended', 'report.html'), '<!doctype html><title>Report</title>')
  return parent
}

async function served(t: TestContext): Promise<number> {
  const server = await UiServer.listen({ port: 0, bind: '127.0.0.1', token: TOKEN }, message => assert.fail(message))
  t.after(() => server.close())
  server.showAll(new CrawlsIn(parentFolder(t), {}))
  return Number(new URL(server.url).port)
}

test('crawls: the list has every crawl of the folder with its state and figures, and nothing else', async t => {
  const port = await served(t)
  const list = async () =>
    (JSON.parse((await ask(port, '/api/crawls')).text) as { items: readonly CrawlSummary[]; isCut: boolean }).items
  const shown = (await list()).map(({ name, state, pages, failed }) => ({ name, state, pages, failed }))
  assert.deepEqual(
    shown.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    [
      { name: 'damaged', state: 'unreadable', pages: 0, failed: 0 },
      { name: 'ended', state: 'ended', pages: 5, failed: 3 },
      { name: 'killed é', state: 'killed', pages: 8, failed: 3 },
    ],
  )
})

test('crawls: every route of a crawl is under its name, and none without one', async t => {
  const port = await served(t)
  for (const name of ['ended', 'killed%20%C3%A9']) {
    const { status, text } = await ask(port, `/crawls/${name}/api/actions`)
    assert.deepEqual([status, text], [200, '{"items":[]}'])
  }
  const pathless = await ask(port, '/api/settings')
  assert.deepEqual([pathless.status, codeOf(pathless)], [404, 'UI_SEVERAL_CRAWLS'])
  for (const name of ['none', 'other', 'seeds.txt', '..', '..%2Fended', 'ended%2F..', '%2e%2e', '.', '%', 'ended%00']) {
    const answer = await ask(port, `/crawls/${name}/api/settings`)
    assert.deepEqual([answer.status, codeOf(answer)], [404, 'UI_NO_SUCH_CRAWL'], name)
  }
})

test('crawls: a browser begins at the list, and its token stays out of the address', async t => {
  const port = await served(t)
  const html = { accept: 'text/html' }
  const begin = await ask(port, '/', { headers: html })
  assert.deepEqual([begin.status, begin.headers.location], [303, '/crawls'])
  const inside = await ask(port, `/crawls/ended/hosts?token=${TOKEN}`, { isKnown: false, headers: html })
  assert.deepEqual([inside.status, inside.headers.location], [303, '/crawls/ended/hosts'])
  assert.equal((await ask(port, '/crawls/ended/api/settings', { isKnown: false })).status, 401)
})

test('report: the page that a crawl wrote is served, without an origin for its scripts', async t => {
  const port = await served(t)
  const { status, text, headers } = await ask(port, '/crawls/ended/report')
  assert.deepEqual([status, text], [200, '<!doctype html><title>Report</title>'])
  assert.match(String(headers['content-security-policy']), /^sandbox allow-scripts; default-src 'none'/)
  const missing = await ask(port, '/crawls/killed%20%C3%A9/report')
  assert.deepEqual([missing.status, codeOf(missing)], [404, 'UI_NO_REPORT'])
})

test('crawls: a key opens the archived pages of the crawl that it was made for', async t => {
  const port = await served(t)
  const keyOf = async (name: string) =>
    (JSON.parse((await ask(port, `/crawls/${name}/api/frame`)).text) as { key: string }).key
  const [one, other] = [await keyOf('ended'), await keyOf('killed%20%C3%A9')]
  assert.notEqual(Number.parseInt(one, 10), Number.parseInt(other, 10))
  const forged = other.replace(/^\d+/, String(Number.parseInt(one, 10)))
  const answer = await ask(port, `/at/${forged}/page/20260101000000/${encodeURIComponent('http://a.example/')}`)
  assert.deepEqual([answer.status, codeOf(answer)], [404, 'UI_NO_SUCH_ROUTE'])
})
