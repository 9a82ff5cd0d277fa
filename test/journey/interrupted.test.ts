// Ctrl-C: the first one finishes the open requests, a second one stops at once; the same command goes on later.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { MAIN } from '../cli/run-cli.ts'
import { expected } from '../web/synthetic-web.ts'
import { archivedUrls, pagesSoFar, pageUrls } from './collected.ts'
import { crawl, differences, journey, Running, requestedUrls, requests, twice, urlsOf } from './crawl.ts'

const SIGINT_CODE = 130

test('rule 5.13: Ctrl-C finishes the open requests; the same command goes on where it was', async t => {
  const trip = await journey(t, { seed: 41, hosts: 30, pagesAHost: 8, oddities: false })
  const args = [...trip.args, '-n', '100000', '--delay', '20ms']
  const running = new Running(args)
  await requests(trip, 100)
  running.kill('SIGINT')
  const ending = await running.ending
  assert.deepEqual([ending.code, ending.signal], [SIGINT_CODE, null], ending.stderr)
  const early = await archivedUrls(trip.folder)
  const wanted = urlsOf(expected(trip.web).archived, trip)
  assert.ok(early.length > 0 && early.length < wanted.length)
  assert.deepEqual(
    trip.server.log.filter(
      request => request.endMs === undefined || (request.status !== 200 && request.status !== 404),
    ),
    [],
  )
  const answered = new Set(requestedUrls(trip))
  assert.deepEqual(differences(early, [...answered]), { missing: [], extra: [] }, 'what was answered is archived')
  const rest = await crawl(trip, '-n', '100000', '--delay', '20ms')
  assert.equal(rest.code, 0, rest.stderr)
  assert.deepEqual(differences(await archivedUrls(trip.folder), wanted), { missing: [], extra: [] })
  assert.deepEqual([twice(pageUrls(trip.folder)), twice(requestedUrls(trip))], [[], []])
  t.diagnostic(`${early.length} pages before, ${wanted.length} after`)
})

test('rule 5.13: a second Ctrl-C stops at once, and nothing is lost', async t => {
  const trip = await journey(t, { seed: 42, hosts: 60, pagesAHost: 4 })
  const options = ['-n', '100000', '--delay', '20ms', '--retries', '1']
  const running = new Running([...trip.args, ...options, '--timeout', '20s'])
  await requests(trip, 300) // by now the host whose robots.txt never comes has been asked
  const silent = trip.web.sites.find(site => site.kind === 'robots: silent')!
  for (let n = 0; n < 500 && !trip.server.log.some(({ host }) => host === silent.name); n++) await wait(10)
  running.kill('SIGINT')
  await wait(400)
  assert.equal(await Promise.race([running.ending.then(() => 'ended'), wait(100, 'waits')]), 'waits')
  const startMs = performance.now()
  running.kill('SIGINT')
  const ending = await running.ending
  assert.equal(ending.code ?? ending.signal, 'SIGINT')
  const tookMs = performance.now() - startMs
  assert.ok(tookMs < 5000, `${tookMs.toFixed(0)} ms`)
  const rest = await crawl(trip, ...options, '--timeout', '1s')
  assert.equal(rest.code, 0, rest.stderr)
  const wanted = urlsOf(expected(trip.web).archived, trip)
  assert.deepEqual(differences(await archivedUrls(trip.folder), wanted), { missing: [], extra: [] })
  assert.deepEqual(twice(pageUrls(trip.folder)), [])
  t.diagnostic(`stopped ${tookMs.toFixed(0)} ms after the second one`)
})

test('ours: crawl -d whose reader hangs ends at the first Ctrl-C', async t => {
  const trip = await journey(t, { seed: 43, hosts: 80, pagesAHost: 12, oddities: false })
  const args = [MAIN, 'crawl', ...trip.args, '-n', '100000', '--delay', '5ms', '-d', '-q']
  // A pipe holds 64 KiB, and nobody reads from it.
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  t.after(() => child.kill('SIGKILL'))
  for (let n = 0; n < 3000 && pagesSoFar(trip.folder) < 700; n++) await wait(10)
  assert.ok(pagesSoFar(trip.folder) >= 700, 'too few pages came')
  const ended = once(child, 'exit')
  const startMs = performance.now()
  child.kill('SIGINT')
  const [code] = await Promise.race([ended, wait(10_000, ['it hangs'])])
  assert.equal(code, SIGINT_CODE)
  t.diagnostic(`ended after ${(performance.now() - startMs).toFixed(0)} ms`)
})
