// What is on the disk, and not only on its way there, when a frontier says that something is done.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CrawlFrontier } from '../../src/frontier/frontier.ts'
import { isSettled, watchDisk } from './disk-watch.ts'

const disk = await watchDisk()
const { openLocal } = await import('../../src/frontier/local/open.ts')
const { filesOf, removeFrontier, temporaryFrontier } = await import('../contract/maker.ts')

const CALLS: readonly (readonly [string, (frontier: CrawlFrontier) => Promise<unknown>])[] = [
  ['offer', frontier => frontier.offer([1, 2, 3, 4, 5].map(n => link(`http://h${n}.com/`)))],
  ['take', frontier => frontier.take(4)],
  ['place', frontier => frontier.place(1, '10.0.0.1')],
  ['settle', frontier => frontier.settle([{ ticketId: 1, ...DONE }])],
  ['giveBack', frontier => frontier.giveBack([2])],
  ['renew', frontier => frontier.renew([3])],
  ['block', frontier => frontier.hold('h3.com', { forMs: 1000 })],
  ['setDelay', frontier => frontier.setDelay('h3.com', 1000)],
  ['settleFormer', frontier => frontier.settleFormer([{ url: 'http://h5.com/', isPage: true, links: [] }])],
  ['clear of a host', frontier => frontier.clear('h2.com')],
  ['clear', frontier => frontier.clear()],
]
const DONE = { outcome: { kind: 'done', isPage: true }, shown: 'answer', links: [], delayMs: 0 } as const

function link(url: string) {
  return { url, rank: 0, hops: 0 }
}

function journals(): string[] {
  return [...disk.dirty].filter(name => name.startsWith('journal'))
}

test('promise 6: no call is answered before the journal is synced', async () => {
  const folder = temporaryFrontier()
  const frontier = await openLocal({ folder })
  try {
    for (const [name, call] of CALLS) {
      disk.hold()
      const answer = call(frontier)
      assert.equal(await isSettled(answer), false, `${name} was answered before anything was synced`)
      assert.equal(disk.letGo(), 1, `${name} waits for one sync`)
      await answer
      assert.deepEqual(journals(), [], name)
      disk.endHold()
    }
  } finally {
    await frontier.close()
    removeFrontier(folder)
  }
})

test('promise 6: that a link is known is not said while the call that brought it waits for its sync', async () => {
  const folder = temporaryFrontier()
  const frontier = await openLocal({ folder })
  try {
    disk.hold()
    const first = frontier.offer([link('http://a.com/')])
    await isSettled(first)
    const second = frontier.offer([link('http://b.com/')])
    disk.letGo()
    await first
    const again = frontier.offer([link('http://b.com/')])
    assert.deepEqual([await isSettled(second), await isSettled(again)], [false, false])
    disk.endHold()
    assert.deepEqual(await Promise.all([second, again]), [1, 0])
  } finally {
    disk.endHold()
    await frontier.close()
    removeFrontier(folder)
  }
})

test('ours: a segment is synced before the next one begins, and what a killed process left when it is opened', async () => {
  const folder = temporaryFrontier()
  const frontier = await openLocal({ folder, snapshotBytes: 1 })
  try {
    disk.log.length = 0
    const segmentsBegun = () => disk.log.filter(line => line.startsWith('open journal')).length
    for (let round = 0; round < 1000 && segmentsBegun() < 5; round++) {
      await Promise.all([0, 1, 2, 3].map(n => frontier.setDelay(`h${n}.com`, round)))
    }
    const begun = disk.log.filter(line => line.startsWith('open journal'))
    assert.ok(begun.length >= 5, `only ${begun.length} segments began`)
    for (const line of begun) assert.doesNotMatch(line, /unsynced .*journal/)
    // Its name is safe before anything but its header is written to it.
    for (const at of disk.log.flatMap((line, at) => (line.startsWith('open journal') ? [at] : []))) {
      assert.deepEqual(
        disk.log.slice(at + 1, at + 5).map(line => line.replace(/\d{8}| beside.*/g, '')),
        ['write journal-.log', 'sync journal-.log', 'open frontier', 'sync frontier'],
      )
    }
  } finally {
    await frontier.close()
  }
  disk.log.length = 0
  const again = await openLocal({ folder })
  assert.equal(disk.log.filter(line => line.startsWith('sync journal')).length, 1)
  await again.close()
  removeFrontier(folder)
})

test('ours: a snapshot gets its name when it and its ledger are synced, and the one before goes when the name is', async () => {
  const folder = temporaryFrontier()
  const frontier = await openLocal({ folder, snapshotBytes: 1 })
  try {
    disk.log.length = 0
    // A snapshot begins after a change, unless one is under way.
    for (let n = 0; n < 1000 && !disk.log.some(line => line.startsWith('remove snapshot')); n++) {
      await frontier.offer([link(`http://h${n}.com/`)])
      await sleep(2)
    }
    const renamed = disk.log.flatMap((line, at) => (line.startsWith('rename snapshot') ? [at] : []))
    assert.ok(renamed.length > 0)
    for (const at of renamed) {
      const before = disk.log.slice(0, at).reverse()
      const snapshot = disk.log[at]!.slice('rename '.length)
      for (const name of [snapshot, 'links-00000001.bin']) {
        const lastDone = before.find(line => line.endsWith(name) && !line.startsWith('open'))
        assert.equal(lastDone, `sync ${name}`)
      }
    }
    const removed = disk.log.flatMap((line, at) => (line.startsWith('remove snapshot') ? [at] : []))
    assert.ok(removed.length > 0)
    for (const at of removed) {
      const renamedAt = renamed.findLast(one => one < at)!
      assert.ok(disk.log.slice(renamedAt, at).includes('sync frontier'), disk.log.slice(renamedAt, at + 1).join(', '))
    }
  } finally {
    await frontier.close()
    assert.ok(filesOf(folder).some(name => name.startsWith('snapshot')))
    removeFrontier(folder)
  }
})
