// How fast is the frontier, how much memory and disk does a URL cost, and does that stay so with size? The same links for
// each peer, in a process of its own on one core; ratios count. Crawlee gets a time limit instead of a size.
//   npm run bench:frontier -- [--known 1000000,10000000] [--only escalona,sqlite,crawlee-memory,crawlee] [--runs 1]
//   --huge: also 50 million, Escalona alone; --giant: also 200 million, which takes 15 GB of disk and 6 GB of memory
import { spawn } from 'node:child_process'
import { closeSync, fsyncSync, mkdirSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { finish, median, needs, option } from '../tools.mjs'
import { benchFolder, installPeers, peerVersions } from './peers.mjs'

/** `limitSeconds`: for each phase; a peer with a limit is asked once, for as many links as it can. */
const PEERS = {
  escalona: { module: 'peer-escalona.mjs', keeps: true },
  'escalona-memory': { module: 'peer-escalona.mjs', keeps: false },
  sqlite: { module: 'peer-sqlite.mjs', keeps: true },
  crawlee: { module: 'peer-crawlee.mjs', keeps: true, limitSeconds: 20 },
  'crawlee-memory': { module: 'peer-crawlee.mjs', keeps: false, limitSeconds: 15 },
}
/** By option; without a folder, the texts would need too much memory. */
const BEYOND = { '--huge': 50_000_000, '--giant': 200_000_000 }
const TMPFS = 0x01021994

const sizes = option('known', '1000000,10000000').split(',').map(Number)
const names = option('only', Object.keys(PEERS).join()).split(',')
const runs = Number(option('runs', 1))
const beyond = Object.keys(BEYOND).flatMap(name => (process.argv.includes(name) ? [BEYOND[name]] : []))
const unknown = names.filter(name => PEERS[name] === undefined)
if (unknown.length > 0) throw new Error(`no such peer: ${unknown}. There are ${Object.keys(PEERS)}`)

needs('taskset', 'util-linux')
const foreign = names.some(name => !name.startsWith('escalona'))
if (foreign) installPeers()
mkdirSync(benchFolder, { recursive: true })
const data = mkdtempSync(join(benchFolder, 'data-'))
process.on('exit', () => rmSync(data, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

const fsyncMs = millisecondsAnFsync()
console.log(`${foreign ? peerVersions() : `Node ${process.versions.node}`}; one core`)
console.log(`64 kB written and fsynced in ${fsyncMs.toFixed(2)} ms in ${benchFolder}`)
if (statfsSync(benchFolder).type === TMPFS)
  console.log('That folder is in memory: fsync is free. Set TMPDIR to a disk.')

const figures = {}
console.log()
console.log(
  [
    'peer            ',
    '     known',
    ' offers/s',
    'take+settle/s',
    'same, done:     many',
    'memory B/URL',
    'disk B/URL: open closed',
    'reopen s: crash close',
  ].join('  '),
)
for (const known of sizes) for (const name of names) if (!limited(name)) await measure(name, known)
for (const known of beyond) if (names.includes('escalona')) await measure('escalona', known)
for (const name of names) if (limited(name)) await measure(name, Math.min(...sizes))

const ratios = comparisons()
console.log()
for (const [words, ratio] of Object.entries(ratios)) console.log(`${ratio.toFixed(2).padStart(9)}  ${words}`)
finish({ bench: 'frontier', runs, fsyncMs, figures, ratios })

function limited(name) {
  return PEERS[name].limitSeconds !== undefined
}

/** Runs a peer at a size as often as was asked for, and prints and keeps the medians. */
async function measure(name, known) {
  const results = []
  for (let run = 0; run < runs; run++) results.push(await measureOnce(PEERS[name], known))
  const row = {}
  for (const key of Object.keys(results[0])) row[key] = median(results.map(result => result[key]))
  figures[limited(name) ? name : `${name} ${known}`] = row
  const cell = (value, width, digits = 0) => (value === undefined ? '–' : value.toFixed(digits)).padStart(width)
  console.log(
    [
      name.padEnd(16),
      cell(row.known, 10),
      cell(row.offersPerSecond, 9),
      cell(row.visitsPerSecond, 13),
      `${cell(row.manyDone, 9)}: ${cell(row.manyDoneVisitsPerSecond, 9)}`,
      cell(row.memoryBytesAUrl, 12, 1),
      `${cell(row.diskBytesAUrl, 16, 1)} ${cell(row.closedDiskBytesAUrl, 6, 1)}`,
      `${cell(row.reopenAfterCrashSeconds, 15, 2)} ${cell(row.reopenSeconds, 5, 2)}`,
    ].join('  '),
  )
}

async function measureOnce({ module, keeps, limitSeconds = 1e9 }, known) {
  const folder = join(data, 'frontier')
  mkdirSync(folder)
  try {
    const figures = await child('fill', module, keeps ? folder : '-', known, limitSeconds)
    if (!keeps) return figures
    const afterCrash = await child('reopen', module, folder, known)
    const afterClose = await child('reopen', module, folder, known)
    return {
      ...figures,
      closedDiskBytesAUrl: afterCrash.closedDiskBytes / figures.known,
      reopenAfterCrashSeconds: afterCrash.openSeconds,
      reopenAfterCrashCpuSeconds: afterCrash.openCpuSeconds,
      reopenSeconds: afterClose.openSeconds,
      reopenCpuSeconds: afterClose.openCpuSeconds,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** One task of measure.mjs; its last line is what it has to say. */
function child(...args) {
  const script = fileURLToPath(new URL('measure.mjs', import.meta.url))
  const command = ['-c', '0', 'node', '--expose-gc', '--max-old-space-size=16000', script, ...args.map(String)]
  return new Promise((resolve, reject) => {
    const running = spawn('taskset', command, { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    running.stdout.on('data', text => (output += text))
    running.on('close', (code, signal) => {
      if (signal === 'SIGKILL' && output.endsWith('}\n')) resolve(JSON.parse(output.trim().split('\n').at(-1)))
      else reject(new Error(`${args.join(' ')} ended with ${signal ?? code}`))
    })
  })
}

/** What was to be shown, in words; a ratio is left out when one of its sides was not run. */
function comparisons() {
  const ratios = {}
  const ratio = (words, a, b, key) => {
    if (figures[a]?.[key] !== undefined && figures[b]?.[key] !== undefined)
      ratios[words] = figures[a][key] / figures[b][key]
  }
  const [smallest, biggest] = [Math.min(...sizes), Math.max(...sizes)]
  const [mine, inMemory, sqlite] = [`escalona ${biggest}`, `escalona-memory ${biggest}`, `sqlite ${biggest}`]
  for (const [what, key] of [
    ['offers/s', 'offersPerSecond'],
    ['take+settle/s', 'visitsPerSecond'],
    ['offers a second of the processor', 'offersPerCpuSecond'],
    ['take+settle a second of the processor', 'visitsPerCpuSecond'],
  ]) {
    ratio(`${what} of escalona to SQLite, ${biggest} known`, mine, sqlite, key)
    ratio(`${what} of escalona, ${biggest} known, to Crawlee persisted, far fewer known`, mine, 'crawlee', key)
    ratio(
      `${what} of escalona in memory, ${biggest} known, to Crawlee in memory, fewer known`,
      inMemory,
      'crawlee-memory',
      key,
    )
    for (const known of new Set([biggest, ...beyond]))
      if (smallest < known)
        ratio(`${what} of escalona, ${known} known to ${smallest}`, `escalona ${known}`, `escalona ${smallest}`, key)
  }
  for (const name of names) {
    const row = figures[limited(name) ? name : `${name} ${biggest}`]
    const words = `take+settle/s of ${name}, ${row.manyDone.toFixed()} done to few`
    ratios[words] = row.manyDoneVisitsPerSecond / row.visitsPerSecond
  }
  ratio('memory a URL of escalona to SQLite', mine, sqlite, 'memoryBytesAUrl')
  ratio('disk a URL of escalona to SQLite, closed', mine, sqlite, 'closedDiskBytesAUrl')
  return ratios
}

/** What a batch costs at least here. */
function millisecondsAnFsync() {
  const file = openSync(join(data, 'fsync'), 'w')
  const bytes = Buffer.alloc(65_536, 1)
  const times = []
  for (let i = 0; i < 50; i++) {
    const start = performance.now()
    writeSync(file, bytes)
    fsyncSync(file)
    times.push(performance.now() - start)
  }
  closeSync(file)
  return median(times)
}
