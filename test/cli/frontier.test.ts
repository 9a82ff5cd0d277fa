// `escalona frontier` on folders: the real command, on the folder of a real crawl.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openLocal } from '../../src/frontier/local/open.ts'
import { temporaryFolder as dumpFolder, textOf } from '../frontier/dump-help.ts'
import { pageUrls } from '../journey/collected.ts'
import { plainHost, smallWeb } from '../journey/small-web.ts'
import { escalona, escalonaBeside, refusalOf, temporaryFolder } from './run-cli.ts'

const QUICK = ['--delay', '2ms', '--workers', '1']

const PAGES = 5

/** A crawl of two hosts with seven pages each, which ended after some of them; no test changes it. */
const web = await smallWeb({ after }, [plainHost('a.test', '127.0.0.1', 6), plainHost('b.test', '127.0.0.2', 6)])
{
  const { code, stderr } = await escalonaBeside(['crawl', ...web.args, ...QUICK, '-n', String(PAGES)])
  assert.equal(code, 0, stderr)
}

function asked(...args: string[]): string {
  const { code, stdout, stderr } = escalona(['frontier', ...args])
  assert.equal(code, 0, stderr)
  return stdout.toString()
}

async function refused(why: string, ...args: string[]): Promise<string> {
  const message = await refusalOf('frontier', args)
  assert.match(message, new RegExp(why))
  return message
}

test("frontier command: stats, hosts and explain say of a folder's frontier what status, hosts and explain say of its crawl", () => {
  const { folder } = web
  const frontier = join(folder, 'frontier')
  const status = JSON.parse(escalona(['status', folder, '--json']).stdout.toString())
  for (const where of [folder, frontier]) {
    const stats = JSON.parse(asked(where, 'stats', '--json'))
    assert.deepEqual(stats.frontier, status.frontier)
    assert.deepEqual(stats.waterfall, status.waterfall)
    assert.equal(stats.where, where)
    assert.match(asked(where, 'stats'), /= archived +5\n/)
  }
  assert.equal(asked(folder, 'hosts', '--csv'), escalona(['hosts', folder, '--csv']).stdout.toString())
  assert.equal(asked(frontier, 'hosts', '--host', 'b.*', '--csv').split('\n').length, 3)
  assert.equal(asked(folder, 'hosts', '-n', '1', '--csv').split('\n').length, 3)
  const url = pageUrls(folder)[0]!
  assert.equal(asked(folder, 'explain', url), escalona(['explain', folder, url]).stdout.toString())
  assert.equal(JSON.parse(asked(frontier, 'explain', url, '--json')).state, 'done')
  assert.match(asked(frontier, 'stats', '--lang', 'pt'), /arquivad/)
})

test('frontier command: a crawl that is exported and imported continues in its new folder, with its settings and seeds', async t => {
  const dumps = dumpFolder(t)
  const moved = join(dumps, 'moved')
  assert.match(escalona(['frontier', web.folder, 'export', join(dumps, 'a')]).stderr, /links of 2 hosts exported to/)
  asked(moved, 'import', join(dumps, 'a'))
  asked(moved, 'export', join(dumps, 'b'))
  // Hosts that may be asked now have been ready a little longer.
  const still = (name: string) => textOf(join(dumps, name)).replace(/"(readyInMs|failedAgoMs)":[-\d.]+/g, '"$1":0')
  assert.equal(still('b'), still('a'))
  const settings = (folder: string) => JSON.parse(escalona(['status', folder, '--json']).stdout.toString()).settings
  assert.equal(settings(moved).delay, settings(web.folder).delay)
  const hosts = web.args[web.args.indexOf('--hosts') + 1]!
  const resumed = await escalonaBeside([
    'resume',
    moved,
    '-n',
    '14',
    '--allow-network',
    '127.0.0.0/8',
    '--hosts',
    hosts,
  ])
  assert.equal(resumed.code, 0, resumed.stderr)
  const all = [...pageUrls(web.folder), ...pageUrls(moved)]
  assert.equal(all.length, 14)
  assert.equal(new Set(all).size, 14)
})

