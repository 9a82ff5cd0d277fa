import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Analysis, analyze, LogFile } from '../../src/analysis/analyze.ts'
import { BadLog } from '../../src/analysis/log-parser.ts'
import { ORIGINAL_LOAD } from '../../src/analysis/original-load.ts'
import { histogramRows, type StackTotal } from '../../src/analysis/stack-distances.ts'
import { temporaryFolder } from '../cli/run-cli.ts'
import { RandomSource, seeds } from '../model/random-source.ts'
import { checkLog } from './check-log.ts'
import { naiveHistogram } from './naive-stack.ts'
import { record } from './record.ts'

/** The analysis, with its rows and totals at hand. */
type Shown = Analysis & { readonly histogram: (readonly number[])[]; readonly totals: StackTotal[] }

async function analyzed(t: TestContext, text: string): Promise<Shown> {
  const analysis = await rawAnalysis(t, text)
  const totals = analysis.stacks.map(({ total }) => total)
  return { ...analysis, histogram: [...histogramRows(analysis.stacks)], totals }
}

async function rawAnalysis(t: TestContext, text: string): Promise<Analysis> {
  const path = join(temporaryFolder(t), 'access.log')
  writeFileSync(path, text, 'latin1')
  const log = await LogFile.open(path)
  try {
    const work = analyze(log)
    for (;;) {
      const { done, value } = work.next()
      if (done) return value
      assert.ok(value >= 0 && value <= 1)
    }
  } finally {
    log.close()
  }
}

function logOf(lines: readonly string[]): string {
  return ['I 1 5.000000000', ...lines, `F ${lines.length + 2} 6.000000000 1.000000000`, ''].join('\n')
}

test('rule 4.4: the histogram of random logs is that of a naive stack a phase and id', async t => {
  for (const seed of seeds(t, 12, 4)) {
    const random = new RandomSource(seed)
    const accesses = Array.from({ length: 3000 }, () => ({
      kind: random.pick(['L', 'E']),
      phase: random.below(8),
      id: random.chance(0.5) ? random.below(3) : 100 + random.below(2),
      address: 1_000_003 + random.below(seed % 2 === 0 ? 300 : 5000),
      bytes: 1 + random.below(64),
    }))
    const lines = accesses.map(
      ({ kind, phase, id, address, bytes }, i) => `${kind} ${phase} ${i + 2} ${id} 0.000000001 ${address} ${bytes}`,
    )
    const { histogram, totals, maps } = await analyzed(t, logOf(lines))
    assert.deepEqual(histogram, naiveHistogram(accesses), `ESCALONA_SEED=${seed}`)
    for (const { phase, id, accesses: n, total, firstTouches, reads, writes } of totals) {
      const rows: Shown['histogram'] = histogram.filter(row => row[0] === phase && row[1] === id)
      assert.equal(
        n,
        rows.reduce((sum, row) => sum + row[3]!, 0),
      )
      assert.equal(
        total,
        rows.reduce((sum, row) => sum + row[2]! * row[3]!, 0),
      )
      assert.equal(firstTouches, rows.find(row => row[2] === 0)?.[3])
      assert.equal(reads + writes, n)
    }
    const drawn = maps.flatMap(map => [...map.reads, ...map.writes]).reduce((sum, [, , n]) => sum + n, 0)
    assert.equal(drawn, accesses.length)
  }
})

test('rule 4.4: words are counted from the lowest address of the whole log', async t => {
  // 12 is the lowest; so 12 to 19 are one word, and 20 is in the next.
  const { histogram, lowestAddress } = await analyzed(
    t,
    logOf(['E 0 2 0 0.1 19 4', 'L 0 3 0 0.1 20 4', 'L 0 4 0 0.1 13 4', 'L 1 5 3 0.1 12 4']),
  )
  assert.equal(lowestAddress, 12)
  assert.deepEqual(histogram, [
    [0, 0, 0, 2],
    [0, 0, 2, 1],
    [1, 3, 0, 1],
  ])
})

test('rule 4.4: our own log of the original load is read', async t => {
  const { log } = record(ORIGINAL_LOAD)
  const analysis = await analyzed(t, log)
  assert.deepEqual(analysis.histogram, naiveHistogram(checkLog(log)))
  assert.deepEqual(
    analysis.bands.map(({ phase }) => phase),
    [0, 5, 1, 7],
  )
  assert.equal(analysis.isWhole, true)
})

