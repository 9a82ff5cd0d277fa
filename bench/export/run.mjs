// How many pages per core does the export read back, with text and links, beside FastWARC and Resiliparse doing the same job?
// Processor time counts, of all threads: what else the machine does changes little.
//   npm run bench:export -- [--pages 6000] [--rounds 5] [--alone]
//   --alone: without FastWARC and Resiliparse
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { escalona } from '../measured.mjs'
import { finish, median, option, timed } from '../tools.mjs'
import { makeCrawl } from './crawl-folder.mjs'
import { realPages } from './debian-pages.mjs'

const rounds = Number(option('rounds', '5'))
const cache = join(tmpdir(), 'escalona-bench-export')
const crawl = join(cache, 'crawl')
const out = join(cache, 'out')
const peer = fileURLToPath(new URL('peer_resiliparse.py', import.meta.url))

mkdirSync(cache, { recursive: true })
const isAlone = process.argv.includes('--alone')
const python = isAlone ? undefined : pythonWithPeers()
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
  if (isAlone) delete commands.resiliparse
  const ms = { escalona: [], resiliparse: [] }
  for (let round = 0; round < rounds; round++) {
    for (const [name, command] of Object.entries(commands)) {
      ms[name].push((1000 * (await timed(command)).cpuSeconds) / count)
    }
  }
  const [ours, theirs] = [median(ms.escalona), median(ms.resiliparse)]
  const beside = isAlone ? '' : `, FastWARC + Resiliparse ${theirs.toFixed(3)}, ratio ${(theirs / ours).toFixed(2)}`
  console.log(`${job}: ${ours.toFixed(3)}${beside}`)
  figures[job] = { escalonaMs: ours, ...(!isAlone && { resiliparseMs: theirs, ratio: theirs / ours }) }
}
rmSync(crawl, { recursive: true })
finish({ bench: 'export', corpus: { kind, pages: count, bytes }, ...figures })

function* counted(pages) {
  for (const page of pages) {
    bytes += page.body.length
    yield page
  }
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
