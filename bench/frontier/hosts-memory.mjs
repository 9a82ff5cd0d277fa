// How much memory does a known host cost, whatever it has to do? Hosts with one link each, all of them in line; then the
// same with every host at a server of its own. RSS above that of the empty process, in one child process per row.
//   npm run bench:frontier-hosts -- [--hosts 1000000,4600000]
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { library } from '../measured.mjs'
import { finish, option } from '../tools.mjs'

const { openLocal } = await library()
const BATCH = 1000
/** A link without its host, as bench:frontier measures it. */
const LINK_BYTES = 37

if (process.argv[2] === 'child') await measure(Number(process.argv[3]), process.argv[4], process.argv[5] === 'placed')
else compare()

function compare() {
  const script = fileURLToPath(import.meta.url)
  const rows = {}
  for (const hosts of option('hosts', '1000000,4600000').split(',')) {
    for (const [strategy, how] of [['breadth'], ['explore'], ['explore', 'placed']]) {
      const args = ['--expose-gc', '--max-old-space-size=8000', script, 'child', hosts, strategy, how ?? '-']
      const { stdout, status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
      if (status !== 0) throw new Error(stderr)
      const name = `${hosts} hosts, ${strategy}${how ? ', each at a server of its own' : ''}`
      rows[name] = Number(stdout)
      console.log(`${rows[name].toFixed(0).padStart(5)} bytes a host beyond its link: ${name}`)
    }
  }
  finish({ bench: 'frontier-hosts', bytesAHost: rows })
}

async function measure(hosts, strategy, isPlaced) {
  for (let n = 0; n < 200_000; n += BATCH) batch(n)
  const empty = await residentBytes()
  let nowMs = 1_700_000_000_000
  const frontier = await openLocal({ strategy, clock: () => nowMs })
  for (let n = 0; n < hosts; n += BATCH) await frontier.offer(batch(n))
  for (let left = isPlaced ? hosts : 0; left > 0; ) {
    nowMs++
    const { tickets } = await frontier.take(BATCH)
    if (tickets.length === 0) throw new Error(`${left} hosts were never leased`)
    for (const { id } of tickets) await frontier.place(id, addressOf(id))
    const settlement = { outcome: { kind: 'done', isPage: true }, links: [], shown: 'answer', delayMs: 3_600_000 }
    await frontier.settle(tickets.map(({ id }) => ({ ticketId: id, ...settlement })))
    left -= tickets.length
  }
  nowMs += 1e9
  await frontier.take(0)
  const textBytes = urlOf(hosts - 1).length + 4
  console.log((((await residentBytes()) - empty) / hosts - LINK_BYTES - textBytes).toFixed(1))
  await frontier.close()
}

function batch(from) {
  return Array.from({ length: BATCH }, (_, i) => ({ url: urlOf(from + i), rank: 1, hops: 1 }))
}

/** Half of the hosts have a domain of their own, the others share one with another. */
function urlOf(n) {
  return n % 4 === 1 ? `https://shop.site-${n - 1}.com/` : `https://www.site-${n}.com/`
}

function addressOf(n) {
  return `${n >>> 24}.${(n >>> 16) & 255}.${(n >>> 8) & 255}.${n & 255}`
}

async function residentBytes() {
  for (let i = 0; i < 4; i++) {
    globalThis.gc()
    await sleep(50)
  }
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1024
}
