// A folder is exported and imported again: nothing is lost, and it continues as if nothing had happened.
import assert from 'node:assert/strict'
import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { DumpRecord } from '../../src/frontier/dump.ts'
import type { FrontierOptions } from '../../src/frontier/frontier.ts'
import { dumpLocal } from '../../src/frontier/local/dump.ts'
import { openLocal } from '../../src/frontier/local/open.ts'
import { openLocalReadOnly } from '../../src/frontier/local/read-only.ts'
import { restoreLocal } from '../../src/frontier/local/restore.ts'
import { openDump } from '../../src/frontier/read-dump.ts'
import { writeDump } from '../../src/frontier/write-dump.ts'
import { HandClock } from '../contract/hand-clock.ts'
import { copyFrontier, removeFrontier, temporaryFrontier } from '../contract/maker.ts'
import { randomOperations, randomOptions } from '../contract/operations.ts'
import { Player } from '../contract/player.ts'
import { smallWorld, urlsOf } from '../contract/worlds.ts'
import { FRONTIER_STRATEGIES } from '../model/frontier-oracle.ts'
import { RandomSource, seeds } from '../model/random-source.ts'
import { allOf, streamOf, temporaryFolder, textOf } from './dump-help.ts'

const never = () => Promise.reject(new Error('not here'))

/** A folder after a random life, left with open tickets. */
async function lived(folder: string, options: FrontierOptions, random: RandomSource, clock: HandClock): Promise<void> {
  const snapshotBytes = random.pick([1, 3000, 1 << 25])
  const frontier = await openLocal({ ...options, folder, snapshotBytes, clock: clock.read })
  const player = new Player({ frontier, reopen: never }, clock, options.leaseMs)
  const operations = randomOperations(random, smallWorld(false), random.pick([5, 60, 200]))
  for (const operation of operations) await player.play(operation)
  await frontier.close()
}

test('issue 11.2: a folder that was exported and imported gives the same export, and leases the same from then on', async t => {
  for (const seed of seeds(t, 8, 4)) {
    const random = new RandomSource(seed)
    const options = randomOptions(random, FRONTIER_STRATEGIES[seed % FRONTIER_STRATEGIES.length]!)
    const clock = new HandClock()
    const folder = temporaryFrontier()
    const restored = temporaryFrontier()
    const dumps = temporaryFolder(t)
    try {
      await lived(folder, options, random, clock)
      const from = { ...options, clock: clock.read }
      await writeDump({ folder: join(dumps, 'a'), clock: clock.read }, dumpLocal({ ...from, folder }))
      const dump = await openDump(join(dumps, 'a'))
      await restoreLocal({ folder: restored, dump: dump.folder, clock: clock.read }, dump.records())
      await writeDump({ folder: join(dumps, 'b'), clock: clock.read }, dumpLocal({ ...from, folder: restored }))
      assert.equal(textOf(join(dumps, 'b')), textOf(join(dumps, 'a')), `ESCALONA_SEED=${seed}`)
      await continuesAlike([folder, restored], options, random, clock.nowMs, seed)
    } finally {
      removeFrontier(folder)
      removeFrontier(restored)
    }
  }
})

/** Plays the same on both folders; what can be seen is the same, but for the order in which links became known. */
async function continuesAlike(
  folders: readonly [string, string],
  options: FrontierOptions,
  random: RandomSource,
  nowMs: number,
  seed: number,
): Promise<void> {
  const clocks = [new HandClock(), new HandClock()] as const
  for (const clock of clocks) clock.nowMs = nowMs
  const open = (n: 0 | 1) => openLocal({ ...options, folder: folders[n], clock: clocks[n].read })
  const frontiers = [await open(0), await open(1)] as const
  const players = frontiers.map((frontier, n) => new Player({ frontier, reopen: never }, clocks[n]!, options.leaseMs))
  const operations = randomOperations(random, smallWorld(false), 60).filter(one => one.do !== 'look')
  const urls = urlsOf(smallWorld(false))
  for (const [n, operation] of operations.entries()) {
    const [first, second] = [await players[0]!.play(operation), await players[1]!.play(operation)]
    assert.deepEqual(second, first, `ESCALONA_SEED=${seed}, operation ${n}: ${operation.do}`)
  }
  const [first, second] = [await players[0]!.look(urls), await players[1]!.look(urls)]
  assert.deepEqual(sorted(second), sorted(first), `ESCALONA_SEED=${seed}, in the end`)
  for (const frontier of frontiers) await frontier.close()
}

/** The lists of links in any order: an import does not keep the order in which they became known. */
function sorted(seen: unknown): unknown {
  const { links, ...rest } = seen as { links: { url: string }[][] }
  return { ...rest, links: links.map(list => list.toSorted((a, b) => (a.url < b.url ? -1 : 1))) }
}
