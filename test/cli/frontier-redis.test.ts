// `escalona frontier` on Redis: the real command, and real crawls.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { openDump } from '../../src/frontier/dump-files.ts'
import { openLocal } from '../../src/frontier/local/open.ts'
import { openCrawlBook } from '../../src/frontier/redis/crawl-book.ts'
import { parseWhere } from '../../src/frontier/redis/engine/where.ts'
import { openRedis } from '../../src/frontier/redis/open.ts'
import { allOf, temporaryFolder as dumpFolder, factsOf } from '../frontier/dump-help.ts'
import { pageUrls } from '../journey/collected.ts'
import { plainHost, type SmallWeb, smallWeb } from '../journey/small-web.ts'
import { startRedis, until } from '../redis/servers.ts'
import { escalonaBeside, MAIN, PLAIN, refusalOf, temporaryFolder } from './run-cli.ts'

const QUICK = ['--delay', '2ms', '--workers', '1']
const server = await startRedis({ after })
let names = 0

function newName(shards = 4): string {
  return server.url(`cli-${++names}`, `?shards=${shards}`)
}

async function asked(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await escalonaBeside(['frontier', ...args])
  assert.equal(code, 0, stderr)
  return stdout.toString()
}

async function refused(why: string, ...args: string[]): Promise<void> {
  assert.match(await refusalOf('frontier', args), new RegExp(why))
}

async function countsAt(where: string) {
  return JSON.parse(await asked(where, 'stats', '--json')).frontier
}

async function web(t: TestContext): Promise<SmallWeb> {
  return smallWeb(t, [plainHost('a.test', '127.0.0.1', 6), plainHost('b.test', '127.0.0.2', 6)])
}

/** What an export says, without times, which pass. */
async function saidIn(folder: string): Promise<string> {
  const facts = JSON.stringify(factsOf(await allOf(openDump(folder))))
  return facts.replace(/"(readyInMs|failedAgoMs)":[-\d.e]+/g, '"$1":0')
}

test('frontier command: a crawl moves from its folder to Redis, where another machine goes on with it, and back', async t => {
  const small = await web(t)
  const first = await escalonaBeside(['crawl', ...small.args, ...QUICK, '-n', '5'])
  assert.equal(first.code, 0, first.stderr)
  const where = newName()
  const folders = dumpFolder(t)
  await asked(where, 'import', small.folder)
  const counts = await countsAt(where)
  assert.deepEqual(counts, await countsAt(small.folder))
  const rows = (await asked(where, 'hosts', '--csv', '--sort', 'pages')).trim().split('\n')
  assert.equal(rows.length, 1 + counts.hosts)
  assert.equal(JSON.parse(await asked(where, 'explain', pageUrls(small.folder)[0]!, '--json')).state, 'done')
  await asked(small.folder, 'export', join(folders, 'a'))
  await asked(where, 'export', join(folders, 'b'))
  assert.equal(await saidIn(join(folders, 'b')), await saidIn(join(folders, 'a')))

  const joining = ['crawl', '--frontier', where, '-n', '14', '-o', join(folders, 'second')]
  const around = small.args.slice(small.args.indexOf('--hosts'), small.args.indexOf('--hosts') + 2)
  const second = await escalonaBeside([...joining, ...around, '--allow-network', '127.0.0.0/8'])
  assert.equal(second.code, 0, second.stderr)
  const all = [...pageUrls(small.folder), ...pageUrls(join(folders, 'second'))]
  assert.equal(all.length, 14)
  assert.equal(new Set(all).size, 14)
  await asked(where, 'export', join(folders, 'c'))
  await asked(join(folders, 'back'), 'import', join(folders, 'c'))
  assert.deepEqual(await countsAt(join(folders, 'back')), await countsAt(where))
  await refused('shards', newName(3), 'import', join(folders, 'c'))

  await asked(where, 'report', '-o', join(folders, 'report'))
  const report = JSON.parse(readFileSync(join(folders, 'report', 'report.json'), 'utf8'))
  assert.equal(report.totals.pages, 14)
  assert.equal(report.limit, 14)
  assert.equal(report.frontier.known, (await countsAt(where)).known)
  assert.match(readFileSync(join(folders, 'report', 'report.html'), 'utf8'), /<title>/)
})

