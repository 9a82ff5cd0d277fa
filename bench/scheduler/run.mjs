// How fast is the scheduler, and how much memory does it need? Two C++ programs and Escalona on the same loads, on one
// core, and Escalona also on two, in turn; equal outputs are checked; ratios count.
//   npm run bench:scheduler -- [--runs 5] [--only z100k,z1m] [--strategy depth] [--alone]
//   --alone: without the C++ programs
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { escalona } from '../measured.mjs'
import { finish, median, needs, option, timed } from '../tools.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const runs = Number(option('runs', 5))
const only = option('only')?.split(',')
const isAlone = process.argv.includes('--alone')
const strategies = option('strategy', 'depth,breadth,best').split(',')

if (!isAlone) needs('g++', 'g++')
needs('taskset', 'util-linux')
const work = join(tmpdir(), 'escalona-bench-scheduler')
mkdirSync(work, { recursive: true })
const PEERS = isAlone ? {} : { engineer: ['-O2'], tuned: ['-O3', '-march=native'] }
for (const [name, flags] of Object.entries(PEERS)) {
  const [source, binary] = [join(here, `${name}.cpp`), join(work, name)]
  if (existsSync(binary) && statSync(binary).mtimeMs > statSync(source).mtimeMs) continue
  execFileSync('g++', ['-std=c++17', ...flags, '-o', binary, source])
}

/** URLs, hosts, kind, commands; see load.mjs. */
const LOADS = {
  z100k: [100_000, 1_000],
  z1m: [1_000_000, 20_000],
  z5m: [5_000_000, 100_000],
  one1m: [1_000_000, 1, 'one'],
  uniq1m: [1_000_000, 1_000_000, 'uniq'],
  mix1m: [1_000_000, 20_000, 'zipf', 'mixed'],
  z10m: [10_000_000, 200_000],
}
const unknown = only?.filter(name => !(name in LOADS)) ?? []
if (unknown.length > 0) throw new Error(`no load ${unknown}; there are ${Object.keys(LOADS).join(', ')}`)

/** Too long for every run: only when it is asked for by name. */
const LONG = ['z10m']
function loadFile(name) {
  const file = join(work, `${name}.txt`)
  if (!existsSync(file)) {
    execFileSync('node', [join(here, 'load.mjs'), `${file}.tmp`, ...LOADS[name].map(String)])
    renameSync(`${file}.tmp`, file)
  }
  return file
}

const [ONE_CORE, BOTH_CORES] = ['0', '0,1']
const runPeer = name => (strategy, input, output) => [join(work, name), input, output, strategy]
const runScript = (strategy, input, output) => ['node', escalona, 'run', input, '-e', strategy, '-o', output, '-q']
const programs = {
  ...Object.fromEntries(Object.keys(PEERS).map(name => [name, { cores: ONE_CORE, command: runPeer(name) }])),
  escalona: { cores: ONE_CORE, command: runScript },
  'both cores': { cores: BOTH_CORES, command: runScript },
}
const digest = file => createHash('sha1').update(readFileSync(file)).digest('hex')

const figures = {}
console.log('load    strategy  program     seconds    MB   speed vs engineer   speed vs tuned   memory vs tuned')
for (const name of Object.keys(LOADS)) {
  if (only === undefined ? LONG.includes(name) : !only.includes(name)) continue
  // The C++ programs begin each command's turn at the first host: only loads with one ESCALONA_TUDO compare.
  for (const strategy of name.startsWith('z') ? strategies : ['depth']) {
    const input = loadFile(name)
    const results = {}
    const digests = new Set()
    for (let run = 0; run < (name === 'z5m' ? Math.min(runs, 3) : runs); run++) {
      for (const [program, { cores, command }] of Object.entries(programs)) {
        const output = join(work, `${program}.out`)
        rmSync(output, { force: true })
        const result = await timed(command(strategy, input, output), cores)
        if (run === 0) digests.add(digest(output))
        results[program] ??= []
        results[program].push(result)
      }
    }
    if (digests.size !== 1) throw new Error(`${name} ${strategy}: the outputs differ`)
    const of = (program, figure) => median((results[program] ?? []).map(result => result[figure]))
    const seconds = program => of(program, 'seconds')
    const mb = program => of(program, 'peakMb')
    for (const program of Object.keys(programs)) {
      const row = {
        seconds: seconds(program),
        cpuSeconds: of(program, 'cpuSeconds'),
        mb: mb(program),
        speedVsEngineer: seconds('engineer') / seconds(program),
        speedVsTuned: seconds('tuned') / seconds(program),
        memoryVsTuned: mb(program) / mb('tuned'),
      }
      if (program === 'escalona') figures[`${name} ${strategy}`] = row
      if (program === 'both cores') figures[`${name} ${strategy}, both cores`] = row
      const cells = [
        row.seconds.toFixed(2).padStart(8),
        row.mb.toFixed(0).padStart(5),
        row.speedVsEngineer.toFixed(2).padStart(19),
        row.speedVsTuned.toFixed(2).padStart(16),
        row.memoryVsTuned.toFixed(2).padStart(17),
      ]
      console.log(`${name.padEnd(7)} ${strategy.padEnd(9)} ${program.padEnd(10)} ${cells.join(' ')}`)
    }
  }
}
const time = (load, strategy) => figures[`${load} ${strategy}`]?.seconds
const [oneCore, bothCores] = [figures['z1m depth'], figures['z1m depth, both cores']]
finish({
  bench: 'scheduler',
  runs,
  figures,
  speedVsTunedOneCore: oneCore?.speedVsTuned,
  speedVsTunedBothCores: bothCores?.speedVsTuned,
  memoryVsTunedOneCore: oneCore?.memoryVsTuned,
  memoryVsTunedBothCores: bothCores?.memoryVsTuned,
  seconds100k: time('z100k', 'depth'),
  breadthVsDepth: time('z1m', 'breadth') / time('z1m', 'depth'),
  bestVsDepth: time('z1m', 'best') / time('z1m', 'depth'),
  growthPerUrl1mTo5m: time('z5m', 'depth') / 5 / time('z1m', 'depth'),
})
