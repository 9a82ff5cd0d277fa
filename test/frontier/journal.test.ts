// Journals that a crash, another owner or a disk has changed. test/crash/ does this at random; here is one of each.
import assert from 'node:assert/strict'
import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLocal } from '../../src/frontier/local/open.ts'
import { filesOf, removeFrontier, temporaryFrontier } from '../contract/maker.ts'

const FIRST = 'journal-00000001.log'
const SECOND = 'journal-00000002.log'
const SNAPSHOT = 'snapshot-00000002.bin'
const HEADER_BYTES = 16

function link(path: string) {
  return { url: `http://a.com/${path}`, rank: 1, hops: 0 }
}

async function inFolder(during: (folder: string) => Promise<void>): Promise<void> {
  const folder = temporaryFrontier()
  try {
    await during(folder)
  } finally {
    removeFrontier(folder)
  }
}

/** Leaves a link in the first segment, a snapshot, and a link in the second segment. */
async function twoSegments(folder: string): Promise<void> {
  const frontier = await openLocal({ folder, snapshotBytes: 1 })
  await frontier.offer([link('first-segment')])
  for (let n = 0; n < 500 && !filesOf(folder).includes(SNAPSHOT); n++) await sleep(10)
  await frontier.close()
  const again = await openLocal({ folder })
  await again.offer([link('second-segment')])
  await again.close()
  assert.deepEqual(
    filesOf(folder).filter(name => /journal|snapshot/.test(name)),
    [FIRST, SECOND, SNAPSHOT],
  )
}

test('ours: a torn tail is cut off for good, and that is reported', () =>
  inFolder(async folder => {
    const frontier = await openLocal({ folder, clock: () => 1000 })
    await frontier.offer([link('1')])
    await frontier.close()
    const path = join(folder, FIRST)
    const { size } = statSync(path)
    // The first half of a frame.
    appendFileSync(path, readFileSync(path).subarray(HEADER_BYTES, HEADER_BYTES + 20))
    const repairs: string[] = []
    const again = await openLocal({ folder, clock: () => 1000, onRepair: message => repairs.push(message) })
    assert.equal(statSync(path).size, size)
    assert.match(repairs.join(), /20 bytes of a torn tail/)
    await again.close()
  }))

test('ours: what a process wrote into a segment that it had lost counts for nothing', () =>
  inFolder(async folder => {
    await twoSegments(folder)
    // Without its snapshot both segments are read.
    rmSync(join(folder, SNAPSHOT))
    const path = join(folder, FIRST)
    // Sound frames that come a second time, which would be damage.
    appendFileSync(path, readFileSync(path).subarray(HEADER_BYTES))
    const frontier = await openLocal({ folder })
    assert.equal((await frontier.counts()).known, 2)
    await frontier.close()
  }))

test('ours: a segment that is missing though its links wait is noticed when the folder is opened', () =>
  inFolder(async folder => {
    await twoSegments(folder)
    rmSync(join(folder, FIRST))
    await assert.rejects(openLocal({ folder }), { code: 'FRONTIER_DAMAGED', message: /segment 1/ })
  }))

test('ours: a link that is not what was offered is never leased', () =>
  inFolder(async folder => {
    await twoSegments(folder)
    const path = join(folder, FIRST)
    const bytes = readFileSync(path)
    bytes[bytes.indexOf('first-segment')]! ^= 1
    writeFileSync(path, bytes)
    const frontier = await openLocal({ folder })
    await assert.rejects(frontier.take(1), { code: 'FRONTIER_DAMAGED', message: /journal-00000001/ })
    await frontier.close()
  }))
