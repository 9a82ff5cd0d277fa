import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Timeline, type TimelineSeries } from '../../src/folder/stats/timeline.ts'
import { RandomSource, seeds } from '../model/random-source.ts'

const SERIES: readonly TimelineSeries[] = ['pages', 'wireBytes', 'newDomains', 'failures']

test('ours: amounts add up in the step of their time', () => {
  const timeline = new Timeline()
  timeline.add(0, 'pages', 1)
  timeline.add(249, 'pages', 2)
  timeline.add(250, 'pages', 4)
  timeline.add(1000, 'wireBytes', 8)
  timeline.add(-3, 'failures', 1)
  assert.deepEqual(timeline.toJSON(), {
    widthMs: 250,
    pages: [3, 4, 0, 0, 0],
    wireBytes: [0, 0, 0, 0, 8],
    newDomains: [0, 0, 0, 0, 0],
    failures: [1, 0, 0, 0, 0],
  })
})

test('ours: when steps run out, two become one', () => {
  const timeline = new Timeline()
  for (let step = 0; step < 480; step++) timeline.add(step * 250, 'pages', step)
  assert.equal(timeline.toJSON().widthMs, 250)
  timeline.add(120_000, 'pages', 7)
  const { widthMs, pages } = timeline.toJSON()
  assert.equal(widthMs, 500)
  assert.deepEqual(pages, [...Array.from({ length: 240 }, (_, step) => 4 * step + 1), 7])
})

test('ours: however long it takes, totals hold, places hold, and rows stay short', t => {
  for (const seed of seeds(t, 100, 30)) {
    const random = new RandomSource(seed)
    const timeline = new Timeline()
    const added: { atMs: number; series: TimelineSeries; amount: number }[] = []
    for (let count = random.below(400); count > 0; count--) {
      const one = { atMs: random.below(2 ** random.below(40)), series: random.pick(SERIES), amount: random.below(100) }
      added.push(one)
      timeline.add(one.atMs, one.series, one.amount)
    }
    const data = timeline.toJSON()
    for (const series of SERIES) {
      const expected = data[series].map(() => 0)
      for (const one of added) if (one.series === series) expected[Math.floor(one.atMs / data.widthMs)]! += one.amount
      assert.deepEqual(data[series], expected, `${series}, ESCALONA_SEED=${seed}`)
      assert.equal(data[series].length, data.pages.length)
      assert.ok(data[series].length <= 480)
    }
  }
})

test('ours: a timeline goes on where it ended, and what was told stays as it was', () => {
  const [whole, before] = [new Timeline(), new Timeline()]
  for (let ms = 0; ms < 300_000; ms += 700) whole.add(ms, 'pages', ms)
  for (let ms = 0; ms < 200_200; ms += 700) before.add(ms, 'pages', ms)
  const told = before.toJSON()
  const text = JSON.stringify(told)
  const after = new Timeline(JSON.parse(text))
  for (let ms = 200_200; ms < 300_000; ms += 700) {
    before.add(ms, 'pages', ms)
    after.add(ms, 'pages', ms)
  }
  assert.deepEqual(after.toJSON(), whole.toJSON())
  assert.equal(JSON.stringify(told), text)
})
