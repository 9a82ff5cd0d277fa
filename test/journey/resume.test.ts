// A crawl that is stopped, changed and gone on with, at the command line: what users ran into.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readCrawlFile } from '../../src/folder/crawl-file.ts'
import type { FailureLine } from '../../src/folder/failures-file.ts'
import { waterfall } from '../../src/folder/stats/outcome-counts.ts'
import { openLocalReadOnly } from '../../src/frontier/local/read-only.ts'
import { escalonaBeside } from '../cli/run-cli.ts'
import { dnsServer } from '../web/dns-server.ts'
import { pageUrls } from './collected.ts'
import { Running, requests } from './crawl.ts'
import { pageWith, plainHost, robotsTxt, type SmallHost, type SmallWeb, smallWeb } from './small-web.ts'

const A = '127.0.0.1'
const B = '127.0.0.2'
const QUICK = ['--delay', '2ms', '--workers', '1']

function pathsOf({ folder, port }: SmallWeb): string[] {
  return pageUrls(folder).map(url => url.replace('http://', '').replace(`:${port}`, ''))
}

async function crawl({ args }: SmallWeb, ...options: string[]) {
  return escalonaBeside(['crawl', ...args, ...QUICK, ...options])
}

async function resume({ folder }: SmallWeb, ...options: string[]) {
  return escalonaBeside(['resume', folder, ...options])
}

function failuresOf({ folder }: SmallWeb): FailureLine[] {
  const text = readFileSync(join(folder, 'failures.jsonl'), 'utf8')
  return text.split('\n').flatMap(line => (line === '' ? [] : (JSON.parse(line) as FailureLine)))
}

async function fallOf({ folder }: SmallWeb) {
  const view = await openLocalReadOnly({ folder: join(folder, 'frontier') })
  const fall = waterfall(await view.counts())
  await view.close()
  const { known, archived, redirected, refused, failed, held, waiting, leased } = fall
  assert.equal(archived + redirected + refused.count + failed.count + held.count + waiting + leased, known)
  return fall
}

/** Links from its front page to two pages of its own and the front page of another host. */
function linkingHost(name: string, address: string, other: string): SmallHost {
  return {
    name,
    address,
    answer: path => {
      if (path === '/') return pageWith(name, ['/1', '/2', `http://${other}:{{port}}/`])
      return path === '/1' || path === '/2' ? pageWith(path, []) : undefined
    },
  }
}

test('resume: "allow it with --allow-network" helps', async t => {
  const web = await smallWeb(t, [plainHost('one.test', A, 2)])
  const args = web.args.slice(0, web.args.indexOf('--allow-network'))
  const first = await escalonaBeside(['crawl', ...args, ...QUICK])
  assert.equal(first.code, 1, first.stderr)
  assert.match(first.stderr, /--allow-network/)
  assert.equal(web.log.length, 0)
  const second = await resume(web, '--allow-network', '127.0.0.0/8')
  assert.equal(second.code, 0, second.stderr)
  assert.match(second.stderr, /going on in .*: 0 pages/)
  assert.match(second.stderr, /allow-network.*none.*127\.0\.0\.0\/8/)
  assert.deepEqual(pathsOf(web), ['one.test/', 'one.test/1', 'one.test/2'])
})

test('resume: after an outage at the start, the next run tries again', async t => {
  const dns = await dnsServer(t, () => 'NXDOMAIN')
  const web = await smallWeb(t, [plainHost('one.test', A, 1)])
  const nowhere = web.args.flatMap((arg, n) =>
    arg === '--hosts' ? '--dns' : web.args[n - 1] === '--hosts' ? dns.address : arg,
  )
  const first = await escalonaBeside(['crawl', ...nowhere, ...QUICK])
  assert.equal(first.code, 1, first.stderr)
  assert.match(first.stderr, /host name could not be resolved/)
  assert.deepEqual(
    failuresOf(web).map(({ url, reason }) => [url, reason]),
    [[web.url('one.test'), 'dns']],
  )
  const second = await crawl(web)
  assert.equal(second.code, 0, second.stderr)
  assert.deepEqual(pathsOf(web), ['one.test/', 'one.test/1'])
})

