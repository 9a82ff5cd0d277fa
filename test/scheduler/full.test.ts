import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { SchedulerCore } from '../../src/scheduler/core.ts'
import { PIECE_BYTES } from '../../src/scheduler/pieces.ts'
import { Scheduler } from '../../src/scheduler.ts'
import { STRATEGIES } from '../model/oracle.ts'

/** Takes all memory that a scheduler could still get. It costs nothing: nobody touches it. */
function fillMemory({ pieces }: SchedulerCore): void {
  for (let bytes = 2 ** 31; bytes >= PIECE_BYTES; bytes /= 2) while (pieces.hasRoom(bytes)) pieces.table(bytes, 'texts')
}

test('scheduler: a scheduler without room for more keeps what it has, and gives all of it at once', () => {
  for (const strategy of STRATEGIES) {
    const scheduler = new Scheduler({ strategy })
    const urls = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, n) => `http://host.org/${'long/'.repeat(20)}${from + n}`)
    for (const url of urls(0, 1000)) scheduler.add(url)
    const core = Reflect.get(scheduler, 'core') as SchedulerCore
    fillMemory(core)
    assert.throws(() => scheduler.add(`http://host.org/${'x'.repeat(2 ** 20)}`), { code: 'SCHEDULER_FULL' })
    let added = 1000
    const full = () => {
      for (const url of urls(1000, 10_000)) {
        scheduler.add(url)
        added++
      }
    }
    assert.throws(full, { code: 'SCHEDULER_FULL' })
    const taken: string[] = []
    for (let count = core.take(Infinity); count > 0; count = core.take(Infinity)) {
      for (let n = 0; n < count; n++) taken.push(core.urls.text(core.slotAt(core.takenAt + 4 * n)).toString())
    }
    const expected = urls(0, added).map(url => url.slice('http://'.length))
    assert.ok(isDeepStrictEqual(taken, expected), `${strategy}: ${taken.length} of ${added} URLs, or others`)
  }
})
