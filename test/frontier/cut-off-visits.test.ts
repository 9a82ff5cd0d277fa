import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openLocal } from '../../src/frontier/local/open.ts'
import { HandClock } from '../contract/hand-clock.ts'
import { openTimed } from '../contract/timed.ts'

test('ours: a host whose visit was cut off is ready its delay after the time of opening', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'escalona-cut-off-'))
  try {
    const first = await openLocal({ folder, delayMs: 100, clock: () => 1000 })
    await first.offer([{ url: 'http://a.com/', rank: 0, hops: 0 }])
    await first.take(1)
    await first.close()
    const second = await openTimed({ folder, delayMs: 100 }, new HandClock(5000))
    assert.deepEqual((await second.take(1, 5099)).tickets, [])
    assert.equal((await second.take(1, 5100)).tickets.length, 1)
    await second.close()
  } finally {
    rmSync(folder, { recursive: true })
  }
})
