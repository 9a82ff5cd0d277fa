// The small parts of what a running crawl answers with: what a crawl remembers of its last minutes, and answers that are kept.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileRobots } from '../../src/robots/robots.ts'
import { RobotsRules } from '../../src/robots/rules.ts'
import { EventRing, RecentSamples } from '../../src/view/process/run-memory.ts'
import { packed, unpacked } from '../../src/view/questions/host-columns.ts'
import { KeptAnswer } from '../../src/view/shown-answers.ts'

const NOTHING = { pages: 0, wireBytes: 0, failures: 0, openRequests: 0 }

test('questions: every second of the last ten minutes, also those in which nobody counted', () => {
  const samples = new RecentSamples()
  assert.deepEqual(samples.data().pages, [])
  samples.sample(10_000, { ...NOTHING, pages: 100 })
  samples.sample(11_020, { ...NOTHING, pages: 103, openRequests: 4 })
  // Three seconds late: what grew is spread over them.
  samples.sample(14_400, { pages: 113, wireBytes: 10, failures: 1, openRequests: 5 })
  // Twice in a second: both count.
  samples.sample(14_900, { pages: 115, wireBytes: 10, failures: 1, openRequests: 2 })
  const { untilMs, pages, wireBytes, failures, openRequests } = samples.data()
  assert.equal(untilMs, 14_000)
  assert.deepEqual(pages, [0, 3, 3, 3, 6])
  assert.deepEqual(
    [wireBytes, failures],
    [
      [0, 0, 3, 3, 4],
      [0, 0, 0, 0, 1],
    ],
  )
  assert.deepEqual(openRequests, [0, 4, 5, 5, 5])
  for (let second = 15; second < 2000; second++) samples.sample(second * 1000, { ...NOTHING, pages: 100 + second })
  assert.equal(samples.data().pages.length, 600)
  assert.deepEqual(new Set(samples.data().pages), new Set([1]))
  // A clock that was set back, or slept for an hour, begins anew.
  samples.sample(5_000, { ...NOTHING, pages: 3000 })
  assert.deepEqual([samples.data().untilMs, samples.data().pages], [5000, [0]])
  samples.sample(5_000_000, { ...NOTHING, pages: 4000 })
  assert.deepEqual(samples.data().pages, [0])
})

test('questions: events are numbered in all runs, handed out in order, and counted when they are forgotten', () => {
  const ring = new EventRing(1000)
  assert.deepEqual(ring.after(0), { items: [], last: 1_000_000, skipped: 0 })
  const hear = (count: number, from: number) => {
    for (let n = 0; n < count; n++) ring.hear({ kind: 'trouble', message: `${from + n}` }, 0)
  }
  const said = (after: number) => ring.after(after).items.map(event => Number((event as { message: string }).message))
  hear(70, 0)
  assert.deepEqual(
    said(0),
    Array.from({ length: 50 }, (_, n) => n + 20),
  )
  // Of an earlier run: everything of this one.
  const { items, last, skipped } = ring.after(999_990)
  assert.deepEqual([items.length, items[0]!.number, last, skipped], [70, 1_000_001, 1_000_070, 0])
  assert.deepEqual(said(1_000_068), [68, 69])
  // Of a later one: the clock was set back.
  assert.equal(ring.after(2_000_000).items.length, 50)
  assert.equal(ring.after(Number.NaN).items.length, 50)
  hear(2000, 70)
  const late = ring.after(last)
  assert.deepEqual([late.items.length, late.skipped, late.last], [200, 1000, 1_001_270])
  assert.equal(said(last)[0], 1070)
  const all = []
  for (let after = last; ; ) {
    const batch = ring.after(after)
    if (batch.items.length === 0) break
    all.push(...batch.items.map(({ number }) => number))
    after = batch.last
  }
  assert.deepEqual(
    all,
    Array.from({ length: 1000 }, (_, n) => 1_001_071 + n),
  )
})

