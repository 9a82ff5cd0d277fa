// What the tests of exports share.

import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { DumpRecord } from '../../src/frontier/dump.ts'
import { DUMP_FILES } from '../../src/frontier/dump-manifest.ts'
import type { FrontierOptions } from '../../src/frontier/frontier.ts'
import { HandClock } from '../contract/hand-clock.ts'
import { randomOperations } from '../contract/operations.ts'
import { Player } from '../contract/player.ts'
import { openTimed } from '../contract/timed.ts'
import { smallWorld, urlsOf } from '../contract/worlds.ts'
import type { RandomSource } from '../model/random-source.ts'

/** A folder that is removed at the end of the test. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'escalona-dump-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export async function allOf(records: AsyncIterable<DumpRecord>): Promise<DumpRecord[]> {
  const all: DumpRecord[] = []
  for await (const record of records) all.push(record)
  return all
}

export async function* streamOf(records: readonly DumpRecord[]): AsyncGenerator<DumpRecord> {
  yield* records
}

/** The lines of all files of a dump, and what its manifest says about the frontier. */
export function textOf(folder: string): string {
  const { frontier, crawl } = JSON.parse(readFileSync(join(folder, 'dump.json'), 'utf8'))
  const there = DUMP_FILES.filter(({ name }) => existsSync(join(folder, name)))
  const files = there.map(({ name }) => gunzipSync(readFileSync(join(folder, name))).toString())
  return `${JSON.stringify({ frontier, crawl })}\n${files.join('\n')}`
}

const never = () => Promise.reject(new Error('not here'))

/** A folder after a random life, left with open tickets. */
export async function lived(
  folder: string,
  options: FrontierOptions,
  random: RandomSource,
  clock: HandClock,
  revisits = false,
): Promise<void> {
  const snapshotBytes = random.pick([1, 3000, 1 << 25])
  const frontier = await openTimed({ ...options, folder, snapshotBytes }, clock)
  const player = new Player({ frontier, reopen: never }, clock, options.leaseMs)
  const operations = randomOperations(random, { ...smallWorld(false), revisits }, random.pick([5, 60, 200]))
  for (const operation of operations) await player.play(operation)
  await frontier.close()
}

/** Plays the same on both folders; what can be seen is the same, but for the order in which links became known. */
export async function continuesAlike(
  folders: readonly [string, string],
  options: FrontierOptions,
  random: RandomSource,
  nowMs: number,
  seed: number,
  revisits = false,
): Promise<void> {
  const clocks = [new HandClock(), new HandClock()] as const
  for (const clock of clocks) clock.nowMs = nowMs
  const open = (n: 0 | 1) => openTimed({ ...options, folder: folders[n] }, clocks[n])
  const frontiers = [await open(0), await open(1)] as const
  const players = frontiers.map((frontier, n) => new Player({ frontier, reopen: never }, clocks[n]!, options.leaseMs))
  const operations = randomOperations(random, { ...smallWorld(false), revisits }, 60).filter(one => one.do !== 'look')
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
