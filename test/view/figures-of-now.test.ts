// The figures of a crawl on its live page.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { crawl } from '../../src/library/crawl.ts'
import { CrawlView } from '../../src/view/crawl-view.ts'
import { temporaryFolder } from '../cli/run-cli.ts'
import { pageWith, smallWeb } from '../journey/small-web.ts'

test('ours: the number of failures never falls, also when a link that failed is put back in the queue', async t => {
  const web = await smallWeb(t, [
    {
      ...{ name: 'a.test', address: '127.3.7.1' },
      answer: path => (path === '/' ? pageWith('front', ['/bad']) : path === '/bad' ? 'reset' : undefined),
    },
    // Keeps the crawl running.
    {
      ...{ name: 'b.test', address: '127.3.7.2' },
      answer: path => (path === '/robots.txt' ? undefined : { body: pageWith(path, [`${path}x`]), waitMs: 200 }),
    },
  ])
  const hosts = new Map([
    ['a.test', '127.3.7.1'],
    ['b.test', '127.3.7.2'],
  ])
  const subject = crawl({
    ...{ folder: web.folder, seeds: [web.url('a.test'), web.url('b.test')], hosts, allowNetworks: ['127.0.0.0/8'] },
    ...{ delayMs: 5, serverDelayMs: 0, retries: 0, workers: 1, timeoutMs: 10_000 },
  })
  const ended = subject.run()
  ended.catch(() => {})
  for (let n = 0; n < 500 && web.log.length < 3; n++) await wait(10)
  const view = new CrawlView(web.folder, { isLive: true })
  t.after(() => view.close())
  const seen: number[] = []
  const until = async (isSo: () => boolean) => {
    for (let n = 0; n < 200 && !isSo(); n++) {
      seen.push((await view.ask('crawl', {})).failed)
      await wait(50)
    }
    assert.ok(isSo(), seen.join(' '))
  }
  await until(() => seen.at(-1) === 1)
  await subject.changeHost(new URL(web.url('a.test')).host, { blockedUntilMs: Date.now() + 3_600_000 })
  assert.deepEqual(await view.ask('act', { action: { kind: 'add seeds', urls: [web.url('a.test', '/bad')] } }), {
    seeds: 1,
    requeued: 1,
  })
  assert.equal((await view.ask('crawl', {})).failed, 1, 'it waits again')
  await subject.changeHost(new URL(web.url('a.test')).host, { blockedUntilMs: null })
  await until(() => seen.at(-1) === 2)
  assert.deepEqual(seen, seen.toSorted())
  subject.stop()
  await ended
  assert.equal((await view.ask('crawl', {})).failed, 2, 'after the end, too')
})

/** Asks where a running crawl stands, in a folder whose stats.json never ends. */
const ASK = `
const { crawlNow } = await import(process.argv[1])
const none = { known: 0, pages: 0, done: 0, refused: 0, refusedFor: {}, waiting: 0, leased: 0 }
const running = { pages: 7, requests: 9, wireBytes: 1, workMs: 1, sinceMs: 1, state: 'running', waitingFor: {} }
const now = crawlNow(process.argv[2], { frontier: none, outlook: {}, running }, undefined, undefined)
process.stdout.write(String(now.pages))
`

test('ours: while a crawl runs, its stats.json is not read to say where it stands', {
  skip: process.platform === 'win32',
}, t => {
  const folder = temporaryFolder(t)
  assert.equal(spawnSync('mkfifo', [join(folder, 'stats.json')]).status, 0)
  const module = new URL('../../src/view/status.js', import.meta.url).href
  const options = { timeout: 5000, killSignal: 'SIGKILL', encoding: 'utf8' } as const
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', ASK, module, folder], options)
  assert.deepEqual([stdout, stderr], ['7', ''])
})
