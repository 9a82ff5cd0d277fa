// One peer at one size, in a process of its own; its figures as one line of JSON. Only the peer's calls are timed, not
// the making of the links. Each call is awaited before the next: one fsync a batch, for those that know how.
//   node --expose-gc measure.mjs fill   MODULE FOLDER|- KNOWN LIMIT_SECONDS    then it kills itself, its frontier still open
//   node --expose-gc measure.mjs reopen MODULE FOLDER                          then it closes the frontier
import { execFileSync } from 'node:child_process'
import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryKib } from '../tools.mjs'
import { BATCH, batch, VISITED } from './work.mjs'

const [task, module, folderName, wanted, limit] = process.argv.slice(2)
const folder = folderName === '-' ? undefined : folderName
const { open, takesAtOnce } = await import(`./${module}`)

/** Hosts are ready from the start; every round is a second later than the one before. */
let nowMs = 1_700_000_000_000
/** Each phase of a peer without a size it must reach ends here at the latest. */
const limitSeconds = Number(limit)
/** A frontier with less than a million links has no thousand hosts ready all the time. */
const atOnce = Math.min(takesAtOnce, Math.ceil(Number(wanted) / 1000))

/** How many more must be known for another line on standard error. */
const PROGRESS = 10_000_000

const tasks = { fill, reopen }
const figures = await tasks[task]()
writeSync(1, `\n${JSON.stringify(figures)}\n`)
// Without a word to the frontier: the next opening is the one after a crash.
process.kill(process.pid, 'SIGKILL')

async function fill() {
  const emptyBytes = await emptyProcessBytes()
  const frontier = await open(folder, () => nowMs)
  const { known, ...offers } = await offerAll(frontier, Number(wanted))
  const memory = (await memoryBytes()) - emptyBytes
  const disk = folder === undefined ? undefined : diskBytes()
  const visits = Math.min(300_000, known / 10)
  const warmUp = await visit(frontier, visits / 5)
  const few = await visit(frontier, visits)
  const between = await visit(frontier, known / 5 - visits - warmUp.visited)
  const many = await visit(frontier, visits)
  return {
    known,
    ...offers,
    visitsPerSecond: few.perSecond,
    visitsPerCpuSecond: few.perCpuSecond,
    visited: few.visited,
    manyDone: warmUp.visited + few.visited + between.visited,
    manyDoneVisitsPerSecond: many.perSecond,
    manyDoneVisitsPerCpuSecond: many.perCpuSecond,
    memoryBytesAUrl: memory / known,
    diskBytesAUrl: disk === undefined ? undefined : disk / known,
    peakMb: memoryKib(process.pid, 'VmHWM') / 1024,
  }
}

async function reopen() {
  const [start, cpuStart] = [performance.now(), cpuTime()]
  const frontier = await open(folder, () => nowMs)
  // Leases of the process before have run out long ago.
  nowMs += 1e9
  const { tickets } = await frontier.take(takesAtOnce)
  const openSeconds = (performance.now() - start) / 1000
  const openCpuSeconds = cpuTime() - cpuStart
  if (tickets.length === 0) throw new Error('nothing to take after reopening')
  await frontier.close()
  return { openSeconds, openCpuSeconds, closedDiskBytes: diskBytes() }
}

/** Offers links until so many are known; the rate over the last fifth of them, and over all. */
async function offerAll(frontier, wantedKnown) {
  const [seconds, cpuSeconds] = [[], []]
  let [known, total] = [0, 0]
  while (known < wantedKnown && total < limitSeconds) {
    const { links, fresh } = batch(known)
    const [start, cpuStart] = [performance.now(), cpuTime()]
    const added = await frontier.offer(links)
    const took = (performance.now() - start) / 1000
    cpuSeconds.push(cpuTime() - cpuStart)
    if (added !== fresh) throw new Error(`${added} of a batch were new instead of ${fresh}, after ${known}`)
    seconds.push(took)
    total += took
    known += fresh
    if (known % PROGRESS === 0) console.error(`${known.toLocaleString('en-US')} known after ${total.toFixed(0)} s`)
  }
  const rate = list => (list.length * BATCH) / list.reduce((sum, value) => sum + value, 0)
  const lastFifth = list => list.slice(-Math.ceil(list.length / 5))
  return {
    known,
    offersPerSecond: rate(lastFifth(seconds)),
    offersPerCpuSecond: rate(lastFifth(cpuSeconds)),
    allOffersPerSecond: rate(seconds),
    longestOfferMs: 1000 * seconds.reduce((longest, value) => Math.max(longest, value)),
  }
}

/** Takes and settles so many links, as done, without new links or delay. */
async function visit(frontier, wantedVisits) {
  let [visited, seconds, cpuSeconds] = [0, 0, 0]
  while (visited < wantedVisits && seconds < limitSeconds) {
    nowMs += 1000
    const [start, cpuStart] = [performance.now(), cpuTime()]
    const { tickets } = await frontier.take(atOnce)
    const settlements = tickets.map(({ id }) => ({ ticketId: id, ...VISITED }))
    await frontier.settle(settlements)
    seconds += (performance.now() - start) / 1000
    cpuSeconds += cpuTime() - cpuStart
    if (tickets.length !== atOnce) throw new Error(`took ${tickets.length} instead of ${atOnce}`)
    if (new Set(tickets.map(ticket => ticket.host)).size !== tickets.length) throw new Error('a host was leased twice')
    visited += tickets.length
  }
  return { visited, perSecond: visited / seconds, perCpuSecond: visited / cpuSeconds }
}

/** Seconds that the processor has worked for this process, in all its threads: on a busy machine, the fairer measure. */
function cpuTime() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** Before the peer is opened; after the making of links has brought V8's young generation to its full size. */
async function emptyProcessBytes() {
  let bytes = 0
  for (let pass = 0; pass < 3; pass++) {
    for (let known = 0; known < 400_000; known += batch(known).fresh);
    bytes = await memoryBytes()
  }
  return bytes
}

/** What the process holds when the garbage is gone. */
async function memoryBytes() {
  for (let i = 0; i < 4; i++) {
    globalThis.gc()
    await sleep(50)
  }
  return memoryKib(process.pid, 'VmRSS') * 1024
}

/** Space on the disk, in whole blocks. */
function diskBytes() {
  return Number(execFileSync('du', ['-s', '-B1', folder], { encoding: 'utf8' }).split('\t')[0])
}
