// What must not break a folder: wrong calls, a process that has lost it, an opening that fails, a snapshot in the making.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Link, Settlement } from '../../src/frontier/frontier.ts'
import { copyFrontier, filesOf, isLock, removeFrontier, temporaryFrontier } from '../contract/maker.ts'
import { countsAre, done, links, T, take, wholeOf } from '../contract/sentences/sentence.ts'
import { openTimed, type TimedFrontier } from '../contract/timed.ts'

async function inFolder(during: (folder: string) => Promise<void>): Promise<void> {
  const folder = temporaryFrontier()
  try {
    await during(folder)
  } finally {
    removeFrontier(folder)
  }
}

const GOOD: Link = { url: 'http://good.com/', rank: 0, hops: 0 }
const BAD_LINKS: readonly unknown[] = [
  { ...GOOD, rank: -1 },
  { ...GOOD, rank: Number.NaN },
  { ...GOOD, hops: -7 },
  { ...GOOD, hops: 1e99 },
  { ...GOOD, note: 7 },
  { ...GOOD, kind: 'page ' },
  { ...GOOD, url: 7 },
]
const BAD_ENDS: readonly unknown[] = [
  { delayMs: Number.NaN },
  { delayMs: -1 },
  { delayMs: Number.POSITIVE_INFINITY },
  { shown: 'maybe' },
  { shown: 'gone' },
  { outcome: { kind: 'done' } },
  { outcome: { kind: 'refused' } },
  { outcome: { kind: 'refused', reason: 'x'.repeat(201) } },
  { outcome: { kind: 'lost' } },
]

test('ours: wrong calls change nothing, and the folder opens as before', () =>
  inFolder(async folder => {
    let frontier = await openTimed({ folder })
    await frontier.offer(links('a/1 b/1 c/1'))
    const tickets = await take(frontier, 2, T)
    const before = await wholeOf(frontier)
    const size = () => filesOf(folder).reduce((sum, name) => sum + readFileSync(join(folder, name)).length, 0)
    const bytes = size()
    const isRefused = (code: string, call: Promise<unknown>) => assert.rejects(call, { code })
    for (const bad of BAD_LINKS as Link[]) {
      await isRefused('FRONTIER_BAD_LINK', frontier.offer([GOOD, bad]))
      const settlements = [done(tickets[0]!), { ...done(tickets[1]!), links: [GOOD, bad] }]
      await isRefused('FRONTIER_BAD_LINK', frontier.settle(settlements, T))
      await isRefused(
        'FRONTIER_BAD_LINK',
        frontier.settleFormer([{ url: 'http://c.com/1', isPage: true, links: [bad] }], T),
      )
    }
    for (const bad of BAD_ENDS as Partial<Settlement>[]) {
      const settlements = [done(tickets[0]!), { ...done(tickets[1]!), ...bad }]
      await isRefused('FRONTIER_BAD_SETTLEMENT', frontier.settle(settlements, T))
    }
    for (const bad of [Number.NaN, -1, Number.POSITIVE_INFINITY]) {
      await isRefused('FRONTIER_BAD_VALUE', frontier.setDelay('a.com', bad))
      await isRefused('FRONTIER_BAD_VALUE', frontier.hold('a.com', { forMs: bad }, T))
      await isRefused('FRONTIER_BAD_VALUE', frontier.note('a.com', 'key', new Uint8Array(), bad, T))
    }
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
      await isRefused('FRONTIER_BAD_VALUE', frontier.take(1, bad))
      await isRefused('FRONTIER_BAD_VALUE', frontier.settle([done(tickets[0]!)], bad))
      await isRefused('FRONTIER_BAD_VALUE', frontier.hold('a.com', { forMs: 1 }, bad))
      await isRefused('FRONTIER_BAD_VALUE', frontier.place(tickets[0]!.id, 's', bad))
    }
    await isRefused('FRONTIER_BAD_VALUE', frontier.place(tickets[0]!.id, '', T))
    await isRefused('FRONTIER_BAD_VALUE', frontier.setDelay('', 1))
    await isRefused('FRONTIER_BAD_VALUE', frontier.take(Number.NaN, T))
    assert.deepEqual(await wholeOf(frontier), before)
    assert.equal(size(), bytes)
    await frontier.close()
    frontier = await openTimed({ folder })
    await countsAre(frontier, { known: 3, waiting: 3, hosts: 3 })
    await frontier.close()
  }))