test('resume: another --user-agent is judged by its own rules of robots.txt', async t => {
  const { name, address, answer } = plainHost('one.test', A, 1)
  const rules = robotsTxt('User-agent: *\nDisallow: /\n\nUser-agent: goodbot\nAllow: /\n')
  const web = await smallWeb(t, [
    { name, address, answer: (path, times) => (path === '/robots.txt' ? rules : answer(path, times)) },
  ])
  const first = await crawl(web)
  assert.equal(first.code, 1, first.stderr)
  assert.match(first.stderr, /robots\.txt does not allow it/)
  const second = await resume(web, '--user-agent', 'goodbot/1.0 (+https://example.org)')
  assert.equal(second.code, 0, second.stderr)
  assert.equal(pathsOf(web).length, 2)
})

test('resume: --max-per-host holds links back, and a later run without it collects them', async t => {
  const web = await smallWeb(t, [plainHost('one.test', A, 5)])
  assert.equal((await crawl(web, '--max-per-host', '2')).code, 0)
  assert.equal(pathsOf(web).length, 2)
  assert.deepEqual((await fallOf(web)).held.reasons, [{ reason: 'max-per-host', count: 4 }])
  const second = await resume(web, '--max-per-host', 'none')
  assert.equal(second.code, 0, second.stderr)
  assert.equal(pathsOf(web).length, 6)
})

test('resume: other seeds in the same folder are an error with two ways out, and --add adds them', async t => {
  const web = await smallWeb(t, [plainHost('one.test', A, 1), plainHost('two.test', B, 1)], { seeds: ['one.test/'] })
  assert.equal((await crawl(web)).code, 0)
  const other = [web.url('two.test'), ...web.args.slice(2), ...QUICK]
  const second = await escalonaBeside(['crawl', ...other])
  assert.equal(second.code, 2)
  assert.match(second.stderr, /does not have the seed http:\/\/two\.test:\d+\/; add it with --add, or .* -o/)
  const third = await escalonaBeside(['crawl', ...other, '--add'])
  assert.equal(third.code, 0, third.stderr)
  assert.match(third.stderr, /going on in .*: 2 pages since .*, 0 waiting/)
  assert.match(third.stderr, /escalona: 1 seed added\n/)
  assert.deepEqual(pathsOf(web), ['one.test/', 'one.test/1', 'two.test/', 'two.test/1'])
  const seeds = readCrawlFile(web.folder)!.runs.map(run => run.seeds)
  assert.deepEqual(seeds, [[web.url('one.test')], [web.url('two.test')]])
})

test('resume: --exclude on resume holds for what waits, and a forgotten --scope stays', async t => {
  const web = await smallWeb(t, [linkingHost('one.test', A, 'two.test'), plainHost('two.test', B, 0)], {
    seeds: ['one.test/'],
  })
  assert.equal((await crawl(web, '-n', '1', '--scope', 'host')).code, 0)
  const second = await resume(web, '-n', 'none', '--exclude', '*/2')
  assert.equal(second.code, 0, second.stderr)
  assert.match(second.stderr, /exclude.*\*\/2/)
  assert.deepEqual(pathsOf(web), ['one.test/', 'one.test/1'])
  const { held } = await fallOf(web)
  assert.deepEqual(held.reasons, [
    { reason: 'exclude', count: 1 },
    { reason: 'scope', count: 1 },
  ])
})

test('resume: a wider scope brings back the links that it alone had held back', async t => {
  const web = await smallWeb(t, [linkingHost('one.test', A, 'two.test'), plainHost('two.test', B, 1)], {
    seeds: ['one.test/'],
  })
  assert.equal((await crawl(web, '--scope', 'host', '--exclude', '*two.test*/1')).code, 0)
  assert.equal(pathsOf(web).length, 3)
  const second = await resume(web, '--scope', 'any')
  assert.equal(second.code, 0, second.stderr)
  assert.match(second.stderr, /scope.*host.*any/)
  assert.deepEqual(pathsOf(web), ['one.test/', 'one.test/1', 'one.test/2', 'two.test/'])
  assert.deepEqual((await fallOf(web)).held.reasons, [{ reason: 'exclude', count: 1 }])
})

test('resume: --scope host with a seed that redirects to www. collects www., also after a restart', async t => {
  const seed: SmallHost = {
    name: 'one.test',
    address: A,
    answer: path => (path === '/' ? { status: 301, headers: { Location: web.url('www.one.test') } } : undefined),
  }
  const web: SmallWeb = await smallWeb(t, [seed, plainHost('www.one.test', B, 3)], { seeds: ['one.test/'] })
  assert.equal((await crawl(web, '--scope', 'host', '-n', '1')).code, 0)
  assert.deepEqual(pathsOf(web), ['www.one.test/'])
  const second = await resume(web, '-n', 'none')
  assert.equal(second.code, 0, second.stderr)
  assert.equal(pathsOf(web).length, 4)
})

