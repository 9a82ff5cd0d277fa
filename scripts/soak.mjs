// The long versions of the tortures, one after the other, in about half an hour on two cores. `npm test` runs a small share of each.
//   npm run test:soak -- [contract crash …]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** `soak`: how many times as many random lives; 2 and more gives the journeys their full size. `minutes`: the most. */
const STAGES = [
  { name: 'contract', tests: ['contract/'], soak: 30, minutes: 8 },
  { name: 'crash', tests: ['crash/', 'frontier/'], soak: 5, env: { ESCALONA_KILLS: '2000' }, minutes: 8 },
  { name: 'faults', tests: ['redis/faults', 'redis/crawler-cut-off', 'redis/lost'], soak: 5, minutes: 11 },
  // Twenty rounds in which a primary forgets its last seconds.
  { name: 'lost', tests: ['journey/machines-lost'], soak: 2, minutes: 25 },
  { name: 'archive', tests: ['archive/'], soak: 10, minutes: 4 },
  { name: 'crawl', tests: ['crawl/'], soak: 5, env: { ESCALONA_WEBS: '600' }, minutes: 5 },
  { name: 'scheduler', tests: ['robots/', 'scheduler/', 'script/', 'url/'], soak: 5, minutes: 6 },
  { name: 'simulate', tests: ['simulate/'], soak: 2, minutes: 8 },
  { name: 'package', tests: ['analysis/every-change', 'docs/tour', 'package'], soak: 2, minutes: 12 },
  { name: 'journey', tests: ['journey/'], soak: 2, env: { ESCALONA_KILLS: '60' }, minutes: 17 },
]

const wanted = process.argv.slice(2)
const stages = STAGES.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
if (stages.length === 0) throw new Error(`no such stage. There are ${STAGES.map(({ name }) => name).join(', ')}`)
const failed = []
for (const { name, tests, soak, env, minutes } of stages) {
  console.log(`\n${name}: ${soak} times as many random lives, ${JSON.stringify(env ?? {})}, at most ${minutes} minutes`)
  const startMs = performance.now()
  // A group of its own, since the tests start processes too: all of them end when the time is over, or with Ctrl-C.
  const child = spawn(process.execPath, ['scripts/test.mjs', `--soak=${soak}`, ...tests], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
    detached: true,
  })
  const end = () => process.kill(-child.pid, 'SIGKILL')
  const interrupt = () => {
    end()
    process.exit(130)
  }
  const deadline = setTimeout(end, minutes * 60_000)
  process.once('SIGINT', interrupt)
  const [status, signal] = await once(child, 'exit')
  clearTimeout(deadline)
  process.off('SIGINT', interrupt)
  const tookMinutes = ((performance.now() - startMs) / 60_000).toFixed(1)
  const verdict = status === 0 ? 'passed' : signal === null ? 'failed' : 'did not end in time'
  console.log(`${name}: ${verdict}, ${tookMinutes} minutes`)
  if (status !== 0) failed.push(name)
}
if (failed.length > 0) {
  console.error(`not passed: ${failed.join(', ')}`)
  process.exit(1)
}
