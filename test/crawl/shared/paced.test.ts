import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { paced } from '../../../src/run/run-figures.ts'

test('shared crawl: a shared frontier is asked now and then; an answer that does not come holds nothing up', async () => {
  let nowMs = 0
  const answers: ((answer: number) => void)[] = []
  const look = paced(
    () => new Promise<number>(resolve => answers.push(resolve)),
    1000,
    () => nowMs,
  )
  const first = look()
  answers[0]!(1)
  assert.equal(await first, 1)
  nowMs = 999
  assert.equal(await look(), 1)
  assert.equal(answers.length, 1)
  nowMs = 5000
  assert.equal(await look(), 1, 'the frontier is away')
  assert.equal(await look(), 1)
  assert.equal(answers.length, 2, 'asked once')
  answers[1]!(2)
  await turn()
  assert.equal(await look(), 2)
})

test('shared crawl: a frontier in the folder is asked each time', async () => {
  let asked = 0
  const look = paced(
    async () => ++asked,
    0,
    () => 0,
  )
  assert.deepEqual([await look(), await look()], [1, 2])
})
