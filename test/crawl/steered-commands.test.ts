// The real command is steered over its socket, by people at other terminals, and killed while they do.
//   ESCALONA_KILLS=50 for a longer soak; ESCALONA_SEED repeats the web, the actions and the pauses, though not the moments.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Action } from '../../src/settings/actions.ts'
import { ProcessSource } from '../../src/view/process/process-source.ts'
import { escalonaBeside } from '../cli/run-cli.ts'
import { archivedUrls } from '../journey/collected.ts'
import {
  crawl,
  differences,
  type Journey,
  journey,
  type Running,
  requests,
  running,
  twice,
  urlsOf,
} from '../journey/crawl.ts'
import { RandomSource, seeds } from '../model/random-source.ts'
import { expected } from '../web/synthetic-web.ts'

const KILLS = Number(process.env.ESCALONA_KILLS || 4)
const QUICK = ['--delay', '20ms', '--workers', '1']

async function processOf(command: Running, folder: string): Promise<ProcessSource> {
  await command.says(/escalona: (?:a new crawl|going on)/)
  for (;;) {
    const source = await ProcessSource.of(folder)
    if (source !== undefined) return source
    await sleep(20)
  }
}

test('steering: a paused crawl survives a kill, says how to go on, and escalona resume makes its process go on', async t => {
  const trip = await journey(t, { seed: 1, hosts: 12, pagesAHost: 6, oddities: false, waitMs: 30 })
  const first = running(t, [...trip.args, ...QUICK])
  const source = await processOf(first, trip.folder)
  await requests(trip, 20)
  await source.ask('act', { action: { kind: 'pause' } })
  await first.says(/escalona: paused; to go on: escalona resume \S*crawl/)
  first.kill('SIGKILL')
  await first.ending
  const asked = trip.server.log.length
  const second = running(t, [...trip.args, ...QUICK])
  await second.says(/the crawl is paused, and makes no requests; to go on: escalona resume \S*crawl/)
  source.close()
  const again = await processOf(second, trip.folder)
  await sleep(300)
  assert.equal(trip.server.log.length, asked)
  again.close()
  const resumed = await escalonaBeside(['resume', trip.folder])
  assert.match(resumed.stderr, new RegExp(`was paused; process ${second.pid} continues it`))
  assert.equal(resumed.code, 0)
  const { code, stderr } = await second.ending
  assert.equal(code, 0, stderr)
  assert.match(stderr, /going on after a pause/)
  const wanted = urlsOf(expected(trip.web).archived, trip)
  assert.deepEqual(differences(await archivedUrls(trip.folder), wanted), { missing: [], extra: [] })
})

test(`steering: killed ${KILLS} times while actions are done: nothing is torn, and in the end everything is there once`, async t => {
  const [seed = 1] = seeds(t, 0, 1)
  const random = new RandomSource(seed)
  const trip = await journey(t, { seed, hosts: 25, pagesAHost: 8, oddities: false, waitMs: 20 })
  const wanted = urlsOf(expected(trip.web).archived, trip)
  const hosts = [...new Set(wanted.map(url => new URL(url).host))]
  const anyUrl = () => wanted[random.below(wanted.length)]!
  const anyHost = () => hosts[random.below(hosts.length)]!
  const ACTIONS: readonly (() => Action)[] = [
    () => ({ kind: 'pause' }),
    () => ({ kind: 'resume' }),
    () => ({ kind: 'add seeds', urls: [anyUrl(), anyUrl()] }),
    () => ({ kind: 'change settings', settings: { exclude: [`*${random.below(10)}*`] } }),
    () => ({ kind: 'change settings', settings: { maxDepth: 1 + random.below(3), concurrency: 1 + random.below(9) } }),
    () => ({ kind: 'change host', host: anyHost(), change: { delayMs: random.below(200) } }),
    () => ({ kind: 'change host', host: anyHost(), change: { blockedUntilMs: Date.now() + 3_600_000 } }),
    () => ({ kind: 'change host', host: anyHost(), change: { clear: true } }),
  ]
  const acknowledged: string[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    const command = running(t, [...trip.args, ...QUICK, '--exclude', 'none'])
    const source = await processOf(command, trip.folder)
    // One action is done in each life, however busy the machine is; the kill comes while others are under way.
    await source.ask('act', { action: { kind: 'add seeds', urls: [anyUrl()] } })
    acknowledged.push('add seeds')
    // A host is known once a link leads there; an action about another one is refused.
    for (let n = 0; n < 8; n++) {
      const action = ACTIONS[random.below(ACTIONS.length)]!()
      source.ask('act', { action }).then(
        // Pausing what is paused does nothing.
        () => action.kind !== 'pause' && action.kind !== 'resume' && acknowledged.push(action.kind),
        () => {},
      )
      await sleep(random.below(30))
    }
    command.kill('SIGKILL')
    await command.ending
    source.close()
    assert.ok(linesOf(trip, 'actions.jsonl').length >= acknowledged.length, `seed ${seed}: an action is not written`)
    for (const name of ['pages.jsonl', 'failures.jsonl', 'seeds.jsonl']) linesOf(trip, name)
    JSON.parse(readFileSync(join(trip.folder, 'crawl.json'), 'utf8'))
  }
  t.diagnostic(`seed ${seed}: ${acknowledged.length} actions: ${acknowledged.join(', ')}`)
  const last = running(t, [...trip.args, '--exclude', 'none', '--max-depth', 'none', '--retry', 'cleared'])
  const source = await processOf(last, trip.folder)
  await source.ask('act', { action: { kind: 'resume' } })
  for (const host of hosts) {
    await source
      .ask('act', { action: { kind: 'change host', host, change: { blockedUntilMs: null, delayMs: 1 } } })
      .catch(() => {})
  }
  source.close()
  const { code, stderr } = await last.ending
  assert.equal(code, 0, `seed ${seed}: ${stderr}`)
  // Whoever was refused before its host was known is there now.
  const end = await crawl(trip, '--retry', 'cleared')
  assert.equal(end.code, 0, `seed ${seed}: ${end.stderr}`)
  const archived = await archivedUrls(trip.folder)
  assert.deepEqual(twice(archived), [], `seed ${seed}: archived twice`)
  assert.deepEqual(differences(archived, wanted), { missing: [], extra: [] }, `seed ${seed}`)
  assert.deepEqual(
    readdirSync(trip.folder).filter(name => name.endsWith('.new')),
    [],
  )
})

/** All lines that are complete; each must be JSON. */
function linesOf({ folder }: Journey, name: string): unknown[] {
  const text = readdirSync(folder).includes(name) ? readFileSync(join(folder, name), 'utf8') : ''
  return text
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line) as unknown)
}