test(
  'ours: an opening that fails leaves no file open and no lock',
  {
    skip: !existsSync('/proc/self/fd') && 'open files are counted in /proc',
  },
  () =>
    inFolder(async folder => {
      const first = await openTimed({ folder, snapshotBytes: 1 })
      for (let n = 0; n < 5; n++) await first.offer(links(`a/${n} b/${n}`))
      await first.close()
      const journal = filesOf(folder).findLast(name => name.startsWith('journal'))!
      const path = join(folder, journal)
      const whole = readFileSync(path)
      const damaged = Buffer.concat([
        whole,
        Buffer.from('this is no frame, and no torn tail, since a sound head follows'),
      ])
      damaged.writeUInt32LE(3, whole.length)
      const wrong = Buffer.from(whole)
      wrong[9]! ^= 1
      const openFiles = () => readdirSync('/proc/self/fd').length
      const before = openFiles()
      for (let n = 0; n < 10; n++) {
        writeFileSync(path, wrong)
        await assert.rejects(openTimed({ folder }), { code: 'FRONTIER_DAMAGED' })
      }
      assert.ok(openFiles() <= before, `${openFiles()} files are open, ${before} were`)
      writeFileSync(path, whole)
      await (await openTimed({ folder })).close()
    }),
)

test('ours: whoever has lost the folder writes and acknowledges nothing any more', () =>
  inFolder(async folder => {
    const frontier = await openTimed({ folder })
    await frontier.offer(links('a/1'))
    // What the next owner does to the lock of the one before.
    for (const name of readdirSync(folder)) if (isLock(name)) rmSync(join(folder, name))
    const bytes = () => filesOf(folder).map(name => readFileSync(join(folder, name)).toString('latin1'))
    const before = bytes()
    await assert.rejects(frontier.offer(links('b/1')), { code: 'FRONTIER_LOST' })
    // Not even that something is known already.
    await assert.rejects(frontier.offer(links('a/1')), { code: 'FRONTIER_LOST' })
    await assert.rejects(frontier.take(1, T), { code: 'FRONTIER_LOST' })
    await frontier.close()
    assert.deepEqual(bytes(), before)
    const next = await openTimed({ folder })
    await countsAre(next, { known: 1, waiting: 1, hosts: 1 })
    await next.close()
  }))

/** Lets a snapshot begin, and does something before it can be written. */
async function duringSnapshot(
  folder: string,
  meanwhile: (frontier: TimedFrontier) => Promise<unknown>,
): Promise<unknown> {
  const frontier = await openTimed({ folder, snapshotBytes: 20_000 })
  for (let n = 0; n < 60; n++) {
    await frontier.offer(Array.from({ length: 50 }, (_, i) => ({ url: `http://h${i}.com/${n}`, rank: n % 5, hops: 0 })))
    await meanwhile(frontier)
  }
  const whole = await wholeOf(frontier, ['http://h0.com/0', 'http://h49.com/59'])
  const crashed = temporaryFrontier()
  copyFrontier(folder, crashed)
  await frontier.close()
  const afterCrash = await openTimed({ folder: crashed })
  assert.deepEqual(await wholeOf(afterCrash, ['http://h0.com/0', 'http://h49.com/59']), whole)
  await afterCrash.close()
  removeFrontier(crashed)
  const again = await openTimed({ folder })
  assert.deepEqual(await wholeOf(again, ['http://h0.com/0', 'http://h49.com/59']), whole)
  await again.close()
  return whole
}

test('ours: a snapshot that is written while the frontier goes on holds the moment at which it began', () =>
  inFolder(async folder => {
    await duringSnapshot(folder, async frontier => {
      const tickets = await take(frontier, 20, T)
      await frontier.settle(
        tickets.map(ticket => done(ticket)),
        T,
      )
    })
    assert.ok(filesOf(folder).some(name => name.startsWith('snapshot')))
  }))

test('ours: everything may be forgotten while a snapshot is written', () =>
  inFolder(async folder => {
    let n = 0
    await duringSnapshot(folder, frontier => (++n % 7 === 0 ? frontier.clear() : Promise.resolve()))
    assert.ok(filesOf(folder).filter(name => name.startsWith('links')).length <= 2)
  }))

test('ours: a snapshot that a crash cut off is removed by the next opening', () =>
  inFolder(async folder => {
    await (await openTimed({ folder })).close()
    writeFileSync(join(folder, 'snapshot-00000009.bin.tmp'), 'half a snapshot')
    await (await openTimed({ folder })).close()
    assert.ok(!filesOf(folder).includes('snapshot-00000009.bin.tmp'))
  }))
