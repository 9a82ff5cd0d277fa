// A folder that a power cut, a hand or a wrong clock has been at; and offers that make no sense.
import assert from 'node:assert/strict'
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openLocal } from '../../src/frontier/local/open.ts'
import { escalona, temporaryFolder } from '../cli/run-cli.ts'
import { archivedUrls, pageUrls, reportOf, responsesIn } from './collected.ts'
import { crawl, requests, running } from './crawl.ts'
import { preloaded } from './preload/preload.ts'
import { plainHost, type SmallWeb, smallWeb, urlsOfPlain } from './small-web.ts'

const HOLE = Buffer.alloc(4096)
const AN_ERROR = 2

function hosts(net: number, count: number, pages: number) {
  return Array.from({ length: count }, (_, n) => plainHost(`h${n}.test`, `127.49.${net}.${n + 1}`, pages))
}

function allOf(web: SmallWeb, count: number, pages: number): string[] {
  return Array.from({ length: count }, (_, n) => urlsOfPlain(web, `h${n}.test`, pages))
    .flat()
    .sort()
}

test('damage: a hole of zeros where nothing was synced: it is cut off and reported, and nothing is lost', async t => {
  const web = await smallWeb(t, hosts(1, 8, 20))
  const options = ['--delay', '20ms']
  for (const requested of [40, 100]) {
    const killed = running(t, [...web.args, ...options])
    await requests({ server: web }, web.log.length + requested)
    killed.kill('SIGKILL')
    await killed.ending
    const pages = join(web.folder, 'pages.jsonl')
    const [, synced = '0'] = /^\S+ (\d{16}) /.exec(readFileSync(`${pages}.synced`, 'latin1')) ?? []
    const bytes = readFileSync(pages)
    writeFileSync(pages, Buffer.concat([bytes.fill(0, Number(synced)), HOLE]))
    const open = readdirSync(join(web.folder, 'archive')).filter(name => name.endsWith('.open'))
    assert.equal(open.length, 1)
    appendFileSync(join(web.folder, 'archive', open[0]!), HOLE)
  }
  const ending = await crawl(web, ...options)
  assert.equal(ending.code, 0, ending.stderr)
  const repairs = ending.stderr.split('\n').filter(line => line.includes('cut off'))
  for (const line of repairs) t.diagnostic(line)
  assert.equal(repairs.filter(line => line.includes('pages.jsonl')).length, 1)
  assert.equal(repairs.filter(line => line.includes('.warc.gz')).length, 1)
  assert.deepEqual(await archivedUrls(web.folder), allOf(web, 8, 20))
})

test('damage: whoever looks at a crawl with a damaged frontier is told how to make it again', async t => {
  const web = await smallWeb(t, hosts(9, 2, 5))
  assert.equal((await crawl(web, '--delay', '5ms')).code, 0)
  const frontier = join(web.folder, 'frontier')
  for (const name of readdirSync(frontier)) {
    const bytes = readFileSync(join(frontier, name))
    if (bytes.length > 64) writeFileSync(join(frontier, name), bytes.fill(0x5a, 20, bytes.length - 8))
  }
  for (const command of ['status', 'hosts', 'list']) {
    const { code, stderr } = escalona([command, web.folder])
    assert.equal(code, AN_ERROR, command)
    assert.match(stderr, /escalona resume \S+ --rebuild/, command)
  }
})

