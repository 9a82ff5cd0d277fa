// A folder is read beside its owner: without its lock, and nothing in it changes.

import assert from 'node:assert/strict'
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLocal } from '../../src/frontier/local/open.ts'
import { openLocalReadOnly } from '../../src/frontier/local/read-only.ts'
import { HandClock, START_MS } from '../contract/hand-clock.ts'
import { filesOf, removeFrontier, temporaryFrontier } from '../contract/maker.ts'
import { randomOperations, randomOptions } from '../contract/operations.ts'
import { everyPage, Player } from '../contract/player.ts'
import { done, inShort, links, take } from '../contract/sentences/sentence.ts'
import { openTimed } from '../contract/timed.ts'
import { smallWorld, urlsOf } from '../contract/worlds.ts'
import { Worker } from '../crash/candidates.ts'
import type { Job } from '../crash/job.ts'
import { FRONTIER_STRATEGIES } from '../model/frontier-oracle.ts'
import { RandomSource, seeds } from '../model/random-source.ts'

const clock = new HandClock().read

function temporary(t: TestContext): string {
  const folder = temporaryFrontier()
  t.after(() => removeFrontier(folder))
  return folder
}

function contentsOf(folder: string): Record<string, string> {
  return Object.fromEntries(filesOf(folder).map(name => [name, readFileSync(join(folder, name), 'hex')]))
}

test('reader: beside its owner, a reader sees what the owner sees', async t => {
  for (const seed of seeds(t, 5, 2)) {
    const random = new RandomSource(seed)
    const options = randomOptions(random, FRONTIER_STRATEGIES[seed % FRONTIER_STRATEGIES.length]!)
    const hand = new HandClock()
    const folder = temporary(t)
    const owner = await openTimed({ ...options, folder, snapshotBytes: 3000 }, hand)
    const never = () => Promise.reject(new Error('not here'))
    const player = new Player({ frontier: owner, reopen: never }, hand, options.leaseMs)
    const urls = urlsOf(smallWorld(false))
    for (let round = 0; round < 8; round++) {
      for (const operation of randomOperations(random, smallWorld(false), 20)) await player.play(operation)
      const { retries = 3, delayMs = 0 } = options
      const view = await openLocalReadOnly({ folder, clock: hand.read, retries, delayMs })
      // What a reader has no calls for is not looked at; notes are kept by the owner alone.
      const reader = new Player({ frontier: view as typeof owner, reopen: never }, hand)
      const { notes: _, ...seen } = (await reader.look(urls)) as { notes: unknown }
      const { notes: __, ...expected } = (await player.look(urls)) as { notes: unknown }
      assert.deepEqual(seen, expected, `ESCALONA_SEED=${seed}`)
      await view.close()
    }
    await owner.close()
  }
})

test('reader: a reader takes no lock, writes nothing and repairs nothing; a torn tail ends what it reads', async t => {
  const folder = temporary(t)
  const owner = await openTimed({ folder, snapshotBytes: 1 })
  await owner.offer(links('a/1 a/2'))
  await owner.offer(links('b/1').map(link => ({ ...link, refused: 'scope' })))
  await owner.close()
  const journal = filesOf(folder).findLast(name => name.startsWith('journal'))!
  appendFileSync(join(folder, journal), Buffer.from([9, 0, 0, 0, 1, 2, 3]))
  const before = contentsOf(folder)
  const views = await Promise.all([1, 2].map(() => openLocalReadOnly({ folder, clock })))
  for (const view of views) {
    assert.deepEqual((await view.counts()).refusedFor, { scope: 1 })
    assert.equal(await view.noted('a.com', 'key'), undefined)
    await view.close()
    await assert.rejects(view.counts(), { code: 'FRONTIER_CLOSED' })
  }
  assert.deepEqual(contentsOf(folder), before)
})

test('reader: a reader keeps what it has read when the owner goes on and removes files', async t => {
  const folder = temporary(t)
  const owner = await openTimed({ folder, snapshotBytes: 1 })
  await owner.offer(links('a/1 b/1 c/1'))
  const view = await openLocalReadOnly({ folder, clock })
  for (const ticket of await take(owner, 3, START_MS)) await owner.settle([done(ticket)], START_MS)
  const hasFirst = () => filesOf(folder).includes('journal-00000001.log')
  for (let n = 0; n < 200 && hasFirst(); n++) await owner.offer(links(`d/${n}`))
  assert.ok(!hasFirst(), 'the owner removed nothing')
  assert.equal(inShort((await view.links({ state: 'waiting' }, { limit: 9 })).items), 'a/1 b/1 c/1')
  await view.close()
  await owner.close()
})

test('reader: beside a process that writes and removes files all the time, every opening succeeds', async t => {
  const folder = temporary(t)
  const options = { leaseMs: 1000 }
  const worker = new Worker({
    ...{ folder, seed: 5, options, nowMs: START_MS, operations: 1e6, snapshotBytes: 1, reopens: true, pages: 4 },
  } satisfies Job)
  try {
    await worker.ready()
    const seen = new Set<string>()
    const snapshots = new Set<string | undefined>()
    for (let n = 0; n < 500 && (n < 40 || seen.size < 20 || snapshots.size < 10); n++) {
      const view = await openLocalReadOnly({ folder, clock })
      const { known, waiting, leased, done: over, refused: refusals } = await view.counts()
      assert.equal(known, waiting + leased + over + refusals)
      const lists = await Promise.all(
        (['waiting', 'refused'] as const).map(state => everyPage(cursor => view.links({ state }, cursor))),
      )
      assert.deepEqual(
        lists.map(list => list.length),
        [waiting, refusals],
      )
      seen.add([waiting, leased, over, refusals].join())
      snapshots.add(filesOf(folder).findLast(name => name.startsWith('snapshot')))
      await view.close()
      await sleep(5)
    }
    assert.ok(seen.size >= 20, `only ${seen.size} different states were seen`)
    assert.ok(snapshots.size >= 10, `only ${snapshots.size} snapshots were seen`)
  } finally {
    worker.kill()
    await worker.testimony()
  }
})

test('reader: where no frontier is, and where one is damaged, it says so', async t => {
  const folder = temporary(t)
  await assert.rejects(openLocalReadOnly({ folder, clock }), { code: 'FRONTIER_MISSING' })
  const owner = await openLocal({ folder, clock })
  await owner.offer(links('a/1 a/2 a/3'))
  await owner.close()
  const path = join(folder, 'journal-00000001.log')
  const bytes = readFileSync(path)
  bytes[bytes.length >> 1]! ^= 1
  writeFileSync(path, bytes)
  await assert.rejects(openLocalReadOnly({ folder, clock }), { code: 'FRONTIER_DAMAGED' })
  assert.deepEqual(readFileSync(path), bytes)
  rmSync(join(folder, 'frontier.txt'))
  await assert.rejects(openLocalReadOnly({ folder, clock }), { code: 'FRONTIER_DAMAGED' })
})
