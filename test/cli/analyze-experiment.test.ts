import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkLog } from '../analysis/check-log.ts'
import { naiveHistogram } from '../analysis/naive-stack.ts'
import { escalona, temporaryFolder } from './run-cli.ts'

interface ExperimentFile {
  readonly version: number
  readonly originalFigure: { strategy: string; points: [number, number][]; growth: { exponent: number } }[]
  readonly series: { scenario: string; strategy: string; command: string; points: [number, number][] }[]
  readonly original: { hostOfEachUrl: number[]; histogram: number[][]; totals: object[] }
}

test('issue 5: a quick experiment times every command, scenario and strategy, and studies the original load', t => {
  const cwd = temporaryFolder(t)
  const ending = escalona(['experiment', '--quick', '-o', 'ex'], { cwd })
  assert.equal(ending.code, 0, ending.stderr)
  const files = readdirSync(join(cwd, 'ex'))
  const figures = JSON.parse(readFileSync(join(cwd, 'ex/experiment.json'), 'utf8')) as ExperimentFile
  assert.equal(figures.series.length, 3 * 3 * 8)
  for (const { scenario, strategy, command, points } of figures.series) {
    assert.equal(points.length, 3, `${scenario} ${strategy} ${command}`)
    assert.ok(points.every(([n, seconds]) => n >= 300 && seconds > 0))
  }
  assert.deepEqual(
    figures.originalFigure.map(({ points }) => points.map(([n]) => n)),
    Array.from({ length: 3 }, () => [114, 214, 314, 414, 514]),
  )
  const log = checkLog(readFileSync(join(cwd, 'ex/original.log'), 'latin1'))
  assert.deepEqual(figures.original.histogram, naiveHistogram(log))
  assert.equal(figures.original.hostOfEachUrl.length, 26)
  for (const name of [
    'time-original',
    'time-commands-one-host',
    'time-strategies-many-hosts',
    'original-access-map-0',
  ]) {
    assert.ok(files.includes(`${name}.svg`), name)
    const svg = readFileSync(join(cwd, 'ex', `${name}.svg`), 'utf8')
    assert.ok(svg.startsWith('<svg') && !svg.includes('NaN'), name)
  }
  const page = readFileSync(join(cwd, 'ex/experiment.html'), 'utf8')
  for (const name of files.filter(file => file.endsWith('.svg'))) {
    assert.ok(page.includes(`id="${name.slice(0, -4)}"`), name)
  }
})

test('ours: wrong use of experiment is told', t => {
  const cwd = temporaryFolder(t)
  writeFileSync(join(cwd, 'file'), '')
  for (const [args, message] of [
    [['--quick', '--full'], /contradict/],
    [['-o', 'file/x', '--quick'], /cannot create file\/x/],
    [['extra'], /extra/],
  ] as const) {
    const { code, stderr } = escalona(['experiment', ...args], { cwd })
    assert.equal(code, 2)
    assert.match(stderr, message)
  }
  assert.match(escalona(['experiment', '--help']).stdout.toString(), /Usage: escalona experiment/)
})
