// Pages that repeat others, mazes and challenge pages, by the real command.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { MAIN, PLAIN } from '../cli/run-cli.ts'
import { pagesIn, reportOf } from './collected.ts'
import { crawl } from './crawl.ts'
import { pageWith, type SmallWeb, smallWeb } from './small-web.ts'

function explained(web: SmallWeb, path: string): string {
  const { stdout } = spawnSync(process.execPath, [MAIN, 'explain', web.folder, web.url('a.test', path)], {
    env: { ...process.env, ...PLAIN },
    encoding: 'utf8',
  })
  return stdout
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
  const held = explained(web, '/s107')
  assert.match(held, /near-duplicate/)
  assert.match(held, /http:\/\/a\.test:\d+\/s7 nearly repeats http:\/\/a\.test:\d+\/s1\n/)
  assert.match(explained(web, '/s7'), /\n  repeats: +http:\/\/a\.test:\d+\/s1\n/)
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
