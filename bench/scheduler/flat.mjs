// Does memory stay flat? A million URLs are added and scheduled again and again, by one process that reads a pipe; once
// all of them leave each round, once a part of them stays, so that texts must be moved together.
//   npm run bench:flat -- [--rounds 100] [--urls 1000000]
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, existsSync, mkdirSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { escalona } from '../measured.mjs'
import { finish, memoryKib, option } from '../tools.mjs'

const rounds = Number(option('rounds', 100))
const urls = Number(option('urls', 1_000_000))
const work = join(tmpdir(), 'escalona-bench-scheduler')
mkdirSync(work, { recursive: true })

/** One of four loads, of other URLs on partly the same hosts, without the commands at its end. */
function loadFile(round) {
  const file = join(work, `flat-${urls}-${round % 4}.txt`)
  if (!existsSync(file)) {
    const load = fileURLToPath(new URL('load.mjs', import.meta.url))
    execFileSync('node', [load, `${file}.tmp`, String(urls), String(urls / 50), 'zipf', 'simple', String(round % 4)])
    const lines = execFileSync('grep', ['-a', '-c', '', `${file}.tmp`], { encoding: 'utf8' })
    execFileSync('sh', ['-c', `head -n ${Number(lines) - 3} "$0" > "$1"`, `${file}.tmp`, `${file}.cut`])
    renameSync(`${file}.cut`, file)
  }
  return file
}

async function feed(child, bytes) {
  if (!child.stdin.write(bytes)) await once(child.stdin, 'drain')
}

async function run(lastCommand) {
  const child = spawn('node', [escalona, '-', '-o', '/dev/null', '-q'], { stdio: ['pipe', 'ignore', 'inherit'] })
  const mb = []
  for (let round = 1; round <= rounds; round++) {
    for await (const part of createReadStream(loadFile(round), { highWaterMark: 1 << 20 })) await feed(child, part)
    await feed(child, `${lastCommand}\n`)
    mb.push(memoryKib(child.pid, 'VmRSS') / 1024)
    if (round % 10 === 0 || round === 1) console.log(`${lastCommand}: round ${round}, ${mb.at(-1).toFixed(0)} MB`)
  }
  child.stdin.end()
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`escalona ended with ${code}`)
  return mb
}

const figures = {}
for (const [name, lastCommand] of [
  ['all leave', 'ESCALONA_TUDO'],
  ['some stay', `ESCALONA ${Math.floor(urls * 0.83)}`],
]) {
  const mb = await run(lastCommand)
  const most = part => Math.max(...part)
  const [early, late] = [most(mb.slice(0, Math.ceil(rounds / 4))), most(mb.slice(-Math.ceil(rounds / 4)))]
  figures[name] = { rounds, mostMbInFirstQuarter: early, mostMbInLastQuarter: late, growth: late / early }
}
finish({ bench: 'flat', figures })
