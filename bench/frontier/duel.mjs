// Are offers and visits as fast as in another commit? Both frontiers in one process, batch by batch in turn: whatever else the machine
// does slows both alike, so a difference of a few percent shows. Between processes it takes many runs.
//   npm run bench:frontier-duel -- f895b1a [--known 1000000]
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { otherCommit } from '../against/other-commit.mjs'
import { library } from '../measured.mjs'
import { finish, option } from '../tools.mjs'
import { benchFolder } from './peers.mjs'
import { BATCH, batch, VISITED } from './work.mjs'

const [other] = process.argv.slice(2)
const known = Number(option('known', 1_000_000))
if (other === undefined || other.startsWith('--'))
  throw new Error('which commit? npm run bench:frontier-duel -- COMMIT')
/** Without the tenth of a phase that took longest: a snapshot, or another's work, falls on one side by chance. */
const KEPT = 0.9
/** Not counted: its code is compiled meanwhile. */
const WARM_UP = 'warm-up'

const { tree, commit } = otherCommit(other)
mkdirSync(benchFolder, { recursive: true })
const data = mkdtempSync(join(benchFolder, 'duel-'))
process.on('exit', () => rmSync(data, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

const before = await side('before', await library(tree))
const now = await side('now', await library())
let turns = 0
let nowMs = 1_700_000_000_000

await offerUpTo(known * 0.8, 'the first four fifths of the offers')
await offerUpTo(known, 'the last fifth of the offers')
const visits = Math.min(300_000, known / 10)
await visit(visits / 5, WARM_UP)
await visit(visits, 'take and settle')

const ratios = {}
for (const phase of Object.keys(now.micros)) {
  if (phase === WARM_UP) continue
  const [beforeUs, nowUs] = [usual(before.micros[phase]), usual(now.micros[phase])]
  ratios[phase] = beforeUs / nowUs
  console.log(
    `${ratios[phase].toFixed(3)} times the rate before: ${phase} (${beforeUs.toFixed(2)} and ${nowUs.toFixed(2)} µs)`,
  )
}
finish({ bench: 'frontier-duel', commit, known, ratios })
process.exit(0)

async function side(name, { openLocal }) {
  return { frontier: await openLocal({ folder: join(data, name), clock: () => nowMs }), known: 0, micros: {} }
}

async function offerUpTo(wanted, phase) {
  while (now.known < wanted) {
    const { links, fresh } = batch(now.known)
    await inTurn(async one => {
      await timed(one, phase, BATCH, () => one.frontier.offer(links))
      one.known += fresh
    })
  }
}

async function visit(wanted, phase) {
  const atOnce = Math.min(1000, Math.ceil(known / 1000))
  for (let visited = 0; visited < wanted; visited += atOnce) {
    nowMs += 1000
    await inTurn(one =>
      timed(one, phase, atOnce, async () => {
        const { tickets } = await one.frontier.take(atOnce)
        const settlements = tickets.map(({ id }) => ({ ticketId: id, ...VISITED }))
        await one.frontier.settle(settlements)
      }),
    )
  }
}

/** Each is first in every other turn. */
async function inTurn(act) {
  const order = turns++ % 2 === 0 ? [before, now] : [now, before]
  for (const one of order) await act(one)
}

/** Notes the processor time for each of `count` links. */
async function timed(one, phase, count, act) {
  const start = process.cpuUsage()
  await act()
  const { user, system } = process.cpuUsage(start)
  one.micros[phase] ??= []
  one.micros[phase].push((user + system) / count)
}

function usual(micros) {
  const kept = micros.toSorted((a, b) => a - b).slice(0, Math.ceil(micros.length * KEPT))
  return kept.reduce((sum, value) => sum + value, 0) / kept.length
}
