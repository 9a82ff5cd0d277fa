// Pages that repeat others, mazes and challenge pages, by the real command.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { MAIN, PLAIN } from '../cli/run-cli.ts'
import { RandomSource } from '../model/random-source.ts'
import { pagesIn, reportOf } from './collected.ts'
import { crawl, running } from './crawl.ts'
import { pageWith, smallWeb } from './small-web.ts'

/** Not `spawnSync`: this process serves the web. */
async function escalona(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [MAIN, ...args], { env: { ...process.env, ...PLAIN } })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', text => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', text => (stderr += text))
  const code = await new Promise<number | null>(resolve => child.on('close', resolve))
  return { code, stdout, stderr }
}

const WORDS = Array.from({ length: 100 }, (_, n) => `word${(n * n) % 97}x${n % 7}`).join(' ')

/** The same words under every session number, each with the next number: there is no end to it. */
function sessions(path: string): string | undefined {
  const [, number] = /^\/s(\d+)$/.exec(path) ?? []
  if (path === '/') return pageWith('front', ['/s1', '/end'])
  if (path === '/end') return pageWith('end', ['/s102', '/s7'])
  return number === undefined ? undefined : `${pageWith(`s${number}`, [`/s${Number(number) + 100}`])}<p>${WORDS}</p>`
}

test('rule 5.19: links of a page that repeats another are held, and come back by another page or a setting', async t => {
  const web = await smallWeb(t, [{ name: 'a.test', address: '127.9.0.1', answer: sessions }])
  const ending = await crawl(web, '--delay', '5ms', '--strategy', 'breadth')
  assert.equal(ending.code, 0, ending.stderr)
  const lines = pagesIn(web.folder).map(({ url, ...line }) => [
    new URL(url).pathname,
    'repeats' in line && new URL(String(line.repeats)).pathname,
  ])
  // Depth-first by path: the front page, then /s1 and /end in their order, then what these lead to.
  assert.deepEqual(lines, [
    ['/', false],
    ['/s1', false],
    ['/end', false],
    ['/s101', '/s1'],
    ['/s102', '/s1'],
    ['/s7', '/s1'],
  ])
  assert.deepEqual(reportOf(web.folder).frontier.refusedFor, { 'near-duplicate': 3 })
  const { stdout: held } = await escalona('explain', web.folder, web.url('a.test', '/s107'))
  assert.match(held, /near-duplicate/)
  assert.match(held, /http:\/\/a\.test:\d+\/s7 nearly repeats http:\/\/a\.test:\d+\/s1\n/)
  const { stdout: copy } = await escalona('explain', web.folder, web.url('a.test', '/s7'))
  assert.match(copy, /\n {2}repeats: +http:\/\/a\.test:\d+\/s1\n/)
  // What was known before a restart is known after it.
  const again = await crawl(web, '--delay', '5ms', '--near-duplicates', 'follow', '-n', '9')
  assert.equal(again.code, 0, again.stderr)
  const more = pagesIn(web.folder).slice(6)
  assert.deepEqual(
    more.map(({ url }) => new URL(url).pathname),
    ['/s201', '/s202', '/s107'],
  )
  assert.ok(more.every(line => 'repeats' in line))
})

const STOCK = Array.from({ length: 400 }, (_, n) => `w${(n * 7919) % 1009}`)

/** Every page: words at random out of a small stock, and links that nobody has seen. The same path gives the same page. */
function maze(path: string): string | undefined {
  if (path === '/robots.txt') return undefined
  const chance = new RandomSource([...path].reduce((sum, char) => Math.imul(sum, 31) + char.charCodeAt(0), 7))
  const words = Array.from({ length: 300 }, () => STOCK[chance.below(20) * 20 + chance.below(20)]).join(' ')
  const links = Array.from({ length: 5 }, () => `/${chance.below(1e9).toString(36)}`)
  return `${pageWith('maze', links)}<p>${words}</p>`
}

test('rule 5.20: a maze is asked more and more rarely, which is said in the log and by explain; --mazes follow ends that', async t => {
  const web = await smallWeb(t, [{ name: 'a.test', address: '127.9.0.1', answer: maze }])
  const run = running(t, [...web.args, '--delay', '5ms', '-n', '2000'])
  await run.says(/the pages of a\.test:\d+ bring little that is new/)
  const { stdout } = await escalona('explain', web.folder, web.url('a.test'))
  assert.match(stdout, /its pages bring little that is new: asked at most every \d/)
  const told = await escalona('change', web.folder, '--mazes', 'follow')
  assert.equal(told.code, 0, told.stderr)
})

const CHALLENGE = `<title>Making sure you're not a bot!</title><script id="anubis_challenge" type="application/json">{}</script>
  <a href="/never">home</a><p>Loading...</p>`

test('rule 5.21: challenge pages are no pages: kept, retried, counted, and the host is named with what to do', async t => {
  const answer = (path: string, times: number) => {
    if (path === '/') return pageWith('front', ['/once'])
    if (path === '/once') return times > 1 ? pageWith('once', ['/header']) : CHALLENGE
    if (path === '/header')
      return times > 1 ? pageWith('header', []) : { status: 403, headers: { 'Cf-Mitigated': 'challenge' }, body: 'no' }
    return undefined
  }
  const web = await smallWeb(t, [
    { name: 'a.test', address: '127.9.0.1', answer },
    { name: 'b.test', address: '127.9.0.2', answer: path => (path === '/robots.txt' ? undefined : CHALLENGE) },
  ])
  const ending = await crawl(web, '--delay', '5ms', '--retries', '2')
  assert.equal(ending.code, 0, ending.stderr)
  const paths = pagesIn(web.folder).map(({ url }) => new URL(url).pathname)
  assert.deepEqual(paths.toSorted(), ['/', '/header', '/once'])
  assert.deepEqual(reportOf(web.folder).frontier.refusedFor, { challenge: 1 })
  assert.ok(!web.log.some(({ path }) => path === '/never'))
  // It was left alone for 1 s, then for 5 s.
  const asked = web.log.filter(({ host, path }) => host === 'b.test' && path === '/').map(({ startMs }) => startMs)
  assert.equal(asked.length, 3)
  assert.ok(asked[1]! - asked[0]! >= 990 && asked[2]! - asked[1]! >= 4990, String(asked))
  const says = /a host answers with challenge pages: b\.test:\d+ \(Anubis\)\. Contact the people who run it/
  assert.match(ending.stderr, says)
  assert.match((await escalona('status', web.folder)).stdout, says)
  assert.match((await escalona('explain', web.folder, web.url('b.test'))).stdout, /challenge/)
  assert.match(readFileSync(join(web.folder, 'report.html'), 'utf8'), says)
  const kept = await escalona('cat', web.folder, web.url('b.test'))
  assert.match(kept.stdout, /anubis_challenge/)
})
