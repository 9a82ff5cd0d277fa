// Frames that are not safe yet may reach the disk in any order when the power goes: a later one whole, an earlier one with a
// hole. Nobody heard of them, so that is a torn tail. A hole in what a later frame says was safe is damage.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openLocal } from '../../src/frontier/local/open.ts'
import { copyFrontier, filesOf, removeFrontier, syncedUpTo, temporaryFrontier } from '../contract/maker.ts'

const SECTOR = 512
const SEGMENT_HEAD = 16
const FRAME_HEAD = 16
const LINKS = 60
const folder = temporaryFrontier()
let journal = ''
/** The first two were acknowledged one after the other; the last three were on their way at once. */
let frames: { readonly from: number; readonly to: number }[] = []

before(async () => {
  const frontier = await openLocal({ folder })
  await frontier.offer(linksOf('a'))
  await frontier.offer(linksOf('b'))
  await Promise.all(['c', 'd', 'e'].map(host => frontier.offer(linksOf(host))))
  const left = temporaryFrontier()
  copyFrontier(folder, left)
  await frontier.close()
  removeFrontier(folder)
  copyFrontier(left, folder)
  removeFrontier(left)
  journal = filesOf(folder).find(name => name.startsWith('journal'))!
  frames = framesIn(readFileSync(join(folder, journal)))
  assert.equal(frames.length, 5)
})

after(() => removeFrontier(folder))

function linksOf(host: string) {
  return Array.from({ length: LINKS }, (_, n) => ({
    url: `http://${host}.com/some/long/path/${n}`,
    rank: 0,
    hops: 0,
  }))
}

function framesIn(bytes: Buffer): { from: number; to: number }[] {
  const found = []
  for (let from = SEGMENT_HEAD; from < bytes.length; ) {
    const to = from + FRAME_HEAD + bytes.readUInt32LE(from)
    found.push({ from, to })
    from = to
  }
  return found
}

/** Opens a copy with a changed journal: how many links it knows, and what it reports. */
async function openedAfter(change: (bytes: Buffer) => void): Promise<{ known: number; repairs: string[] }> {
  const copy = temporaryFrontier()
  copyFrontier(folder, copy)
  const bytes = readFileSync(join(copy, journal))
  change(bytes)
  writeFileSync(join(copy, journal), bytes)
  writeFileSync(join(copy, 'synced'), syncedUpTo(journal, frames[1]!.to))
  const repairs: string[] = []
  try {
    const frontier = await openLocal({ folder: copy, onRepair: message => repairs.push(message) })
    const { known } = await frontier.counts()
    assert.equal(await frontier.offer([{ url: 'http://after.com/', rank: 0, hops: 0 }]), 1)
    await frontier.close()
    const again = await openLocal({ folder: copy, onRepair: assert.fail })
    assert.equal((await again.counts()).known, known + 1)
    await again.close()
    return { known, repairs }
  } finally {
    removeFrontier(copy)
  }
}

/** The sectors of the disk that hold a part of frame `n`, cut to it. */
function sectorsOf(n: number): { from: number; to: number }[] {
  const { from, to } = frames[n]!
  const found = []
  for (let start = from - (from % SECTOR); start < to; start += SECTOR) {
    found.push({ from: Math.max(from, start), to: Math.min(to, start + SECTOR) })
  }
  return found
}

test('ours: a hole in a frame that was not safe yet cuts off this frame and those after it, and says so', async () => {
  for (const n of [2, 3, 4]) {
    // The last sector of a frame is also the first of the next: whichever wrote it, wrote both.
    const holes = n === 4 ? sectorsOf(n) : sectorsOf(n).slice(0, -1)
    assert.ok(holes.length > 2)
    for (const { from, to } of holes) {
      const { known, repairs } = await openedAfter(bytes => bytes.fill(0, from, to))
      assert.equal(known, n * LINKS, `${from} to ${to}`)
      assert.equal(repairs.length, 1)
      assert.match(repairs[0]!, new RegExp(`${journal}.* cut off at ${frames[n]!.from}`))
    }
  }
})

test('ours: holes in several frames cut off from the first of them on', async () => {
  const [third, fifth] = [sectorsOf(2)[1]!, sectorsOf(4)[1]!]
  const { known, repairs } = await openedAfter(bytes => {
    bytes.fill(0, third.from, third.to)
    bytes.fill(0, fifth.from, fifth.to)
  })
  assert.equal(known, 2 * LINKS)
  assert.equal(repairs.length, 1)
})

test('ours: a hole in a frame that was safe is damage, as the next frame says', async () => {
  for (const n of [0, 1]) {
    for (const { from, to } of sectorsOf(n).slice(0, -1)) {
      const opening = openedAfter(bytes => bytes.fill(0, from, to))
      await assert.rejects(opening, {
        code: 'FRONTIER_DAMAGED',
        message: new RegExp(`${journal}.* at ${frames[n]!.from}`),
      })
    }
  }
})

test('ours: a hole and a later frame that is damaged do not hide that the hole was safe', async () => {
  const hole = sectorsOf(0)[1]!
  const opening = openedAfter(bytes => {
    bytes.fill(0, hole.from, hole.to)
    bytes[frames[1]!.from + FRAME_HEAD + 30]! ^= 1
  })
  await assert.rejects(opening, { code: 'FRONTIER_DAMAGED' })
})

test('ours: a flipped bit in a frame that was not safe yet is damage, since it left no hole', async () => {
  for (const n of [2, 3]) {
    const opening = openedAfter(bytes => {
      bytes[frames[n]!.from + FRAME_HEAD + 30]! ^= 1
    })
    await assert.rejects(opening, { code: 'FRONTIER_DAMAGED' })
  }
})