test('questions: an event takes little memory, whatever is in it', () => {
  const ring = new EventRing(0)
  const urls = Array.from({ length: 1000 }, () => `http://a.example/${'x'.repeat(60_000)}`)
  ring.hear({ kind: 'action', action: { kind: 'add seeds', urls }, result: { seeds: 1000 } }, 5)
  const counts = Object.fromEntries(urls.map((_, n) => [`reason-${n}`, n]))
  ring.hear({ kind: 'links refused', url: urls[0]!, counts }, 6)
  const { items } = ring.after(0)
  assert.ok(JSON.stringify(items).length < 250_000)
  assert.deepEqual(
    items.map(({ kind, atMs, number }) => [kind, atMs, number]),
    [
      ['action', 5, 1],
      ['links refused', 6, 2],
    ],
  )
})

test('questions: columns of hosts stay the same over the wire', () => {
  const rows = {
    names: ['a.example', 'ü\n"x'],
    waiting: Uint32Array.of(1, 4_000_000_000),
    pages: Uint32Array.of(7, 0),
    delayMs: Uint32Array.of(2_678_400_000, 100),
    readyAtMs: Float64Array.of(0, 1_700_000_000_000.5),
    isDown: Uint8Array.of(1, 0),
    next: undefined,
  }
  assert.deepEqual(unpacked(JSON.parse(JSON.stringify(packed(rows)))), rows)
  assert.equal(unpacked(JSON.parse(JSON.stringify(packed({ ...rows, next: '2' })))).next, '2')
})

test('questions: however many ask where a crawl stands, it is asked once', async () => {
  let nowMs = 1000
  let asked = 0
  let fails = false
  const kept = new KeptAnswer(
    async () => {
      asked++
      if (fails) throw new Error('away')
      return asked
    },
    200,
    () => nowMs,
  )
  assert.deepEqual(await Promise.all([kept.get(), kept.get(), kept.get()]), [1, 1, 1])
  nowMs += 199
  assert.equal(await kept.get(), 1)
  nowMs += 1
  assert.equal(await kept.get(), 2)
  nowMs -= 3_600_000
  assert.equal(await kept.get(), 3, 'the clock was set back')
  kept.forget()
  fails = true
  await assert.rejects(kept.get(), /away/)
  fails = false
  assert.equal(await kept.get(), 5, 'an error is not kept')
})

test('questions: what the rules of a robots.txt come to', () => {
  const kind = (text: string) => new RobotsRules(compileRobots(Buffer.from(text), 'escalona')).kind
  for (const text of [
    '',
    'User-agent: other\nDisallow: /',
    'User-agent: *\nDisallow:',
    'User-agent: *\nCrawl-delay: 5',
  ])
    assert.equal(kind(text), 'none', text)
  for (const text of ['Disallow: /', 'Disallow: /*', 'Disallow: *', 'Disallow: /\nDisallow: /x'])
    assert.equal(kind(`User-agent: *\n${text}`), 'forbids all', text)
  for (const text of ['Disallow: /x', 'Disallow: /$', 'Disallow: /\nAllow: /x', 'Disallow: /*.pdf', 'Allow: /'])
    assert.equal(kind(`User-agent: *\n${text}`), 'rules', text)
})

test('questions: a brief list of events has the latest of each kind, and rare ones are not drowned by pages', () => {
  const ring = new EventRing(1000)
  ring.hear({ kind: 'trouble', message: 'rare' }, 0)
  for (let n = 0; n < 300; n++) ring.hear({ kind: 'redirected', url: `http://a/${n}` }, n)
  const { items, last, skipped } = ring.latestAfter(1_000_000 - 1)
  assert.deepEqual([items.length, last], [21, 1_000_301])
  assert.equal(items[0]!.kind, 'trouble')
  assert.deepEqual(
    items.slice(1).map(({ atMs }) => atMs),
    Array.from({ length: 20 }, (_, n) => 280 + n),
  )
  assert.equal(skipped, 280)
  assert.deepEqual(ring.latestAfter(last), { items: [], last, skipped: 0 })
})