test('resume: links that were held back before a seed redirected to their host are collected too', async t => {
  const slow: SmallHost = {
    name: 'two.test',
    address: B,
    answer: path =>
      path === '/' ? { status: 301, headers: { Location: web.url('www.two.test') }, waitMs: 800 } : undefined,
  }
  const one: SmallHost = {
    name: 'one.test',
    address: A,
    answer: path => (path === '/' ? pageWith('one', ['http://www.two.test:{{port}}/deep']) : undefined),
  }
  const target: SmallHost = {
    name: 'www.two.test',
    address: B,
    answer: path => (path === '/' || path === '/deep' ? pageWith(path, []) : undefined),
  }
  const web: SmallWeb = await smallWeb(t, [one, slow, target], { seeds: ['one.test/', 'two.test/'] })
  const ending = await crawl(web, '--scope', 'host')
  assert.equal(ending.code, 0, ending.stderr)
  assert.deepEqual(pathsOf(web), ['one.test/', 'www.two.test/', 'www.two.test/deep'])
})

test('resume: failures.jsonl lists every link that ended without a page, and --retry tries them again', async t => {
  const host: SmallHost = {
    name: 'one.test',
    address: A,
    answer: (path, times) => {
      if (path === '/') return pageWith('front', ['/missing', '/broken', '/file'])
      if (path === '/broken') return times === 1 ? { status: 500 } : pageWith('mended', [])
      return path === '/file' ? { headers: { 'Content-Type': 'application/pdf' }, body: '%PDF' } : undefined
    },
  }
  const web = await smallWeb(t, [host])
  const from = web.url('one.test')
  assert.equal((await crawl(web, '--retries', '0')).code, 0)
  const lines = failuresOf(web).map(({ atMs: _, ...line }) => line)
  assert.deepEqual(
    lines.toSorted((a, b) => (a.url < b.url ? -1 : 1)),
    [
      { url: web.url('one.test', '/broken'), from, reason: 'status-500', attempts: 1, status: 500 },
      { url: web.url('one.test', '/file'), from, reason: 'type', attempts: 1, status: 200 },
      { url: web.url('one.test', '/missing'), from, reason: 'status-404', attempts: 1, status: 404 },
    ],
  )
  const second = await resume(web, '--retry', 'failed')
  assert.equal(second.code, 0, second.stderr)
  assert.match(second.stderr, /escalona: back in the queue: 1 link \(status-500 1\)\n/)
  assert.deepEqual(pathsOf(web), ['one.test/', 'one.test/broken'])
  const { archived, refused, failed } = await fallOf(web)
  assert.deepEqual([archived, refused.count, failed.count], [2, 2, 0])
})

test('resume: after kills the numbers add up: requests are not fewer than pages, and failures are listed once', async t => {
  const { name, address, answer } = plainHost('one.test', A, 100)
  const more = {
    name,
    address,
    answer: (path: string, times: number) => (/[05]$/.test(path) ? undefined : answer(path, times)),
  }
  const web = await smallWeb(t, [more])
  for (const count of [20, 50]) {
    const running = new Running([...web.args, ...QUICK])
    t.after(() => running.kill('SIGKILL'))
    await requests({ server: web }, count)
    running.kill('SIGKILL')
    await running.ending
    await fallOf(web)
  }
  const ending = await resume(web)
  assert.equal(ending.code, 0, ending.stderr)
  const stats = JSON.parse(readFileSync(join(web.folder, 'stats.json'), 'utf8'))
  const { archived, refused, known } = await fallOf(web)
  assert.deepEqual([archived, refused.count, known], [81, 20, 101])
  assert.equal(stats.pages, archived)
  assert.ok(stats.requests >= stats.pages, `${stats.requests} requests, ${stats.pages} pages`)
  const urls = failuresOf(web).map(({ url }) => url)
  assert.deepEqual([urls.length, new Set(urls).size], [20, 20])
  const runs = readCrawlFile(web.folder)!.runs
  assert.deepEqual(
    runs.map(({ because }) => because),
    [undefined, undefined, 'nothing left'],
  )
})
