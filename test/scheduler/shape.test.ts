// Loads on which a solution with the wrong complexity needs minutes. Ours needs about a second for each; the bound is
// far above that, so that a busy machine decides nothing.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Scheduler } from '../../src/scheduler.ts'
import { STRATEGIES } from '../model/oracle.ts'
import { schedulerBytes } from './scan-urls.ts'

const MOST_MS = 20_000
const MB = 2 ** 20

/** Runs the steps one after the other, and stops with a failure as soon as they take too long. */
function inTime(t: TestContext, count: number, step: (n: number) => void): void {
  const start = performance.now()
  for (let n = 0; n < count; n++) {
    step(n)
    if (n % 1000 === 0 && performance.now() - start > MOST_MS) {
      assert.fail(`${n} of ${count} steps took longer than ${MOST_MS} ms`)
    }
  }
  t.diagnostic(`${count} steps in ${Math.round(performance.now() - start)} ms`)
}

for (const strategy of STRATEGIES) {
  test(`scheduler: ${strategy}-first: adding one and scheduling one among 200,000 empty hosts`, t => {
    const scheduler = new Scheduler({ strategy })
    inTime(t, 200_000, n => void scheduler.add(`http://h${n}.com/`))
    inTime(t, 200_000, () => void scheduler.next())
    assert.equal(scheduler.waiting(), 0)
    inTime(t, 50_000, n => {
      const url = `http://h${(n * 7919) % 200_000}.com/again/${n}`
      scheduler.add(url)
      assert.equal(scheduler.next(), url)
    })
    assert.equal(scheduler.knownHosts, 200_000)
  })

  test(`scheduler: ${strategy}-first: 200,000 hosts with one URL each`, t => {
    const scheduler = new Scheduler({ strategy })
    inTime(t, 200_000, n => void scheduler.add(`http://h${n}.com/p`))
    inTime(t, 200_000, n => assert.equal(scheduler.next(), `http://h${n}.com/p`))
    assert.equal(scheduler.next(), undefined)
  })

  test(`scheduler: ${strategy}-first: one host with 200,000 URLs`, t => {
    const scheduler = new Scheduler({ strategy })
    inTime(t, 200_000, n => void scheduler.add(`http://a.com/${n}`))
    inTime(t, 50_000, n => assert.equal(scheduler.add(`http://a.com/${n * 3}`).kind, 'duplicate'))
    inTime(t, 100_000, n => assert.equal(scheduler.next(), `http://a.com/${n}`))
    inTime(t, 50_000, () => assert.equal(scheduler.urls('a.com').next().value, 'http://a.com/100000'))
    scheduler.clear('a.com')
    assert.equal(scheduler.waiting(), 0)
  })

  test(`scheduler: ${strategy}-first: a host with 3,000 different depths`, t => {
    const depths = 3000
    const scheduler = new Scheduler({ strategy })
    const urlOf = (depth: number) => `http://a.com${'/d'.repeat(depth)}`
    inTime(t, depths, n => void scheduler.add(urlOf((n * 1009) % depths)))
    inTime(t, depths / 2, n => assert.equal(scheduler.next(), urlOf(n)))
    inTime(t, 20_000, n => {
      scheduler.add(`http://a.com/${n}`)
      assert.equal(scheduler.next(), `http://a.com/${n}`)
    })
    inTime(t, depths / 2, n => assert.equal(scheduler.next(), urlOf(depths / 2 + n)))
    assert.equal(scheduler.next(), undefined)
  })
}

test('scheduler: memory stays flat when URLs come and go', t => {
  const scheduler = new Scheduler()
  let added = 0
  const round = () => {
    for (let n = 0; n < 50_000; n++) scheduler.add(`http://h${added % 100}.com/some/path/${added++}`)
    for (let n = 0; n < 50_000; n++) scheduler.next()
  }
  inTime(t, 4, round)
  const before = schedulerBytes(scheduler)
  inTime(t, 16, round)
  const growth = schedulerBytes(scheduler) - before
  assert.ok(growth < 30 * MB, `800,000 URLs came and went, and ${growth / MB} MB were added`)
})

test('scheduler: memory stays flat when long URLs come and go', t => {
  const scheduler = new Scheduler()
  scheduler.add('http://stays.com/')
  const tail = 'x'.repeat(4 * MB)
  const comeAndGo = (n: number) => {
    scheduler.add(`http://a.com/${n}/${tail}`)
    assert.equal([...scheduler.scheduleHost('a.com')].length, 1)
  }
  inTime(t, 10, comeAndGo)
  const before = schedulerBytes(scheduler)
  inTime(t, 150, comeAndGo)
  const growth = schedulerBytes(scheduler) - before
  assert.ok(growth < 250 * MB, `150 URLs of 4 MB came and went, and ${growth / MB} MB were added`)
})
