// Breaks the collector and the frontier on purpose, one small change at a time, and sees whether a test notices:
//   node scripts/mutate.mjs [--list] [--only WORDS]…
// The changes are in mutants.mjs. Two of them are tried at a time, each in its own copy of the compiled tree, so neither the
// sources nor build/ are touched. The exit code is 1 when fewer than 95 % are noticed, and 2 when nothing can be tried.
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'
import { compileKernels, compilePage, compileTypeScript, copyLua } from './compile.mjs'
import { MUTANTS, SUITES } from './mutants.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const LANES = 2
const LEAST_KILLED = 0.95
/** A mutant hangs when its tests take so many times as long as without it, and so much more. */
const PATIENCE = 5
const PATIENCE_MS = 30_000
/** Without mutants, tests take at most this. */
const LONGEST_MS = 180_000
const ESBUILD = {
  loader: 'ts',
  format: 'esm',
  target: 'es2023',
  tsconfigRaw: { compilerOptions: { target: 'es2023' } },
}

const args = process.argv.slice(2)
const words = args.flatMap((arg, at) => (args[at - 1] === '--only' ? [arg] : []))
const wanted = MUTANTS.filter(
  ({ name, file }) => words.length === 0 || words.some(word => `${file} ${name}`.includes(word)),
)
/** The sources as they were at the start: whoever changes them meanwhile changes nothing here. Those that are gone are missing. */
const sources = new Map(
  [...new Set(MUTANTS.map(({ file }) => file))]
    .filter(file => existsSync(join(root, 'src', file)))
    .map(file => [file, readFileSync(join(root, 'src', file), 'utf8')]),
)
const faults = MUTANTS.flatMap(faultsOf)
if (faults.length > 0 || wanted.length === 0) {
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) console.error('no mutant was tried; correct the list in scripts/mutants.mjs first')
  if (wanted.length === 0) console.error(`no mutant is called ${words.join(' or ')}; --list shows all of them`)
  process.exit(2)
}
if (args.includes('--list')) {
  for (const { name, file } of wanted) console.log(`${name.padEnd(48)} ${file}`)
  process.exit(0)
}

const folder = mkdtempSync(join(tmpdir(), 'escalona-mutate-'))
const running = new Set()
process.on('exit', () => {
  for (const child of running) endGroup(child)
  rmSync(folder, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(2))
process.exitCode = await main()

async function main() {
  const startMs = performance.now()
  const lanes = await buildLanes()
  const usualMs = await tryUnchanged(lanes)
  if (usualMs === undefined) return 2
  const results = await inLanes(lanes, wanted, (mutant, lane) => tryMutant(mutant, lane, usualMs))
  const survived = results.filter(({ killer }) => killer === undefined).map(({ name }) => name)
  const killed = results.length - survived.length
  const minutes = (performance.now() - startMs) / 60_000
  console.log(`\n${killed} of ${results.length} mutants were killed, in ${minutes.toFixed(1)} minutes`)
  if (survived.length > 0) console.log(`survived: ${survived.join('; ')}`)
  console.log(JSON.stringify({ mutants: results.length, killed, survived, minutes: Number(minutes.toFixed(1)) }))
  return killed < results.length * LEAST_KILLED ? 1 : 0
}

/** What makes an entry of the list useless. */
function faultsOf({ name, file, find, put, tests }) {
  const source = sources.get(file)
  if (source === undefined) return [`${name}: src/${file} does not exist`]
  const count = source.split(find).length - 1
  const faults = []
  if (MUTANTS.filter(other => other.name === name).length > 1) faults.push('another mutant has the same name')
  if (count !== 1) faults.push(`its text occurs ${count} times in src/${file}, and must occur once: ${find}`)
  if (find === put) faults.push('it changes nothing')
  if (tests.length === 0 || tests.some(suite => SUITES[suite] === undefined)) faults.push('its tests are not in SUITES')
  return faults.map(fault => `${name}: ${fault}`)
}

/** The compiled tree, once for each lane. The tests find packages and package.json where they would in the repository. */
async function buildLanes() {
  const lanes = Array.from({ length: LANES }, (_, n) => join(folder, `lane-${n}`))
  const [first, ...others] = lanes
  const tsconfig = join(folder, 'tsconfig.json')
  const tests = [...new Set(suitesOf(wanted).map(suite => join(root, 'test', `${SUITES[suite].file}.test.ts`)))]
  const compilerOptions = {
    rootDir: root,
    outDir: join(first, 'build'),
    typeRoots: [join(root, 'node_modules/@types')],
  }
  const files = {
    include: [join(root, 'src'), ...tests],
    exclude: ['url/kernel', 'scheduler/kernel', 'archive/kernel', 'extract/kernel', 'server/page'].map(part =>
      join(root, 'src', part),
    ),
  }
  writeFileSync(tsconfig, JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, ...files }))
  mkdirSync(first)
  cpSync(join(root, 'package.json'), join(first, 'package.json'))
  compileTypeScript(tsconfig)
  compileKernels(room => join(first, 'build', 'src', room))
  copyLua(join(first, 'build', 'src', 'frontier', 'redis', 'engine'))
  await compilePage(join(first, 'build', 'src', 'server'))
  for (const lane of others) cpSync(first, lane, { recursive: true })
  for (const lane of lanes) {
    symlinkSync(join(root, 'node_modules'), join(lane, 'node_modules'))
    mkdirSync(join(lane, 'tmp'))
  }
  return lanes
}

