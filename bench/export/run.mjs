// How many pages per core does the export read back, with text and links, beside FastWARC and Resiliparse doing the same job?
// Processor time counts, of all threads: what else the machine does changes little. `--pages 6000`, `--rounds 5`.
//   npm run bench:export
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { finish, median, option } from '../tools.mjs'
import { makeCrawl } from './crawl-folder.mjs'
import { realPages } from './debian-pages.mjs'

const rounds = Number(option('rounds', '5'))
const cache = join(tmpdir(), 'escalona-bench-export')
const crawl = join(cache, 'crawl')
const out = join(cache, 'out')
const escalona = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const peer = fileURLToPath(new URL('peer_resiliparse.py', import.meta.url))

mkdirSync(cache, { recursive: true })
const python = pythonWithPeers()
const { kind, pages } = realPages(cache, Number(option('pages', '6000')))
let bytes = 0
const count = await makeCrawl(crawl, counted(pages))
console.log(
  `${count} pages (${kind}), ${(bytes / count / 1000).toFixed(1)} kB each; ms of the processor per page, median of ${rounds}`,
)

const jobs = {
  pages: {
    escalona: ['node', escalona, 'export', crawl, '--text', '-q', '--workers', '1', '-o', `${out}.jsonl`],
    resiliparse: [python, peer, join(crawl, 'archive'), 'pages', `${out}.peer`],
  },
  links: {
    escalona: ['node', escalona, 'export', crawl, '--table', 'links', '-q', '--workers', '1', '-o', `${out}.jsonl`],
    resiliparse: [python, peer, join(crawl, 'archive'), 'links', `${out}.peer`],
  },
}
const figures = {}
for (const [job, commands] of Object.entries(jobs)) {
  const ms = { escalona: [], resiliparse: [] }
  for (let round = 0; round < rounds; round++) {
    for (const [name, command] of Object.entries(commands)) ms[name].push((await cpuMs(command)) / count)
  }
  const [ours, theirs] = [median(ms.escalona), median(ms.resiliparse)]
  console.log(
    `${job}: ${ours.toFixed(3)}, FastWARC + Resiliparse ${theirs.toFixed(3)}, ratio ${(theirs / ours).toFixed(2)}`,
  )
  figures[job] = { escalonaMs: ours, resiliparseMs: theirs, ratio: theirs / ours }
}
rmSync(crawl, { recursive: true })
finish({ bench: 'export', corpus: { kind, pages: count, bytes }, ...figures })

function* counted(pages) {
  for (const page of pages) {
    bytes += page.body.length
    yield page
  }
}

/** User and system time of a command to its end, all threads. */
async function cpuMs(command) {
  const child = spawn('bash', ['-c', 'TIMEFORMAT="%U %S"; time "$@"', 'bash', ...command], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const errors = child.stderr.toArray()
  const code = await new Promise(resolve => child.on('close', resolve))
  const text = Buffer.concat(await errors)
    .toString()
    .trim()
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}\n${text}`)
  const [user, system] = text.split('\n').at(-1).split(' ').map(Number)
  return (user + system) * 1000
}

/** A Python with the peers, in an environment of its own. */
function pythonWithPeers() {
  const venv = join(cache, 'venv')
  const python = join(venv, 'bin', 'python')
  if (!existsSync(join(venv, 'installed'))) {
    console.error('installing FastWARC and Resiliparse …')
    run('python3', ['-m', 'venv', venv])
    run(python, ['-m', 'pip', 'install', '--quiet', 'fastwarc', 'resiliparse'])
    run('touch', [join(venv, 'installed')])
  }
  return python
}

function run(program, args) {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}\n${stderr}`)
}