test('ours: a log that was cut off is read as far as it goes; CRLF and unfilled nanoseconds are understood', async t => {
  const whole = await analyzed(t, logOf(['L 0 2 0 0.17 8 4', 'E 0 3 1 0.5 16 4']).replaceAll('\n', '\r\n'))
  const cut = await analyzed(t, 'I 1 5.7\nL 0 2 0 0.17 8 4\nE 0 3 1 0.5 16 4')
  assert.equal(cut.isWhole, false)
  assert.deepEqual(cut.histogram, whole.histogram)
  for (const torn of ['L', 'L 0 4', 'E 0 4 1 0.6 1', 'F 4 0.']) {
    const inALine = await analyzed(t, `I 1 5.7\nL 0 2 0 0.17 8 4\nE 0 3 1 0.5 16 4\n${torn}`)
    assert.equal(inALine.isWhole, false, torn)
    assert.deepEqual(inALine.histogram, whole.histogram, torn)
  }
})

test('ours: a log without accesses has nothing to tell', async t => {
  const { accesses, histogram, totals, maps, bands } = await analyzed(t, logOf([]))
  assert.deepEqual(
    { accesses, histogram, totals, maps, bands },
    { accesses: 0, histogram: [], totals: [], maps: [], bands: [] },
  )
})

test('ours: what is wrong in a log is told with its line', async t => {
  const good = 'L 0 2 0 0.1 8 4'
  for (const [text, line, message] of [
    ['', 1, /empty/],
    ['ADD_URLS 3\n', 1, /begins with I/],
    ['I 1 x\n', 1, /field 3 is not a number/],
    [logOf([good, 'X 0 3 0 0.1 8 4']), 3, /not with "X 0 3/],
    [logOf([good, 'L 0 3 0 0.1 8']), 3, /6 fields instead of 7/],
    [logOf([good, 'L 0 3 0 0.1 8 4 5']), 3, /more than 7 fields/],
    [logOf([good, 'L 0 3 0 0.1 -8 4']), 3, /field 6 is not a number/],
    [logOf([good, 'L 0 3 0 0.1 0x10 4']), 3, /field 6 is damaged/],
    [logOf([good, 'L 0 3 0.5 0.1 8 4']), 3, /field 4 is damaged/],
    [logOf([good, 'L 0 3 0 0.1 99999999999999999999 4']), 3, /field 6 is too large/],
    [logOf([good, 'L 5000 3 0 0.1 8 4']), 3, /no phase 5000/],
    [logOf([good, 'L 0 3 99999 0.1 8 4']), 3, /no id 99999/],
    [logOf([good, '']), 3, /L, E or F/],
    [logOf([good, 'I 3 0.1']), 3, /two logs/],
    [`${logOf([good])}${good}\n`, 4, /after the line F/],
    [logOf([good, `L 0 3 0 0.1 8 ${' '.repeat(3_000_000)}`]), 3, /does not end|not a number/],
    [logOf([good, '\x1b[31mL']), 3, /\\u\{1b\}/],
  ] as const) {
    await assert.rejects(analyzed(t, text), error => {
      assert.ok(error instanceof BadLog, String(error))
      assert.match(error.message, message)
      assert.equal(error.line, line, error.message)
      return true
    })
  }
})

test('ours: many accesses are counted in cells, all of them, inside the picture', async t => {
  const lines = Array.from(
    { length: 30_000 },
    (_, i) => `${i % 3 ? 'L' : 'E'} 0 ${i + 2} 0 0.1 ${4096 + ((i * 7919) % 90_001)} 4`,
  )
  const { maps } = await analyzed(t, logOf(lines))
  const map = maps[0]!
  assert.ok(map.cell !== undefined)
  const cells = [...map.reads, ...map.writes]
  assert.equal(
    cells.reduce((sum, [, , n]) => sum + n, 0),
    30_000,
  )
  for (const [n, address] of cells) {
    assert.ok(n >= 0 && n <= 30_000 + map.cell.accesses)
    assert.ok(address >= map.lowestAddress && address <= map.highestAddress + map.cell.bytes)
  }
})
