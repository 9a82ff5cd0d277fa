import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PacedAnswers, SpareTime } from '../../src/view/process/paced-answers.ts'
import type { Source } from '../../src/view/questions/questions.ts'

/** Somebody asks again and again, 5 ms an answer, for a minute. Returns how much of the time went into answers. */
function shareSpent(busy: number): number {
  let nowMs = 0
  let spentMs = 0
  const spare = new SpareTime(
    () => nowMs,
    () => busy,
  )
  while (nowMs < 60_000) {
    const waitMs = spare.waitMs()
    if (waitMs > 0) {
      nowMs += waitMs
      continue
    }
    nowMs += 5
    spentMs += 5
    spare.spend(5)
  }
  return spentMs / nowMs
}

test('ours: who looks without end takes less than 2 % of a busy crawl’s time', () => {
  assert.ok(shareSpent(1) < 0.02, `${shareSpent(1)}`)
  assert.ok(shareSpent(1) > 0.01, `${shareSpent(1)}`)
})

test('ours: what a crawl leaves idle may be used', () => {
  assert.ok(shareSpent(0.2) > 0.1, `${shareSpent(0.2)}`)
})

test('ours: short answers, which never wait, keep a long one waiting for a few seconds at most', () => {
  let nowMs = 0
  const spare = new SpareTime(
    () => nowMs,
    () => 1,
  )
  for (let n = 0; n < 100; n++) spare.spend(100)
  const waitMs = spare.waitMs()
  assert.ok(waitMs > 1000 && waitMs < 5000, `${waitMs} ms`)
  nowMs += waitMs + 1
  assert.equal(spare.waitMs(), 0)
})

test('ours: long answers for which there is never time wait at the same time, and are given all the same', async t => {
  const never = new SpareTime(
    () => 0,
    () => 1,
  )
  never.spend(1000)
  const answering = new PacedAnswers({ ask: async () => ({ items: [], next: undefined }) } as unknown as Source, never)
  t.after(() => answering.close())
  // Answers keep no process alive.
  const alive = setInterval(() => {}, 1000)
  t.after(() => clearInterval(alive))
  const startMs = performance.now()
  const answers = [1, 2, 3].map(id =>
    answering.answer(JSON.stringify({ id, ask: 'listHosts', with: { page: { limit: 1 } } })),
  )
  for (const answer of await Promise.all(answers)) assert.match(answer, /"answer":\{"items":\[\]/)
  assert.ok(performance.now() - startMs < 9000)
})

test('ours: the first answers come at once', () => {
  const spare = new SpareTime(
    () => 0,
    () => 1,
  )
  for (let n = 0; n < 10; n++) {
    assert.equal(spare.waitMs(), 0)
    spare.spend(5)
  }
})
