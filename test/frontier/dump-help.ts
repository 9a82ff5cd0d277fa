// What the tests of exports share.

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { type Dump, type DumpHead, type DumpRecord, doneIn } from '../../src/frontier/dump.ts'
import { MANIFEST, RECORDS } from '../../src/frontier/dump-files.ts'
import type { Frontier, FrontierOptions } from '../../src/frontier/frontier.ts'
import { hostOf } from '../../src/url/host-of.ts'
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

/** A dump that was read. */
export interface Dumped {
  readonly head: DumpHead
  readonly records: readonly DumpRecord[]
}

export async function allOf(dump: Dump | Promise<Dump>): Promise<Dumped> {
  const { head, records } = await dump
  const all: DumpRecord[] = []
  for await (const some of records) all.push(...some)
  return { head, records: all }
}

/** Its records, as an import reads them. */
export function streamOf({ head, records }: Dumped, more: readonly DumpRecord[] = []): Dump {
  const stream = async function* () {
    yield records
    yield more
  }
  return { head, records: stream() }
}

/** What a dump says, without the order in which hosts and done links became known, and without parts: those are known less exactly after shards. */
export function factsOf(dumped: Dumped): unknown {
  // As written: without what is undefined.
  const { head, records }: Dumped = JSON.parse(JSON.stringify(dumped))
  const sorted = (kind: DumpRecord['kind']) =>
    records.filter(one => one.kind === kind).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  const lists: Record<string, DumpRecord[]> = {}
  for (const record of records) {
    if (record.kind !== 'link') continue
    const { url, kind = 'page', rank, refused } = record.link
    const list = refused === undefined ? `${hostOf(url)} ${kind === 'page' ? rank : 'auxiliaries'}` : `refused ${url}`
    lists[list] ??= []
    lists[list].push(record)
  }
  const planned: Record<string, DumpRecord[]> = {}
  for (const record of records) if (record.kind === 'planned') (planned[hostOf(record.visit.url)] ??= []).push(record)
  for (const list of Object.values(planned)) list.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  const done = records.flatMap(one => (one.kind === 'done' ? [...doneIn(one)] : []))
  return {
    ...{ head: { ...head, parts: 0 }, lists, servers: sorted('server'), hosts: sorted('host'), notes: sorted('note') },
    done: done.map(({ low, high, isPage }) => `${low} ${high} ${isPage}`).sort(),
    planned,
  }
}

/** The lines of a dump, and what its manifest says about the frontier. */
export function textOf(folder: string): string {
  const { frontier, crawl } = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8'))
  return `${JSON.stringify({ frontier, crawl })}\n${gunzipSync(readFileSync(join(folder, RECORDS)))}`
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

/**
 * Everything that can be seen of both folders is the same, and so is what they lease. Whose turn it is among hosts is not part of a dump:
 * with `isExact`, a strategy without turns and the same order of hosts, the same is played on both; otherwise everything is leased
 * and settled, and compared host by host.
 */
export async function continuesAlike(
  folders: readonly [string, string],
  options: FrontierOptions,
  random: RandomSource,
  nowMs: number,
  { seed, revisits = false, isExact = hasNoTurns(options) }: { seed: number; revisits?: boolean; isExact?: boolean },
): Promise<void> {
  const clocks = [new HandClock(), new HandClock()] as const
  for (const clock of clocks) clock.nowMs = nowMs
  const open = (n: 0 | 1) => openTimed({ ...options, folder: folders[n] }, clocks[n])
  const frontiers = [await open(0), await open(1)] as const
  const players = frontiers.map((frontier, n) => new Player({ frontier, reopen: never }, clocks[n]!, options.leaseMs))
  const urls = urlsOf(smallWorld(false))
  const compare = async (when: string) => {
    const [first, second] = [await players[0]!.look(urls), await players[1]!.look(urls)]
    assert.deepEqual(seenOf(second), seenOf(first), `ESCALONA_SEED=${seed}, ${when}`)
  }
  await compare('at first')
  if (isExact) {
    const operations = randomOperations(random, { ...smallWorld(false), revisits }, 60).filter(one => one.do !== 'look')
    for (const [n, operation] of operations.entries()) {
      const [first, second] = [await players[0]!.play(operation), await players[1]!.play(operation)]
      assert.deepEqual(withoutIds(second), withoutIds(first), `ESCALONA_SEED=${seed}, operation ${n}: ${operation.do}`)
    }
    await compare('in the end')
  } else {
    for (const frontier of frontiers) await frontier.rules?.change({ limit: Number.POSITIVE_INFINITY })
    const [first, second] = [await drained(frontiers[0], clocks[0]), await drained(frontiers[1], clocks[1])]
    assert.deepEqual(second, first, `ESCALONA_SEED=${seed}, drained`)
  }
  for (const frontier of frontiers) await frontier.close()
}

function hasNoTurns({ strategy }: FrontierOptions): boolean {
  return strategy === 'depth' || strategy === 'best'
}

/** Leases and settles everything, and returns the tickets of each host in their order. */
async function drained(frontier: Frontier, clock: HandClock): Promise<Record<string, unknown[]>> {
  const tickets: Record<string, unknown[]> = {}
  for (let isMore = true; isMore; ) {
    const taken = await frontier.take(1000)
    for (const ticket of taken.tickets) {
      const { id, leaseMs: _, server: __, again, ...rest } = ticket
      tickets[rest.host] ??= []
      tickets[rest.host]!.push({ ...rest, again })
      const outcome = { kind: 'done', isPage: rest.kind === 'page' } as const
      await frontier.settle([{ ticketId: id, outcome, links: [], shown: 'answer', delayMs: 0 }])
    }
    clock.nowMs += taken.waitMs ?? 0
    isMore = taken.tickets.length > 0 || taken.waitMs !== undefined
  }
  return tickets
}

const IDS: ReadonlySet<string> = new Set(['id', 'ticketId', 'late'])

/** Tickets of an imported frontier are numbered anew; of a list of them, only its length is compared. */
function withoutIds(result: unknown): unknown {
  const isIds = (key: string, value: unknown) =>
    key !== 'fresh' && Array.isArray(value) && value.length > 0 && value.every(one => typeof one === 'number')
  const shown = (key: string, value: unknown) =>
    IDS.has(key) ? undefined : isIds(key, value) ? (value as unknown[]).length : value
  return JSON.parse(JSON.stringify(result ?? null, shown))
}

/** Lists of hosts and links in any order: an import does not keep the order in which links of different hosts became known. */
function seenOf(seen: unknown): unknown {
  const { links, hosts, ...rest } = withoutIds(seen) as { links: { url: string }[][]; hosts: { host: string }[] }
  const sorted = links.map(list => list.toSorted((a, b) => (a.url < b.url ? -1 : 1)))
  return { ...rest, links: sorted, hosts: hosts.toSorted((a, b) => (a.host < b.host ? -1 : 1)) }
}
