import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { EscalonaError } from '../../base/errors.ts'
import { FolderLock } from '../../base/folder-lock.ts'
import { unpredictableSeed } from '../../base/random.ts'
import { syncFolder } from '../../base/sync-folder.ts'
import { reasonOf } from '../../base/system-error.ts'
import type { StrategyName } from '../../scheduler/strategy.ts'
import type { Frontier } from '../frontier.ts'
import { damaged } from './damaged.ts'
import { EMPTY_JOURNAL_BYTES, Journal } from './journal.ts'
import { LedgerFile, NO_LEDGER } from './ledger.ts'
import { MemoryLog } from './link-log.ts'
import { LocalFrontier } from './local-frontier.ts'
import { replay } from './replay.ts'
import { readSnapshot, writeSnapshot } from './snapshot.ts'
import { FrontierState } from './state.ts'

export interface LocalOptions {
  /** Where the frontier is kept. Without a folder it lives in memory and is gone with the process. */
  readonly folder?: string
  /** Which host is next, of those that are ready; `breadth` when nothing is said. */
  readonly strategy?: StrategyName | 'explore'
  /** With `explore`: the probability of a host whose registrable domain was never visited; 0.7 when nothing is said. */
  readonly exploreChance?: number
  /** Chance, handed in: with the same seed, the same calls give the same tickets. */
  readonly seed?: number
  /** How long a ticket is lent. A minute when nothing is said. */
  readonly leaseMs?: number
  /** The least delay of every host; it also holds for visits that a crash cut off. 0 when nothing is said. */
  readonly delayMs?: number
  /**
   * Now, in milliseconds since 1970. A visit that a crash cut off may have asked its host at any time until then; without
   * it, the host is taken to have been asked when the link was lent.
   */
  readonly nowMs?: number
  /** A snapshot is taken when the journal has grown by this, or by 4 bytes for each known link; 32 MiB if nothing is said. */
  readonly snapshotBytes?: number
  /** Told in words when a crash had left something torn, which was cut off. */
  readonly onRepair?: (message: string) => void
}

/** A snapshot is due when the journal has grown by this, or by so many bytes for each known link. */
const LEAST_SNAPSHOT_BYTES = 1 << 25
const SNAPSHOT_BYTES_A_LINK = 4

/** Opens a frontier on this machine: in a folder, where it goes on as it was left, or in memory. */
export async function openLocal(options: LocalOptions = {}): Promise<Frontier> {
  return options.folder === undefined ? openInMemory(options) : openFolder(options.folder, options)
}

function openInMemory(options: LocalOptions): Frontier {
  const log = new MemoryLog()
  const state = new FrontierState(stateOptions(options), log, NO_LEDGER, unpredictableSeed())
  const afterChange = () => {
    for (const [segment, links] of state.needed) if (links === 0 && segment < log.segment) dropSegment(segment)
  }
  const dropSegment = (segment: number) => {
    log.drop(segment)
    state.needed.delete(segment)
  }
  return new LocalFrontier(state, log, { afterChange, beforeClose() {}, close() {} }, ...times(options))
}

async function openFolder(folder: string, options: LocalOptions): Promise<Frontier> {
  let lock: FolderLock | undefined
  try {
    mkdirSync(folder, { recursive: true })
    lock = await FolderLock.acquire(folder, {
      lockedCode: 'FRONTIER_LOCKED',
      lostCode: 'FRONTIER_LOST',
      onWait: options.onRepair ?? noOne,
    })
    return await openLocked(folder, options, lock)
  } catch (error) {
    lock?.release()
    if (error instanceof EscalonaError) throw error
    const message = `cannot open the frontier in ${folder}: ${reasonOf(error)}`
    throw new EscalonaError('FRONTIER_UNUSABLE', message, { cause: error })
  }
}

