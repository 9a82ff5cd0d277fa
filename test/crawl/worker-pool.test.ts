// Real worker threads, and pages that end them.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { type FetchJob, unpackLinks } from '../../src/decide/job.ts'
import { linkRuleOptions } from '../../src/settings/link-rules.ts'
import { settingsWith } from '../../src/settings/settings.ts'
import type { Visited } from '../../src/visit/visitor.ts'
import type { WorkerData } from '../../src/visit/worker.ts'
import { WorkerPool } from '../../src/visit/worker-pool.ts'

const GIVEN = { timeoutMs: 20_000, firstByteTimeoutMs: 20_000, maxBodyBytes: 1 << 20, allowNetworks: ['127.0.0.0/8'] }
const SETTINGS = settingsWith(GIVEN, 1, '1.0')
const DATA: WorkerData = {
  ...SETTINGS,
  agent: 'escalona',
  maxConnections: 100,
  hostHeaders: [],
  links: linkRuleOptions(SETTINGS, []),
  sendsRepeats: false,
  wantsTexts: false,
  crawl: '.',
  revisits: false,
  payloadMemory: undefined,
}

interface Web {
  readonly pool: WorkerPool
  readonly deaths: unknown[]
  /** Codes of errors that end the crawl. */
  readonly failures: string[]
  /** Visits a path of a host: an origin is asked one thing at a time. */
  visit(host: string, path: string): Promise<Visited>
  job(host: string, path: string): FetchJob
}

/** A server whose pages /slow… don't end when they are asked for the first time, and a pool. */
async function web(t: TestContext, workers = 1, data = DATA): Promise<Web> {
  const seen = new Set<string>()
  const server = createServer((request, response) => {
    const isFirst = !seen.has(request.url!)
    seen.add(request.url!)
    response.setHeader('content-type', 'text/html')
    if (isFirst && request.url!.startsWith('/slow')) response.write('<p>')
    else if (request.url!.startsWith('/to-others'))
      response.end('<a href="//b.test/1"></a><a href="//www.b.test/2"></a><a href="//c.test/"></a><a href="/next"></a>')
    else response.end(`<title>${request.url}</title><a href="/next">next</a>`)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const deaths: unknown[] = []
  const failures: string[] = []
  const pool = new WorkerPool({
    workers,
    data,
    onWorkerDeath: cause => deaths.push(cause),
    onFailure: error => failures.push(error.code),
  })
  t.after(async () => {
    await pool.close()
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const address = { ip: '127.0.0.1', family: 4 as const, untilMs: Infinity }
  const job = (host: string, path: string): FetchJob => {
    return { url: `http://${host}.test:${port}${path}`, hops: 0, address, wanted: 'html' }
  }
  return { pool, deaths, failures, job, visit: (host, path) => pool.visit(host, job(host, path)) }
}

/** No page of the web can end a thread that we know of; a job that can't be read does. */
function poisonous(job: FetchJob): FetchJob {
  return { ...job, address: null as never }
}

test('ours: a page comes back with its links, and a link need not travel again once its page is settled', async t => {
  const { visit } = await web(t)
  const first = await visit('a', '/1')
  assert.ok(first.result.kind === 'page')
  assert.equal(first.result.page.title, '/1')
  assert.equal(first.result.links.length, 1)
  const unsettled = await visit('a', '/2')
  assert.ok(unsettled.result.kind === 'page' && unsettled.result.links.length === 1)
  first.close(true)
  const settled = await visit('a', '/3')
  assert.ok(settled.result.kind === 'page' && settled.result.links.length === 0)
})

test('important: a page sends one link to each other domain again, so that it can give to its host', async t => {
  const { pool, job, visit } = await web(t)
  const linksOf = ({ result }: Visited) => (result.kind === 'page' ? result.links.flatMap(unpackLinks) : [])
  const first = await visit('a', '/to-others1')
  assert.equal(linksOf(first).length, 4)
  first.close(true)
  assert.equal(linksOf(await visit('a', '/to-others2')).length, 0)
  const giving = await pool.visit('a', { ...job('a', '/to-others3'), sendsGivers: true })
  assert.deepEqual(
    linksOf(giving).map(({ url }) => url.replace(/:\d+/, '')),
    ['http://b.test/1', 'http://c.test/'],
  )
})

test('ours: a thread that ends is replaced, and what was in it is lost but not forgotten', async t => {
  const { pool, job, visit, deaths } = await web(t)
  const both = [visit('a', '/slow1'), visit('b', '/slow2')]
  await visit('c', '/1')
  await pool.visit('d', poisonous(job('d', '/poison')))
  for (const visited of await Promise.all(both)) assert.deepEqual(visited.result, { kind: 'lost', isCulprit: false })
  assert.equal(deaths.length, 1)
  assert.equal((await visit('c', '/2')).result.kind, 'page')
})

test('ours: whatever was in a thread that ended is visited once more, alone', async t => {
  const { pool, job, visit } = await web(t)
  const lost = [visit('a', '/slow1'), visit('b', '/slow2')]
  await visit('c', '/1')
  await pool.visit('d', poisonous(job('d', '/poison')))
  await Promise.all(lost)
  // The same URL again: this time it is answered, in a thread of its own.
  const again = await visit('b', '/slow2')
  assert.equal(again.result.kind, 'page')
  assert.equal((await visit('b', '/slow2')).result.kind, 'page')
})

test('ours: a page that ends its thread twice, the second time alone, is the culprit', async t => {
  const { pool, job, visit } = await web(t)
  const broken = poisonous(job('a', '/poison'))
  const first = await pool.visit('a', broken)
  assert.deepEqual(first.result, { kind: 'lost', isCulprit: false })
  const second = await pool.visit('a', broken)
  assert.deepEqual(second.result, { kind: 'lost', isCulprit: true })
  assert.equal((await visit('a', '/1')).result.kind, 'page')
})

test('ours: a thread that can’t start is started again, and says nothing about the pages that waited for it', async t => {
  const data = { ...DATA, allowNetworks: ['no network'] }
  const { visit, deaths } = await web(t, 1, data)
  assert.deepEqual((await visit('a', '/1')).result, { kind: 'lost', isCulprit: false })
  data.allowNetworks = [...DATA.allowNetworks]
  const again = await visit('a', '/1')
  assert.equal(again.result.kind, 'page')
  assert.ok(deaths.length > 0)
  // It is visited in the pool's own thread, which learns that its links are safe.
  again.close(true)
  const next = await visit('a', '/2')
  assert.ok(next.result.kind === 'page' && next.result.links.length === 0)
})

test('ours: threads that end one after the other, and not one visit that is finished, are an error', async t => {
  const { pool, job, deaths, failures } = await web(t)
  for (let n = 0; n < 30; n++) await pool.visit('a', poisonous(job('a', `/poison${n}`)))
  assert.deepEqual([deaths.length, failures], [30, []])
  await pool.visit('a', poisonous(job('a', '/poison')))
  assert.deepEqual(failures, ['CRAWL_WORKERS_DIED'])
})

test('ours: open visits can be abandoned at once', async t => {
  const { pool, visit } = await web(t, 2)
  const open = [visit('a', '/slow1'), visit('b', '/slow2')]
  await visit('c', '/1')
  pool.abandon()
  for (const visited of await Promise.all(open)) assert.equal(visited.result.kind, 'abandoned')
})
