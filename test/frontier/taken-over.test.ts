// A frontier whose owner can't be seen from here is taken over after ten seconds of silence; it may only have been frozen.
import assert from 'node:assert/strict'
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openLocal } from '../../src/frontier/local/open.ts'
import { removeFrontier, temporaryFrontier } from '../contract/maker.ts'

test('ours: what an owner that was frozen writes when it wakes lands in files that nobody reads', async () => {
  const folder = temporaryFrontier()
  const link = (n: number) => ({ url: `http://a.com/${n}`, rank: 0, hops: 0 })
  try {
    const first = await openLocal({ folder })
    await first.offer([link(1)])
    await first.close()
    // As the frozen owner has it open.
    const fd = openSync(join(folder, 'journal-00000001.log'), 'r+')
    writeFileSync(join(folder, 'lock-00000002'), 'somebody in another container')
    const waits: string[] = []
    const second = await openLocal({ folder, onRepair: message => waits.push(message) })
    assert.match(waits.join(), /can't be seen from here/)
    await second.offer([link(2)])
    writeSync(fd, Buffer.alloc(200, 'x'), 0, 200, 20)
    closeSync(fd)
    await second.close()
    const third = await openLocal({ folder })
    assert.equal((await third.counts()).known, 2)
    await third.close()
  } finally {
    removeFrontier(folder)
  }
})
