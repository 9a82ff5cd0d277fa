// The live page of a crawl that knows very many hosts and links. bench/ui has the full size: a million hosts, ten million links.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const BENCH = fileURLToPath(new URL('../../../bench/ui/run.mjs', import.meta.url))
const BUILT = fileURLToPath(new URL('../../bundle', import.meta.url))
const SIZE = ['--hosts', '100000', '--links', '300000', '--rounds', '0', '--asks', '7']
/** How much more memory than before some hundred questions. The crawl goes on meanwhile, and knows more. */
const MOST_GROWTH_MB = 100

interface Figures {
  readonly mbBefore: number
  readonly mbAfter: number
  readonly answers: Readonly<Record<string, { readonly medianMs: number }>>
}

test('live page: with 100,000 hosts known, every answer comes within 100 ms while the crawl runs, in flat memory', async t => {
  const env = { ...process.env, ESCALONA_BENCH_DIST: BUILT }
  const { stdout } = await run(process.execPath, [BENCH, ...SIZE], { env, timeout: 120_000 })
  const { answers, mbBefore, mbAfter } = JSON.parse(stdout.trim().split('\n').at(-1)!) as Figures
  // On a busy machine even an answer that needs nothing takes its time.
  const idleMs = answers['GET /healthz']!.medianMs
  const times = Object.entries(answers).map(([name, { medianMs }]) => [name, Math.round(medianMs - idleMs)] as const)
  t.diagnostic(
    `GET /healthz ${idleMs.toFixed(1)} ms; beyond that: ${times.map(([name, ms]) => `${name} ${ms}`).join(', ')}`,
  )
  assert.deepEqual(
    times.filter(([, ms]) => ms > 100),
    [],
  )
  assert.ok(times.length > 20)
  assert.ok(mbAfter - mbBefore < MOST_GROWTH_MB, `${mbBefore} MB before, ${mbAfter} MB after`)
})