test('damage: a WARC file that was cut by hand is an error that names it; one that was moved away is reported', async t => {
  const web = await smallWeb(t, hosts(2, 6, 20))
  const options = ['--delay', '0']
  const ended = await crawl(web, ...options, '-n', '60')
  assert.equal(ended.code, 0, ended.stderr)
  const [first = ''] = readdirSync(join(web.folder, 'archive'))
  const file = join(web.folder, 'archive', first)
  const whole = readFileSync(file)
  truncateSync(file, whole.length - 100)
  const cut = await crawl(web, ...options)
  assert.equal(cut.code, AN_ERROR, cut.stderr)
  assert.match(cut.stderr, /escalona-.*-00001\.warc\.gz is damaged at byte \d+.*put a good copy in its place/)
  t.diagnostic(cut.stderr.trim())
  assert.equal(statSync(file).size, whole.length - 100, 'it was changed')
  assert.equal(pageUrls(web.folder).length, 60)

  writeFileSync(file, whole)
  const away = join(web.folder, '..', first)
  renameSync(file, away)
  const moved = await crawl(web, ...options, '-n', 'none')
  assert.equal(moved.code, 0, moved.stderr)
  assert.match(moved.stderr, /escalona-.*-00001\.warc\.gz is not in .* any more/)
  assert.ok(
    readdirSync(join(web.folder, 'archive')).every(name => !name.includes('-00001.')),
    'its number was given again',
  )
  assert.ok((await responsesIn(web.folder)).length > 60)
  renameSync(away, file)
  assert.deepEqual(await archivedUrls(web.folder), allOf(web, 6, 20))
})

test('damage: after a run whose clock was five hours ahead the next one begins at once, and says so', async t => {
  const web = await smallWeb(t, hosts(3, 6, 10))
  const options = ['--delay', '20ms']
  const env = preloaded('other-clock', { ESCALONA_TEST_HOURS: '5' })
  const first = await running(t, [...web.args, ...options, '-n', '25'], { env }).ending
  assert.equal(first.code, 0, first.stderr)
  const ending = await crawl(web, ...options, '-n', 'none')
  assert.equal(ending.code, 0, ending.stderr)
  const said = ending.stderr.split('\n').find(line => line.includes('clock'))
  t.diagnostic(`${said}; ended after ${(ending.tookMs / 1000).toFixed(1)} s`)
  assert.ok(said !== undefined, ending.stderr)
  assert.ok(ending.tookMs < 20_000)
  assert.deepEqual(await archivedUrls(web.folder), allOf(web, 6, 10))
  assert.equal(reportOf(web.folder).frontier.waiting, 0)
})

test('damage: offers and settlements that make no sense change nothing, and the folder opens again', async t => {
  const folder = join(temporaryFolder(t), 'frontier')
  const link = { url: 'http://a.test/', rank: 0, hops: 0 }
  const frontier = await openLocal({ folder })
  const senseless = [
    { ...link, rank: -1 },
    { ...link, hops: -7 },
    { ...link, hops: Number.NaN },
    { ...link, rank: 0.5 },
    { ...link, url: 'nonsense' },
  ]
  for (const bad of senseless) {
    await assert.rejects(frontier.offer([{ ...link, url: 'http://b.test/' }, bad]), { code: 'FRONTIER_BAD_LINK' })
  }
  assert.equal(await frontier.offer([link]), 1)
  const { tickets } = await frontier.take(1)
  const fine = {
    ticketId: tickets[0]!.id,
    outcome: { kind: 'done', isPage: true },
    links: [],
    shown: 'answer',
    delayMs: 0,
  } as const
  const bad = [
    { ...fine, delayMs: Number.NaN },
    { ...fine, delayMs: -1 },
    { ...fine, links: [senseless[0]!] },
  ]
  for (const one of bad) await assert.rejects(frontier.settle([fine, one]), /.*/)
  await assert.rejects(frontier.setDelay('a.test', Number.NaN))
  await assert.rejects(frontier.hold('a.test', { forMs: -5 }))
  const before = await frontier.counts()
  assert.deepEqual([before.known, before.leased, before.done], [1, 1, 0])
  await frontier.close()
  const again = await openLocal({ folder })
  const after = await again.counts()
  assert.deepEqual([after.known, after.waiting, after.done], [1, 1, 0])
  await again.close()

  const seeds = join(folder, '..', 'seeds.txt')
  writeFileSync(seeds, 'http://a.test/\n')
  for (const options of [
    ['--delay', 'NaN'],
    ['--delay', '-5'],
    ['--max-depth', '-1'],
  ]) {
    const ending = await crawl({ args: ['-s', seeds, '-o', join(folder, '..', 'crawl')] }, ...options)
    assert.equal(ending.code, AN_ERROR, ending.stderr)
  }
  assert.ok(!existsSync(join(folder, '..', 'crawl')))
})
