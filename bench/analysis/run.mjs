// How long does the analysis of ten million accesses take, and how much memory? Beside it, on a smaller log, the stack as
// its definition says; equal histograms are checked.
//   npm run bench:analysis -- [--accesses 10000000] [--runs 3]
import { execFileSync } from 'node:child_process'
import { closeSync, createReadStream, existsSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { escalona } from '../measured.mjs'
import { finish, median, needs, option, timed } from '../tools.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const accesses = Number(option('accesses', 10_000_000))
const runs = Number(option('runs', 3))
const SMALL = 50_000
/** What recording writes for a URL of `escalona generate`, at least. */
const ACCESSES_A_URL = 55

needs('taskset', 'util-linux')
const work = join(tmpdir(), 'escalona-bench-analysis')
mkdirSync(work, { recursive: true })

/** Real: what the scheduler did with a generated load, cut off at so many accesses. */
async function recorded(wanted) {
  const log = join(work, `recorded-${wanted}.log`)
  if (existsSync(log)) return log
  const [load, whole] = [join(work, 'load.txt'), join(work, 'whole.log')]
  const hosts = Math.ceil(wanted / ACCESSES_A_URL / 10)
  execFileSync('node', [escalona, 'generate', '-o', load, '-s', String(hosts), '-u', '10', '--quiet'])
  execFileSync('node', [escalona, load, '-l', whole, '-o', '/dev/null', '-q'])
  await firstLines(whole, wanted + 1, log)
  return log
}

async function firstLines(from, lines, to) {
  const fd = openSync(`${to}.tmp`, 'w')
  const part = []
  let left = lines
  for await (const line of createInterface({ input: createReadStream(from) })) {
    if (left-- === 0) break
    if (part.push(line, '\n') < 20_000) continue
    writeSync(fd, part.join(''))
    part.length = 0
  }
  writeSync(fd, part.join(''))
  closeSync(fd)
  renameSync(`${to}.tmp`, to)
}

/** The worst: one stack, half as many different words as accesses, in no order. */
function scattered(wanted) {
  const log = join(work, `scattered-${wanted}.log`)
  if (existsSync(log)) return log
  const fd = openSync(`${log}.tmp`, 'w')
  let state = 1
  let text = 'I 1 0.000000000\n'
  for (let i = 0; i < wanted; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    text += `L 0 ${i + 2} 0 0.${String(i).padStart(9, '0')} ${Math.floor((state / 2 ** 32) * (wanted / 2)) * 8} 8\n`
    if (text.length < 1 << 20) continue
    writeSync(fd, text)
    text = ''
  }
  writeSync(fd, `${text}F ${wanted + 2} 1.000000000 1.000000000\n`)
  closeSync(fd)
  renameSync(`${log}.tmp`, log)
  return log
}

const ours = log => ['node', escalona, 'analyze', log, '-o', join(work, 'page.html'), '-q']
const naive = log => ['node', join(here, 'naive.mjs'), log]
const histogram = command =>
  JSON.stringify(JSON.parse(execFileSync(command[0], command.slice(1), { maxBuffer: 1 << 30 })).histogram)

async function measured(commands) {
  const all = Object.fromEntries(Object.keys(commands).map(name => [name, []]))
  for (let run = 0; run < runs; run++) {
    for (const [name, command] of Object.entries(commands)) all[name].push(await timed(command))
  }
  return Object.fromEntries(
    Object.entries(all).map(([name, list]) => [
      name,
      Object.fromEntries(
        ['seconds', 'cpuSeconds', 'peakMb'].map(figure => [figure, median(list.map(one => one[figure]))]),
      ),
    ]),
  )
}

const figures = { accesses }
for (const [name, make] of Object.entries({ recorded, scattered })) {
  const [small, large] = [await make(SMALL), await make(accesses)]
  if (histogram([...ours(small).slice(0, 4), '--json', '-q']) !== histogram(naive(small))) {
    throw new Error(`${small}: the naive stack gives another histogram`)
  }
  const peers = await measured({ escalona: ours(small), naive: naive(small) })
  const { escalona: big } = await measured({ escalona: ours(large) })
  figures[name] = {
    ...big,
    small: { accesses: SMALL, ...peers, speedVsNaive: peers.naive.seconds / peers.escalona.seconds },
  }
  console.error(`${name}: ${accesses} accesses in ${big.seconds.toFixed(1)} s, ${big.peakMb.toFixed(0)} MB`)
}
finish(figures)
