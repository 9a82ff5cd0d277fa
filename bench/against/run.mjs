// Has anything become slower or bigger since a commit? Every benchmark of this tree measures the build of that commit and the one of this
// tree, in turn. Ratios, above 1 is better: twice as many pages per second are 2, and so is half the time or half the memory.
//   npm run bench:against -- COMMIT [--only scheduler,crawl] [--rounds 3] [--quick]
//   --quick: small sizes; all of them in about 20 minutes on 2 cores
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { finish, option } from '../tools.mjs'
import { BENCHES } from './benches.mjs'
import { compared, figuresOf } from './compare.mjs'
import { otherCommit } from './other-commit.mjs'

/** Below this a figure is named at the end. */
const LEAST = 0.97

const [name] = process.argv.slice(2)
const rounds = Number(option('rounds', 3))
const size = process.argv.includes('--quick') ? 'quick' : 'usual'
const only = option('only', Object.keys(BENCHES).join()).split(',')
const unknown = only.filter(one => BENCHES[one] === undefined)
if (unknown.length > 0) throw new Error(`no such benchmark: ${unknown}. There are ${Object.keys(BENCHES)}`)
if (name === undefined || name.startsWith('--')) throw new Error('which commit? npm run bench:against -- COMMIT')
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

const bench = fileURLToPath(new URL('..', import.meta.url))
const { tree, commit } = otherCommit(name)
// Some machines name more certificates: reading them is a third of the start of Node, and none of ours.
const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env
const trees = { before: tree, after: join(bench, '..') }
console.log(
  `this tree against ${commit.slice(0, 12)}; above 1 is better; median of the rounds, the least and the greatest`,
)
const results = {}
const failures = []
for (const one of only) {
  results[one] = compared(await measured(one), BENCHES[one])
  for (const row of results[one]) console.log(lineOf(one, row))
}

const rows = Object.entries(results).flatMap(([one, list]) => list.map(row => ({ bench: one, ...row })))
const namesOf = list => list.map(({ bench: one, figure }) => `${one}: ${figure}`)
const below = rows.filter(({ ratio }) => ratio < LEAST)
const summary = {
  below: below.map(row => ({ figure: namesOf([row])[0], ratio: row.ratio, least: row.least, most: row.most })),
  belowInEveryRound: namesOf(below.filter(({ most }) => most < LEAST)),
  notMeasuredBefore: namesOf(rows.filter(row => row.before === undefined)),
  notMeasuredAfter: namesOf(rows.filter(row => row.after === undefined)),
  failures,
}
console.log(`\n${rows.filter(({ ratio }) => ratio !== undefined).length} figures, ${below.length} below ${LEAST}:`)
for (const row of below) console.log(lineOf(row.bench, row))
for (const words of failures) console.log(words)
finish({ bench: 'against', commit, size, rounds, ratios: ratiosOf(results), ...summary })

/** The figures of both builds, round by round. The order alternates, so that a machine that gets slower favours neither. */
async function measured(one) {
  const list = []
  const { rounds: most = rounds } = BENCHES[one]
  for (let round = 0; round < Math.min(rounds, most); round++) {
    const figures = {}
    for (const side of round % 2 === 0 ? ['before', 'after'] : ['after', 'before']) figures[side] = await run(one, side)
    list.push(figures)
  }
  return list
}

/** One run of a benchmark on one of the builds; undefined, and a failure, when it could not be run to its end. */
async function run(one, side) {
  const { file, [size]: args } = BENCHES[one]
  const startMs = performance.now()
  const child = spawn(
    process.execPath,
    ['--expose-gc', join(bench, file), ...args.split(' ').filter(word => word !== '')],
    { env: { ...environment, ESCALONA_BENCH_TREE: trees[side] }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const end = () => child.kill('SIGTERM')
  process.on('exit', end)
  let [output, errors] = ['', '']
  child.stdout.on('data', text => (output += text))
  child.stderr.on('data', text => (errors = `${errors}${text}`.slice(-5000)))
  await new Promise(resolve => child.on('close', resolve))
  process.off('exit', end)
  console.error(`${one}, ${side}: ${((performance.now() - startMs) / 1000).toFixed(0)} s`)
  try {
    return figuresOf(JSON.parse(output.trim().split('\n').at(-1)), BENCHES[one])
  } catch {
    const why = errors.split('\n').find(line => /^\w*Error/.test(line)) ?? errors.trim().split('\n').at(-1)
    failures.push(`${one} could not be run ${side === 'before' ? `on ${commit.slice(0, 12)}` : 'on this tree'}: ${why}`)
  }
}

function lineOf(one, { figure, before, after, ratio, least, most }) {
  const cell = value => (value === undefined ? '–' : value.toPrecision(3)).padStart(10)
  const spread =
    ratio === undefined ? 'not measured on both' : `${ratio.toFixed(2)}  (${least.toFixed(2)} to ${most.toFixed(2)})`
  return `${`${one}: ${figure}`.padEnd(62)}${cell(before)}${cell(after)}   ${spread}`
}

function ratiosOf(all) {
  const pairs = list => list.flatMap(({ figure, ratio }) => (ratio === undefined ? [] : [[figure, ratio]]))
  return Object.fromEntries(Object.entries(all).map(([one, list]) => [one, Object.fromEntries(pairs(list))]))
}
