// How `npm run bench:against` compares the figures of two builds.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { ROOT } from './packed.ts'

interface Row {
  readonly figure: string
  readonly before: number | undefined
  readonly after: number | undefined
  readonly ratio?: number
}
type Figures = Readonly<Record<string, number>>
interface Compare {
  figuresOf(line: unknown, names: object): Figures
  compared(rounds: readonly { before?: Figures | undefined; after?: Figures | undefined }[], names: object): Row[]
}

const { figuresOf, compared } = (await import(
  pathToFileURL(join(ROOT, 'bench', 'against', 'compare.mjs')).href
)) as Compare
const NAMES = { less: ['seconds', 'ours.us'], more: ['pagesPerSecond'] }

test('benchmarks: above 1 is better, for rates as for times', () => {
  const before = { 'z1m.seconds': 2, pagesPerSecond: 100 }
  const after = { 'z1m.seconds': 1, pagesPerSecond: 50 }
  const rows = compared([{ before, after }], NAMES)
  assert.deepEqual(
    rows.map(({ figure, ratio }) => [figure, ratio]),
    [
      ['z1m.seconds', 2],
      ['pagesPerSecond', 0.5],
    ],
  )
})

test('benchmarks: a figure that one build does not have has no ratio, and is undefined there', () => {
  const [row] = compared([{ before: {}, after: { 'z1m.seconds': 1 } }], NAMES)
  assert.deepEqual(row, { figure: 'z1m.seconds', before: undefined, after: 1 })
  const [failed] = compared([{ before: undefined, after: { 'z1m.seconds': 1 } }], NAMES)
  assert.deepEqual(failed, row)
})

test('benchmarks: of two rounds the mean counts, not the better one', () => {
  const rounds = [1, 4].map(seconds => ({ before: { seconds: 2 }, after: { seconds } }))
  assert.deepEqual(compared(rounds, NAMES)[0], {
    figure: 'seconds',
    before: 2,
    after: 2.5,
    ratio: 1.25,
    least: 0.5,
    most: 2,
  })
})

test('benchmarks: only figures that are named count, at any depth, and sizes do not', () => {
  const line = {
    runs: 3,
    z: { seconds: 1, known: 5 },
    ours: { us: 7 },
    theirs: { us: 8 },
    pagesPerSecond: { escalona: 9 },
  }
  assert.deepEqual(figuresOf(line, NAMES), { 'z.seconds': 1, 'ours.us': 7, 'pagesPerSecond.escalona': 9 })
})
