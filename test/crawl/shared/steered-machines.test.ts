// Two machines share a crawl, and one of them is steered: real processes, a real Redis.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ProcessSource } from '../../../src/view/process/process-source.ts'
import { pagesSoFar } from '../../journey/collected.ts'
import { differences, twice, urlsOf } from '../../journey/crawl.ts'
import { machines, union } from '../../journey/machines.ts'
import { expected } from '../../web/synthetic-web.ts'
import { until } from '../steered-web.ts'

test('shared crawl: of machines that share a crawl one is paused alone, its seeds and blocks hold for all, and settings of all do not change', async t => {
  const trip = await machines(t, { seed: 81, hosts: 14, pagesAHost: 8, oddities: false, waitMs: 30 })
  const wanted = urlsOf(expected(trip.web).archived, trip)
  const [one, two] = [1, 2].map(n => trip.start(n, n === 1 ? ['--delay', '400ms'] : []))
  let source: ProcessSource | undefined
  await until(async () => (source = await ProcessSource.of(trip.folderOf(1))) !== undefined, 'the source')
  await until(async () => pagesSoFar(trip.folderOf(1)) > 2 && pagesSoFar(trip.folderOf(2)) > 2, 'pages')
  const refused = { code: 'CRAWL_BAD_ACTION', message: /stop all machines/ }
  await assert.rejects(
    source!.ask('act', { action: { kind: 'change settings', settings: { exclude: ['*/x'] } } }),
    refused,
  )
  await source!.ask('act', { action: { kind: 'change settings', settings: { concurrency: 7 } } })
  assert.equal((await source!.ask('status', {})).running?.slots, 7)
  const { host } = new URL(wanted.at(-1)!)
  await assert.rejects(source!.ask('act', { action: { kind: 'change host', host, change: { delayMs: 9 } } }), refused)

  const theirs = pagesSoFar(trip.folderOf(2))
  await source!.ask('act', { action: { kind: 'pause' } })
  await until(async () => (await source!.ask('status', {})).running?.openRequests === 0, 'the end of the open requests')
  // What they brought is written.
  await sleep(1000)
  const mine = pagesSoFar(trip.folderOf(1))
  await until(async () => pagesSoFar(trip.folderOf(2)) > theirs + 5, 'more pages')
  assert.equal(pagesSoFar(trip.folderOf(1)), mine, 'the other machine goes on alone')

  await source!.ask('act', { action: { kind: 'add seeds', urls: [`http://${host}/a-new-one`] } })
  await until(() => trip.server.log.some(({ path }) => path === '/a-new-one'), 'the seed, by the other machine')
  await source!.ask('act', {
    action: { kind: 'change host', host, change: { blockedUntilMs: Date.now() + 3_600_000 } },
  })
  await sleep(400)
  const asked = trip.server.log.filter(request => host.startsWith(request.host)).length
  await sleep(600)
  assert.equal(trip.server.log.filter(request => host.startsWith(request.host)).length, asked, 'blocked for all')
  await source!.ask('act', { action: { kind: 'change host', host, change: { blockedUntilMs: null } } })
  await source!.ask('act', { action: { kind: 'resume' } })
  source!.close()
  for (const machine of [one!, two!]) assert.equal((await machine.ending).code, 0, machine.stderr)
  const all = await union(trip, 2)
  assert.deepEqual(twice(all), [])
  assert.deepEqual(differences(all, wanted), { missing: [], extra: [] })
})
