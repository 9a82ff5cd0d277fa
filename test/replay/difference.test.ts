import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chanceAt } from '../../src/base/random.ts'
import { commonRuns } from '../../src/replay/difference/common-runs.ts'
import { type DifferenceRow, textDifference } from '../../src/replay/difference/text-difference.ts'

/** The length of the longest common subsequence, the slow and certain way. */
function longestCommon(a: readonly number[], b: readonly number[]): number {
  let row = new Array<number>(b.length + 1).fill(0)
  for (const one of a) {
    const next = [0]
    for (const [j, other] of b.entries()) next.push(one === other ? row[j]! + 1 : Math.max(row[j + 1]!, next[j]!))
    row = next
  }
  return row.at(-1)!
}

test('ours: of random lists, common runs are common, in order, and as long as they can be', () => {
  for (let seed = 1; seed <= 400; seed++) {
    const chance = (n: number) => chanceAt(seed, n)
    const kinds = 1 + Math.floor(chance(1) * 12)
    const list = (from: number) =>
      Array.from({ length: Math.floor(chance(from) * 40) }, (_, i) => Math.floor(chance(from + 1 + i) * kinds))
    const [a, b] = [list(100), list(200)]
    const runs = commonRuns(a, b)
    let [before, after, common] = [0, 0, 0]
    for (const run of runs) {
      assert.ok(run.before >= before && run.after >= after && run.length > 0, `seed ${seed}`)
      assert.deepEqual(
        a.slice(run.before, run.before + run.length),
        b.slice(run.after, run.after + run.length),
        `seed ${seed}`,
      )
      before = run.before + run.length
      after = run.after + run.length
      common += run.length
    }
    assert.equal(common, longestCommon(a, b), `seed ${seed}`)
  }
})

test('ours: long lists with much change are compared between what occurs once, in little time', () => {
  const before = Array.from({ length: 20_000 }, (_, i) => i)
  const after = before.flatMap(i => (i % 10 === 0 ? [i + 100_000, i + 200_000] : [i]))
  const startMs = performance.now()
  const runs = commonRuns(before, after)
  const common = runs.reduce((sum, run) => sum + run.length, 0)
  assert.equal(common, 18_000)
  const strange = commonRuns(
    Array.from({ length: 20_000 }, (_, i) => i % 7),
    Array.from({ length: 20_000 }, (_, i) => (i * 3) % 11),
  )
  assert.ok(strange.length < 20_000)
  assert.ok(performance.now() - startMs < 5000)
})

function shown(rows: readonly DifferenceRow[]): string[] {
  const side = (pieces: readonly { text: string; isChanged: boolean }[]) =>
    pieces.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join(' ')
  return rows.map(row => {
    if (row.kind === 'skipped') return `… ${row.lines}`
    const before = 'before' in row ? side(row.before) : ''
    return row.kind === 'changed'
      ? `${before} | ${side(row.after)}`
      : row.kind === 'added'
        ? `+ ${side(row.after)}`
        : before
  })
}

test('difference: what changed is shown word by word, with a little of what did not', () => {
  const same = Array.from({ length: 10 }, (_, i) => `line ${i}`)
  const before = [...same, 'open from 9 to 18 hours', 'gone', ...same].join('\n')
  const after = [...same, 'open from 10 to 19 hours', ...same, 'fresh and new'].join('\n')
  const { rows, addedWords, removedWords, isCut } = textDifference(before, after)
  assert.deepEqual(shown(rows), [
    '… 8',
    'line 8',
    'line 9',
    'open from [9] to [18] hours | open from [10] to [19] hours',
    '[gone]',
    'line 0',
    'line 1',
    '… 6',
    'line 8',
    'line 9',
    '+ [fresh and new]',
  ])
  assert.deepEqual([addedWords, removedWords, isCut], [5, 3, false])
})

test('difference: the same text, no text, and new text', () => {
  assert.deepEqual(shown(textDifference('a\nb\nc', 'a\nb\nc').rows), ['… 3'])
  assert.deepEqual(textDifference('', ''), { rows: [], removedWords: 0, addedWords: 0, isCut: false })
  assert.deepEqual(shown(textDifference('', 'one two').rows), ['+ [one two]'])
})

test('difference: a difference is bounded, however long the texts are', () => {
  const lines = (word: string) => Array.from({ length: 50_000 }, (_, i) => `${word}${i} ${'x'.repeat(30)}`).join('\n')
  const { rows, isCut } = textDifference(lines('a'), lines('b'))
  assert.deepEqual([rows.length, isCut], [2000, true])
  const long = textDifference('w '.repeat(500_000), 'v '.repeat(500_000))
  assert.ok(JSON.stringify(long).length < 20_000)
})
