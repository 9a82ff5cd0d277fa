// Do take and settle cost the same with 10 links done and with 10 million? Two frontiers get the same million links to
// visit, in turn; one has 10 done links behind it, the other 10 million. Itself is the peer.
//   npm run bench:frontier-done -- [--done 10000000] [--runs 3]
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { library } from '../measured.mjs'
import { finish, median, option } from '../tools.mjs'

const { openLocal } = await library()
const BATCH = 1000
const HOSTS = 200_000
const FRESH = 1_000_000
const VISITS = 200_000

const many = Number(option('done', 10_000_000))
const runs = Number(option('runs', 3))
const folder = join(tmpdir(), 'escalona-bench-frontier')
mkdirSync(folder, { recursive: true })
const data = mkdtempSync(join(folder, 'done-'))
process.on('exit', () => rmSync(data, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

let nowMs = 1_700_000_000_000
const frontiers = { few: await filled('few', 10), many: await filled('many', many) }
const rates = { few: [], many: [] }
for (let run = 0; run < runs; run++) {
  for (const [name, frontier] of Object.entries(frontiers)) {
    await offer(frontier, many + run * FRESH, FRESH)
    await visit(frontier, VISITS / 4)
    const start = performance.now()
    await visit(frontier, VISITS)
    rates[name].push(VISITS / ((performance.now() - start) / 1000))
    await visit(frontier, Infinity)
    console.error(`run ${run + 1}: ${name} done: ${rates[name].at(-1).toFixed(0)} take+settle/s`)
  }
}
const ratios = rates.many.map((rate, run) => rate / rates.few[run])
finish({ bench: 'frontier-done', done: many, few: median(rates.few), many: median(rates.many), ratio: median(ratios) })
process.exit(0)

async function filled(name, links) {
  const frontier = await openLocal({ folder: join(data, name), clock: () => nowMs })
  await offer(frontier, 0, links)
  await visit(frontier, Infinity)
  console.error(`${(await frontier.counts()).done.toLocaleString('en-US')} links are done`)
  return frontier
}

async function offer(frontier, from, links) {
  for (let at = 0; at < links; at += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, links - at) }, (_, i) => linkOf(from + at + i))
    await frontier.offer(batch)
  }
}

/** Every host gets as many links as the others, so that a thousand of them are always ready. */
function linkOf(n) {
  return { url: `https://host-${n % HOSTS}.example.com/news/${n}.html`, rank: 2, hops: 1 }
}

/** Takes and settles so many links, or all there are. */
async function visit(frontier, wanted) {
  for (let visited = 0; visited < wanted; ) {
    nowMs += 1000
    const { tickets } = await frontier.take(BATCH)
    if (tickets.length === 0) return
    const outcome = { kind: 'done', isPage: true }
    const done = ({ id }) => ({ ticketId: id, outcome, links: [], shown: 'answer', delayMs: 0 })
    await frontier.settle(tickets.map(done))
    visited += tickets.length
  }
}