test('frontier command: an import goes only into an empty place, and an unfinished one must be cleared', async t => {
  const dumps = dumpFolder(t)
  const dump = join(dumps, 'dump')
  asked(web.folder, 'export', dump, '--quiet')
  await refused('is not empty', web.folder, 'export', dump)
  await refused('is not empty', web.folder, 'import', dump)
  await refused('is not empty', join(web.folder, 'frontier'), 'import', dump)
  await refused('holds no finished export', join(dumps, 'new'), 'import', dumps)
  const broken = join(dumps, 'broken')
  asked(broken, 'import', dump)
  // As if it had been killed on the way.
  const mark = join(broken, 'frontier', 'importing')
  assert.equal(existsSync(mark), false)
  writeFileSync(mark, '')
  await refused('has not finished', broken, 'stats')
  await refused('has not finished', broken, 'clear', '--yes', '--host', 'a.test')
  assert.equal(escalona(['resume', broken]).code, 2)
  asked(broken, 'clear', '--yes')
  assert.deepEqual(
    readdirSync(broken).filter(name => !name.startsWith('lock-')),
    [],
  )
  asked(broken, 'import', dump)
  assert.match(asked(broken, 'stats'), /= archived +5\n/)
})

test('frontier command: while a folder is in use it can be looked into and exported, but neither cleared nor filled', async t => {
  const folder = join(temporaryFolder(t), 'frontier')
  const frontier = await openLocal({ folder })
  await frontier.offer([{ url: 'http://a.test/', rank: 1, hops: 0 }])
  assert.equal(JSON.parse(asked(folder, 'stats', '--json')).frontier.waiting, 1)
  const dump = join(temporaryFolder(t), 'dump')
  asked(folder, 'export', dump)
  await refused('in use', folder, 'clear', '--yes')
  await refused('in use', folder, 'import', dump)
  await frontier.close()
  await refused('--yes', folder, 'clear')
  asked(folder, 'clear', '--host', 'a.test', '--yes')
  assert.equal(escalona(['frontier', folder, 'clear', '--host', 'nosuch.test', '--yes']).code, 1)
  assert.deepEqual(JSON.parse(asked(folder, 'stats', '--json')).frontier.refusedFor, { cleared: 1 })
  asked(folder, 'clear', '--yes')
  assert.equal(JSON.parse(asked(folder, 'stats', '--json')).frontier.known, 0)
})

test('frontier command: the report of a folder is the one that its crawl wrote', async t => {
  const { folder } = web
  const read = (path: string) => {
    const { asOf: _, disk: __, ...rest } = JSON.parse(readFileSync(path, 'utf8'))
    return rest
  }
  const before = read(join(folder, 'report.json'))
  const other = temporaryFolder(t)
  asked(folder, 'report', '-o', other)
  assert.deepEqual(read(join(other, 'report.json')), before)
  rmSync(join(folder, 'report.html'))
  asked(folder, 'report')
  assert.deepEqual(read(join(folder, 'report.json')), before)
  assert.match(readFileSync(join(folder, 'report.html'), 'utf8'), /<title>/)
  await refused('without a crawl', join(folder, 'frontier'), 'report')
})

test('frontier command: wrong arguments are errors that say what is right', async t => {
  const said = escalona(['frontier'])
  assert.deepEqual([said.code, /no frontier given/.test(said.stderr)], [2, true], said.stderr)
  const folder = temporaryFolder(t)
  await refused('no frontier given')
  await refused('say what to do', folder)
  await refused('did you mean stats', folder, 'stat')
  await refused('takes URL', folder, 'explain')
  await refused('takes DIR', folder, 'export')
  await refused('is not an option of stats', folder, 'stats', '--yes')
  await refused('holds no frontier', join(folder, 'nothing'), 'stats')
  await refused('holds no frontier', folder, 'stats')
  await refused('holds no frontier', join(folder, 'nothing'), 'clear', '--yes')
  assert.deepEqual(readdirSync(folder), [])
  await refused('redis', 'redis://127.0.0.1:1', 'stats')
  for (const scheme of ['valkey', 'http', 'redis+tls'])
    assert.doesNotMatch(await refused('write redis://HOST', `${scheme}://me:secret@127.0.0.1:1/a`, 'stats'), /secret/)
  assert.doesNotMatch(await refused('redis', 'redis://me:secret@127.0.0.1:1/a b', 'stats'), /secret/)
  assert.doesNotMatch(await refused('not a URL', folder, 'import', 'redis://me:secret@127.0.0.1:1/a'), /secret/)
})