function suitesOf(mutants) {
  return [...new Set(mutants.flatMap(({ tests }) => tests))]
}

/** How long each suite takes without a mutant, in milliseconds; undefined when one of them fails. */
async function tryUnchanged(lanes) {
  console.log('without a mutant:')
  const runs = await inLanes(lanes, suitesOf(wanted), async (suite, lane) => {
    const run = { suite, ...(await runSuite(suite, lane, LONGEST_MS)) }
    console.log(`  ${run.failure === undefined ? 'passed' : 'FAILED'} ${seconds(run.ms)} ${suite} ${run.failure ?? ''}`)
    return run
  })
  if (runs.every(({ failure }) => failure === undefined)) return new Map(runs.map(({ suite, ms }) => [suite, ms]))
  console.error('the tests fail without any mutant; mend them first')
  return undefined
}

/** Changes one file of a lane, runs its tests until one fails, and puts the file back. */
async function tryMutant({ name, file, find, put, tests }, lane, usualMs) {
  const compiled = join(lane, 'build', 'src', file.replace(/\.ts$/, '.js'))
  const before = readFileSync(compiled)
  const startMs = performance.now()
  let killer
  const changed = sources.get(file).replace(find, () => put)
  writeFileSync(compiled, file.endsWith('.ts') ? compiledBy(changed) : changed)
  try {
    for (const suite of tests) {
      const { failure, hasBegun } = await runSuite(suite, lane, usualMs.get(suite) * PATIENCE + PATIENCE_MS)
      // A change that can't be loaded says nothing about the tests.
      if (!hasBegun) throw new Error(`${name}: no test of ${suite} began; change the mutant`)
      if (failure === undefined) continue
      killer = `${suite}: ${failure}`
      break
    }
  } finally {
    writeFileSync(compiled, before)
  }
  const verdict = killer === undefined ? 'SURVIVED' : 'killed  '
  console.log(`${verdict} ${seconds(performance.now() - startMs)} ${name}${killer === undefined ? '' : ` | ${killer}`}`)
  return { name, killer }
}

/** As `tsc` would, with `rewriteRelativeImportExtensions`. */
function compiledBy(source) {
  const { code } = transformSync(source, ESBUILD)
  return code.replace(/((?:from|import) ?\(?['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2')
}

/** Runs the tests of a suite until the first that fails, whose name is returned. */
function runSuite(suite, lane, mostMs) {
  const { file, only, env } = SUITES[suite]
  const flags = [
    '--max-old-space-size=1500',
    '--test-reporter=tap',
    ...(only === undefined ? [] : [`--test-name-pattern=${only}`]),
  ]
  const startMs = performance.now()
  return new Promise(resolve => {
    const child = spawn(process.execPath, [...flags, join('build', 'test', `${file}.test.js`)], {
      cwd: lane,
      // Its own group, so that whatever the tests start ends with them.
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, ...env, TMPDIR: join(lane, 'tmp') },
    })
    let failure
    let hasBegun = false
    let output = ''
    const end = why => {
      failure ??= why
      endGroup(child)
    }
    running.add(child)
    const timer = setTimeout(() => {
      hasBegun = true
      end(`hangs for ${Math.round(mostMs / 1000)} s`)
    }, mostMs)
    child.stdout.setEncoding('utf8').on('data', text => {
      output += text
      hasBegun ||= /^ *(?:not )?ok /m.test(output)
      const name = /^ *not ok \d+ - (.*?)(?<! # (?:SKIP|TODO).*)$/m.exec(output)?.[1]
      if (name !== undefined) end(name)
      output = output.slice(output.lastIndexOf('\n') + 1)
    })
    child.on('close', code => {
      clearTimeout(timer)
      if (code !== 0) failure ??= `ends with code ${code}`
      end(undefined)
      running.delete(child)
      resolve({ failure, hasBegun, ms: performance.now() - startMs })
    })
  })
}

/** Ends what a suite has started, and the suite. */
function endGroup({ pid }) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

/** Does something with each item, as many at a time as there are lanes. Returns what came of it, in order. */
async function inLanes(lanes, items, work) {
  const results = []
  let next = 0
  await Promise.all(
    lanes.map(async lane => {
      while (next < items.length) {
        const at = next++
        results[at] = await work(items[at], lane)
      }
    }),
  )
  return results
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1).padStart(6)} s`
}
