import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ORIGINAL_LOAD } from '../../src/analysis/original-load.ts'
import { checkLog } from '../analysis/check-log.ts'
import { naiveHistogram } from '../analysis/naive-stack.ts'
import { record } from '../analysis/record.ts'
import { escalona, temporaryFolder } from './run-cli.ts'

test('rule 4.4: analyze --json prints the histogram and the totals, also of a log from a pipe', t => {
  const cwd = temporaryFolder(t)
  const { log } = record(ORIGINAL_LOAD)
  writeFileSync(join(cwd, 'access.log'), log)
  const expected = naiveHistogram(checkLog(log))
  for (const ending of [
    escalona(['analyze', 'access.log', '--json'], { cwd }),
    escalona(['analyze', '-', '--json'], { cwd, stdin: log }),
  ]) {
    assert.equal(ending.code, 0, ending.stderr)
    assert.match(ending.stderr, /^escalona: [\d,]+ accesses of 12 structures analyzed, [\d.]+ s\n$/)
    const numbers = JSON.parse(ending.stdout.toString()) as {
      histogram: number[][]
      totals: object[]
      accesses: number
    }
    assert.deepEqual(numbers.histogram, expected)
    assert.equal(numbers.accesses, checkLog(log).length)
    assert.ok(numbers.totals.length > 20)
  }
  assert.deepEqual(readdirSync(cwd), ['access.log'])
})

test('rule 4.4: analyze writes one page that needs no network, and an SVG file a picture', t => {
  const cwd = temporaryFolder(t)
  writeFileSync(join(cwd, 'a<b>.log'), record(ORIGINAL_LOAD).log)
  const { code, stderr } = escalona(['analyze', 'a<b>.log', '-o', 'page.html', '--svg', 'figures/all'], { cwd })
  assert.equal(code, 0, stderr)
  const page = readFileSync(join(cwd, 'page.html'), 'utf8')
  assert.ok(page.startsWith('<!doctype html>'))
  const outside = page.replace(/(<script[^>]*>)[\s\S]*?<\/script>/g, '$1')
  assert.equal(outside.match(/<script/g)?.length, 3)
  assert.doesNotMatch(outside, /\bsrc=|href="(?!#access-map-\d+")|url\(|@import/)
  assert.ok(page.includes("default-src 'none'"))
  assert.ok(page.includes('a&lt;b&gt;.log') && !page.includes('a<b>.log'))
  assert.ok(page.includes('list of host 3') && page.includes('texts of host 5') && page.includes('ESCALONA_TUDO'))
  const figures = readdirSync(join(cwd, 'figures/all'))
  assert.equal(figures.filter(name => /^access-map-\d+\.svg$/.test(name)).length, 12)
  assert.equal(figures.filter(name => /^stack-distance-\d-\d+\.svg$/.test(name)).length, 26)
  for (const name of figures) {
    const svg = readFileSync(join(cwd, 'figures/all', name), 'utf8')
    assert.match(svg, /^<svg [^>]*width="\d+"[\s\S]*<\/svg>$/)
    assert.doesNotMatch(svg, /NaN|undefined/)
  }
})

test('analyze: of more than 20 structures, the ten busiest have access maps; --all draws every one', t => {
  const cwd = temporaryFolder(t)
  const times = Array.from({ length: 30 }, (_, id) => Array(id === 3 ? 50 : id + 1).fill(id) as number[]).flat()
  const lines = times.map((id, n) => `L 0 ${n + 2} ${id} 0.1 ${8 + id * 8} 4`)
  writeFileSync(join(cwd, 'many.log'), ['I 1 0.1', ...lines, `F ${times.length + 2} 0.9 0.9`, ''].join('\n'))
  const maps = (...more: string[]) => {
    const { code, stderr } = escalona(['analyze', 'many.log', '-o', 'page.html', '--svg', 'svg', ...more], { cwd })
    assert.equal(code, 0, stderr)
    return readdirSync(join(cwd, 'svg')).filter(name => name.startsWith('access-map')).length
  }
  assert.equal(maps(), 10)
  const page = readFileSync(join(cwd, 'page.html'), 'utf8')
  const ids = [...page.matchAll(/<div class="chart" id="access-map-(\d+)"/g)].map(([, id]) => Number(id))
  assert.deepEqual(ids, [3, 21, 22, 23, 24, 25, 26, 27, 28, 29])
  assert.match(page, /the 10 busiest of 30 structures; escalona analyze --all/)
  assert.equal(maps('--all'), 30)
})

test('ours: a mistake in the log is told with file and line, exit code 1, and nothing is written', t => {
  const cwd = temporaryFolder(t)
  writeFileSync(join(cwd, 'access.log'), 'I 1 0.1\nL 0 2 0 0.1 8 4\nnonsense\n')
  const { code, stderr } = escalona(['analyze', 'access.log'], { cwd })
  assert.equal(code, 1)
  assert.match(stderr, /^access\.log:3: a line begins with L, E or F, not with "nonsense"\n$/)
  assert.deepEqual(readdirSync(cwd), ['access.log'])
})

test('ours: a log that is cut off is analyzed, and that is told', t => {
  const cwd = temporaryFolder(t)
  writeFileSync(join(cwd, 'access.log'), 'I 1 0.1\nL 0 2 0 0.1 8 4\n')
  const { code, stderr } = escalona(['analyze', 'access.log'], { cwd })
  assert.equal(code, 0)
  assert.match(stderr, /access\.log is cut off/)
  assert.ok(readFileSync(join(cwd, 'analysis.html'), 'utf8').includes('The log is cut off'))
})

test('ours: wrong use is told', t => {
  const cwd = temporaryFolder(t)
  writeFileSync(join(cwd, 'access.log'), 'I 1 0.1\nF 2 0.1 0.1\n')
  for (const [args, message] of [
    [[], /analyze needs a LOG/],
    [['access.log', 'b.log'], /one LOG at a time; remove b\.log/],
    [['access.log', '-o', './access.log'], /is the log itself/],
    [['missing.log'], /cannot read missing\.log/],
    [['access.log', '--svg', 'access.log/x'], /cannot create access\.log\/x/],
    [['access.log', '--what'], /--what/],
  ] as const) {
    const { code, stderr } = escalona(['analyze', ...args], { cwd })
    assert.equal(code, 2, args.join(' '))
    assert.match(stderr, message)
  }
  assert.equal(existsSync(join(cwd, 'analysis.html')), false)
  assert.match(escalona(['analyze', '--help']).stdout.toString(), /Usage: escalona analyze LOG/)
})
