// Does memory stay flat? A million URLs are added and scheduled again and again; once all of them leave, once a part of
// them stays, so that texts must be moved together.
//   npm run bench:flat -- [--rounds 100] [--urls 1000000]
import { execFileSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runScript } from '../../dist/script/run-script.js'
import { finish, option } from '../tools.mjs'

const rounds = Number(option('rounds', 100))
const urls = Number(option('urls', 1_000_000))
const work = join(tmpdir(), 'escalona-bench-scheduler')
mkdirSync(work, { recursive: true })

/** Each round reads another load, of other URLs on partly the same hosts, and ends with other commands. */
function* rounded(lastCommand, rssMb) {
  for (let round = 1; round <= rounds; round++) {
    const file = join(work, `flat-${urls}-${round % 4}.txt`)
    if (!existsSync(file)) {
      const load = fileURLToPath(new URL('load.mjs', import.meta.url))
      execFileSync('node', [load, file, String(urls), String(urls / 50), 'zipf', 'simple', String(round)])
    }
    const fd = openSync(file, 'r')
    const end = Buffer.from('LISTA_HOSTS\nESCALONA_TUDO\nLIMPA_TUDO\n')
    let left = Buffer.alloc(0)
    for (;;) {
      const chunk = Buffer.alloc(1 << 18)
      const got = readSync(fd, chunk)
      if (got === 0) break
      left = Buffer.concat([left, chunk.subarray(0, got)])
      yield left.subarray(0, Math.max(0, left.length - end.length))
      left = left.subarray(Math.max(0, left.length - end.length))
    }
    closeSync(fd)
    yield Buffer.from(`${lastCommand}\n`)
    rssMb.push(process.memoryUsage.rss() / 1e6)
    if (round % 10 === 0 || round === 1) console.log(`${lastCommand}: round ${round}, ${rssMb.at(-1).toFixed(0)} MB`)
  }
}

function run(lastCommand) {
  const rssMb = []
  const parts = rounded(lastCommand, rssMb)
  let part = Buffer.alloc(0)
  const source = {
    read(buffer, offset, length) {
      while (part.length === 0) {
        const { done, value } = parts.next()
        if (done) return 0
        part = value
      }
      const got = part.copy(buffer, offset, 0, length)
      part = part.subarray(got)
      return got
    },
  }
  const sink = { write() {} }
  const onMistake = (line, message) => {
    throw new Error(`${line}: ${message}`)
  }
  const steps = runScript({ source, sink, strategy: 'depth', seed: [1, 2], onMistake, expectedBytes: urls * 66 })
  let step = steps.next()
  while (!step.done) step = steps.next()
  return { rssMb, counts: step.value.counts }
}

const figures = {}
for (const [name, lastCommand] of [
  ['all leave', 'ESCALONA_TUDO'],
  ['some stay', `ESCALONA ${Math.floor(urls * 0.83)}`],
]) {
  const { rssMb, counts } = run(lastCommand)
  const after10 = rssMb[Math.min(9, rounds - 1)]
  const last = rssMb.at(-1)
  figures[name] = { rounds, scheduled: counts.scheduled, mbAfter10: after10, mbAtEnd: last, growth: last / after10 }
}
finish({ bench: 'flat', figures })