async function openLocked(folder: string, options: LocalOptions, lock: FolderLock): Promise<Frontier> {
  const known = readSeed(folder)
  const seed = known ?? unpredictableSeed()
  const journal = new Journal(folder)
  const ledger = new LedgerFile(folder)
  const state = new FrontierState(stateOptions(options), journal, ledger, seed)
  const from = readSnapshot(folder, state, ledger)
  const { onRepair = noOne } = options
  journal.readFrom(from, known === undefined, (payload, place) => replay(state, payload, place), onRepair)
  if (known === undefined) writeSeed(folder, seed)
  for (const [segment, links] of state.needed) {
    if (links > 0 && !journal.has(segment)) throw damaged(`${folder}, segment ${segment}`, 0, 'the file is missing')
  }
  const least = options.snapshotBytes ?? LEAST_SNAPSHOT_BYTES
  /** A snapshot only saves time: one that fails is tried again later, and the journal goes on, or says itself why not. */
  const trySnapshot = () => {
    try {
      takeSnapshot(folder, journal, state, ledger)
    } catch {
      journal.bytesSinceSnapshot = 0
    }
  }
  const keeper = {
    afterChange() {
      const due = Math.max(least, state.links.last * SNAPSHOT_BYTES_A_LINK)
      if (journal.bytesSinceSnapshot >= due) trySnapshot()
    },
    beforeClose() {
      if (journal.bytesSinceSnapshot >= LEAST_SNAPSHOT_BYTES / 32) trySnapshot()
    },
    close() {
      ledger.close()
      lock.release()
    },
  }
  const frontier = new LocalFrontier(state, journal, keeper, ...times(options))
  await frontier.recover(options.nowMs)
  return frontier
}

function noOne(): void {}

/** Everything up to now goes into a snapshot; segments of which nothing is needed any more go. */
function takeSnapshot(folder: string, journal: Journal, state: FrontierState, ledger: LedgerFile): void {
  journal.rotate()
  journal.bytesSinceSnapshot = 0
  writeSnapshot(folder, journal.segment, state, ledger)
  for (const segment of journal.segments()) {
    if (segment < journal.segment && (state.needed.get(segment) ?? 0) === 0) {
      journal.drop(segment)
      state.needed.delete(segment)
    }
  }
}

function stateOptions(options: LocalOptions) {
  const { strategy = 'breadth', exploreChance = 0.7, seed = 1 } = options
  return { strategy, exploreChance, seed }
}

function times({ leaseMs = 60_000, delayMs = 0 }: LocalOptions): [number, number] {
  return [leaseMs, delayMs]
}

/**
 * `frontier.txt` tells the version and the seed of the fingerprints, which must never change, and its own checksum. It is
 * the last thing that is made when a frontier begins: without it, nothing was ever acknowledged.
 */
function readSeed(folder: string): [number, number] | undefined {
  const path = join(folder, 'frontier.txt')
  if (!existsSync(path)) {
    const isBegun = readdirSync(folder).some(name => /^snapshot-.*\.bin$|^journal-(?!00000001).*\.log$/.test(name))
    if (isBegun || sizeOf(join(folder, 'journal-00000001.log')) > EMPTY_JOURNAL_BYTES) {
      throw damaged(path, 0, 'the file is missing')
    }
    return undefined
  }
  const parts = /^(escalona frontier 1 (-?\d+) (-?\d+)) (\d+)\n$/.exec(readFileSync(path, 'utf8'))
  const [, text, low, high, sum] = parts ?? []
  if (text === undefined || crc32(text) !== Number(sum)) throw damaged(path, 0, 'the checksum is wrong')
  return [Number(low), Number(high)]
}

function writeSeed(folder: string, seed: readonly [number, number]): void {
  const text = `escalona frontier 1 ${seed[0]} ${seed[1]}`
  const path = join(folder, 'frontier.txt')
  writeFileSync(`${path}.tmp`, `${text} ${crc32(text)}\n`, { flush: true })
  renameSync(`${path}.tmp`, path)
  syncFolder(folder)
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