test('frontier command: nobody exports, fills or clears what crawlers work on; clear leaves nothing behind', async t => {
  const where = newName()
  const folder = join(temporaryFolder(t), 'frontier')
  await refused('no crawl at', where, 'stats')
  const local = await openLocal({ folder })
  await local.offer([{ url: 'http://a.test/', rank: 1, hops: 0 }])
  await local.close()
  const before = await server.ask('DBSIZE')
  const crawler = await openRedis({ where: parseWhere(where), crawler: 'a' })
  t.after(() => crawler.close())
  await crawler.offer([
    { url: 'http://a.test/', rank: 1, hops: 0 },
    { url: 'http://b.test/', rank: 1, hops: 0 },
  ])
  assert.match(await asked(where, 'stats'), /crawlers +a: 0 pages, last seen/)
  await refused('1 crawler works', where, 'export', join(folder, '..', 'dump'))
  await refused('1 crawler works|is not empty', where, 'import', folder)
  await refused('--force', where, 'clear', '--yes')
  const unknown = await escalonaBeside(['frontier', where, 'clear', '--host', 'nosuch.test', '--yes', '--force'])
  assert.deepEqual([unknown.code, /nosuch\.test is not known/.test(unknown.stderr)], [1, true], unknown.stderr)
  await asked(where, 'clear', '--host', 'a.test', '--yes', '--force')
  assert.deepEqual((await countsAt(where)).refusedFor, { cleared: 1 })
  await asked(where, 'clear', '--yes', '--force')
  assert.equal((await countsAt(where)).known, 0)
  await crawler.offer([{ url: 'http://c.test/', rank: 1, hops: 0 }])
  await crawler.close()
  await refused('is not empty', where, 'import', folder)
  await asked(where, 'clear', '--yes')
  assert.equal(await server.ask('DBSIZE'), before)
  // As a machine leaves it that is killed before it opens its frontier; or something that is not ours.
  const book = await openCrawlBook(parseWhere(where))
  await book.writeSettings('strange')
  await book.close()
  await asked(where, 'clear', '--yes')
  assert.equal(await server.ask('DBSIZE'), before)
  await refused('no crawl at', where, 'clear', '--yes')
  await asked(where, 'import', folder)
  assert.equal((await countsAt(where)).waiting, 1)
})

test('frontier command: an import that is interrupted leaves a name that refuses to be used until it is cleared', async t => {
  const folder = join(temporaryFolder(t), 'frontier')
  const local = await openLocal({ folder })
  const links = Array.from({ length: 40_000 }, (_, n) => ({
    url: `http://h${n % 70}.test/${n}`,
    rank: 1,
    hops: 0,
  }))
  await local.offer(links)
  await local.close()
  const where = newName()
  const child = spawn(process.execPath, [MAIN, 'frontier', where, 'import', folder], {
    env: { ...process.env, ...PLAIN },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said = child.stderr.toArray()
  const ended = once(child, 'exit')
  await until('the import', 10_000, async () => Number(await server.ask('EXISTS', `{cli-${names}}m`)) === 1)
  child.kill('SIGINT')
  assert.equal((await ended)[0], 130)
  assert.match(Buffer.concat(await said).toString(), /is unfinished .* clear --yes/)
  await refused('has not finished', where, 'stats')
  await refused('has not finished', where, 'import', folder)
  await assert.rejects(openRedis({ where: parseWhere(where), crawler: 'a' }), { code: 'FRONTIER_UNFINISHED' })
  await asked(where, 'clear', '--yes')
  assert.equal(await server.ask('EXISTS', `{cli-${names}}m`), 0)
})
