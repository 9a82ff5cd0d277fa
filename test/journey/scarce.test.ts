// What a collector runs out of: file descriptors, disk time, worker threads, time itself.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { MAIN } from '../cli/run-cli.ts'
import { archivedUrls, reportOf } from './collected.ts'
import { crawl, IS_SOAK, requests, running, twice } from './crawl.ts'
import { preloaded } from './preload/preload.ts'
import { pageWith, plainHost, type SmallHost, smallWeb, urlsOfPlain } from './small-web.ts'

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
const NO_STRACE = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status !== 0

test('scarce: --concurrency 8000, a slow disk and kill -9: no page is archived twice', {
  skip: NO_STRACE && 'strace is needed to slow the disk down',
}, async t => {
  const [hosts, pages] = IS_SOAK ? [1000, 5] : [150, 3]
  const made = Array.from({ length: hosts }, (_, n) => {
    return plainHost(`h${n}.test`, `127.50.${n >> 7}.${(n & 127) + 1}`, pages)
  })
  const web = await smallWeb(t, made)
  const options = ['--concurrency', '8000', '--delay', '0']
  const slow = 'inject=fsync,fdatasync:delay_enter=100000'
  const slowly = ['strace', '-f', '-qq', '--seccomp-bpf', '-o', '/dev/null', '-e', 'trace=fsync,fdatasync', '-e', slow]
  const kills = IS_SOAK ? 10 : 1
  for (let kill = 0; kill < kills; kill++) {
    const killed = running(t, [...web.args, ...options], { before: slowly })
    const pages = () => web.log.filter(({ path }) => path !== '/robots.txt').length
    const before = pages()
    for (let n = 0; n < 1000 && pages() < before + hosts * 0.9; n++) await wait(20)
    assert.ok(pages() > before, 'no page was asked for')
    killed.kill('SIGKILL')
    await killed.ending
  }
  const ending = await crawl(web, ...options)
  assert.equal(ending.code, 0, ending.stderr)
  const wanted = made.flatMap(({ name }) => urlsOfPlain(web, name, pages)).sort()
  const archived = await archivedUrls(web.folder)
  const asked = web.log.filter(({ path }) => path !== '/robots.txt').map(({ host, path }) => host + path)
  t.diagnostic(
    `${archived.length} pages; of ${asked.length} requests for them ${twice(asked).length} were made again after ${kills} kills`,
  )
  assert.deepEqual(twice(archived), [])
  assert.deepEqual(archived, wanted)
})

describe('scarce: few file descriptors', { concurrency: 2 }, () => {
  test('scarce: loading a crawl opens few files at once', () => {
    for (const words of [['crawl'], ['--lang', 'pt', 'crawl'], ['--lang=pt', 'resume']]) {
      const limited = ['-c', 'ulimit -n 40; exec "$@"', 'sh', process.execPath, MAIN, ...words, '--help']
      const { status, stderr, stdout } = spawnSync('sh', limited, { encoding: 'utf8' })
      assert.equal(status, 0, stderr)
      assert.match(stdout, /--concurrency/)
    }
  })

  for (const files of IS_SOAK ? [64, 256] : [64]) {
    test(`scarce: with ${files} file descriptors no host is blamed, and the crawl says what it lacks`, async t => {
      const hosts = Array.from({ length: 100 }, (_, n) => plainHost(`h${n}.test`, `127.51.0.${n + 1}`, 2, 30))
      const web = await smallWeb(t, hosts)
      const limited = { before: ['sh', '-c', `ulimit -n ${files}; exec "$@"`, 'sh'] }
      const options = ['--delay', '10ms', '--concurrency', '1000', '--workers', '2']
      const ending = await running(t, [...web.args, ...options], limited).ending
      assert.equal(ending.code, 0, ending.stderr)
      const { failed, again, refused } = reportOf(web.folder)
      const said = ending.stderr.split('\n').find(line => line.includes('open files'))
      t.diagnostic(`${said}; ended after ${seconds(ending.tookMs)}`)
      assert.deepEqual([failed, again, refused], [{}, {}, {}])
      assert.match(said ?? '', /ulimit -n/)
      assert.deepEqual(await archivedUrls(web.folder), hosts.flatMap(({ name }) => urlsOfPlain(web, name, 2)).sort())
    })
  }
})

describe('scarce: threads and time', { concurrency: 2 }, () => {
  for (const way of IS_SOAK ? ['exit', 'memory'] : ['exit']) {
    test(`scarce: a page that ends its worker (${way}) twice is refused by name; all other pages are archived`, async t => {
      const good = Array.from({ length: 8 }, (_, n) => plainHost(`h${n}.test`, `127.52.0.${n + 1}`, 20, 20))
      const bad: SmallHost = {
        name: 'bad.test',
        address: '127.52.1.1',
        answer: path => {
          if (path === '/') return pageWith('front', [`/deadly/${way}-1`, `/deadly/${way}-2`, '/fine'])
          return path === '/robots.txt' ? undefined : pageWith(path, [])
        },
      }
      const web = await smallWeb(t, [bad, ...good])
      const args = [...web.args, '--delay', '20ms', '--workers', '2']
      const ending = await running(t, args, { env: preloaded('deadly-pages'), longestMs: 240_000 }).ending
      assert.deepEqual([ending.code, ending.signal], [0, null], ending.stderr)
      const { refused, failed } = reportOf(web.folder)
      const said = ending.stderr.split('\n').filter(line => line.includes('worker thread died'))
      t.diagnostic(`${said.length} workers were replaced: ${said[0]}; ended after ${seconds(ending.tookMs)}`)
      assert.deepEqual([refused, failed], [{}, { 'worker-died': 2 }])
      assert.ok(said.length >= 1)
      for (const n of [1, 2]) {
        assert.equal(web.log.filter(({ path }) => path === `/deadly/${way}-${n}`).length, 2, 'each is tried twice')
      }
      const fine = [web.url('bad.test'), web.url('bad.test', '/fine')]
      const wanted = [...fine, ...good.flatMap(({ name }) => urlsOfPlain(web, name, 20))].sort()
      assert.deepEqual(await archivedUrls(web.folder), wanted)
    })
  }

  test('scarce: a process that stood still blames no host', async t => {
    const stoppedMs = IS_SOAK ? 60_000 : 4500
    const hosts = Array.from({ length: 10 }, (_, n) => plainHost(`h${n}.test`, `127.52.2.${n + 1}`, 12, 200))
    const web = await smallWeb(t, hosts)
    const command = running(t, [...web.args, '--delay', '20ms', '--timeout', '2s'], { longestMs: 60_000 + stoppedMs })
    await requests({ server: web }, 45)
    command.kill('SIGSTOP')
    await wait(stoppedMs)
    command.kill('SIGCONT')
    const ending = await command.ending
    assert.equal(ending.code, 0, ending.stderr)
    const { failed, again, refused } = reportOf(web.folder)
    t.diagnostic(`stopped for ${seconds(stoppedMs)} with a timeout of 2 s: ${JSON.stringify({ failed, again })}`)
    assert.deepEqual([failed, again, refused], [{}, {}, {}])
    assert.deepEqual(await archivedUrls(web.folder), hosts.flatMap(({ name }) => urlsOfPlain(web, name, 12)).sort())
  })
})
