// A client process: one peer, two calls under way at a time. It prepares a task, says so, and does it at the word "go": only
// the peer's calls are timed, not the making of the links.
import { setTimeout as sleep } from 'node:timers/promises'
import { batches, homes, LOADS } from './work.mjs'

const LANES = 2
/** Nothing to take for so long means that something is wrong. */
const PATIENCE_MS = 5000

const setup = JSON.parse(process.argv[2])
const { open } = await import(setup.module)
const peer = await open(setup)

/** Each returns a function that does the work; that one returns how many links were offered or visited, and how many new. */
const tasks = {
  /** Brings this client from `from` to `to` known links. */
  offer({ from, to, load }) {
    const all = batches(from, to, { ...setup, load: LOADS[load] })
    return async () => {
      let next = 0
      const fresh = await inLanes(async () => {
        let added = 0
        while (next < all.length) added += await peer.offer(all[next++])
        return added
      })
      return { count: all.reduce((sum, links) => sum + links.length, 0), fresh }
    }
  },
  /** Visits so many links, or all there are. */
  visit({ visits = Number.POSITIVE_INFINITY }) {
    return async () => ({ count: await inLanes(() => drain(most => peer.visit(most), Math.ceil(visits / LANES))) })
  },
  /** Gives each host a server: its first page is visited. */
  place({ known }) {
    const links = homes(known, setup)
    return async () => {
      const fresh = await peer.offer(links)
      return { count: await drain(() => peer.place(), Number.POSITIVE_INFINITY), fresh }
    }
  },
}

let prepared
process.on('message', async message => {
  if (message !== 'go') {
    prepared = tasks[message.name](message)
    process.send('ready')
    return
  }
  const start = process.cpuUsage()
  const done = await prepared()
  const { user, system } = process.cpuUsage(start)
  process.send({ ...done, cpuSeconds: (user + system) / 1e6 })
})
process.on('disconnect', async () => {
  await peer.close()
  process.exit()
})
process.send('open')

/** Does the work in each lane; returns the sum. */
async function inLanes(work) {
  const counts = await Promise.all(Array.from({ length: LANES }, work))
  return counts.reduce((sum, count) => sum + count)
}

/** Visits until so many are done or nothing is left; returns how many. */
async function drain(visit, wanted) {
  let count = 0
  let idleSinceMs
  while (count < wanted) {
    const visited = await visit(wanted - count)
    if (visited === undefined) break
    count += visited
    const nowMs = performance.now()
    if (visited > 0) idleSinceMs = undefined
    else if (nowMs - (idleSinceMs ??= nowMs) > PATIENCE_MS) throw new Error('nothing to take')
    else await sleep(2)
  }
  return count
}
