import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { unixClock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
import { FolderLock } from '../../base/files/folder-lock.ts'
import { makeFolder } from '../../base/files/make-folder.ts'
import { replaceByCopy } from '../../base/files/whole-file.ts'
import { unpredictableSeed } from '../../base/random.ts'
import { whyOf } from '../../base/system-error.ts'
import type { CrawlFrontier, FrontierOptions } from '../frontier.ts'
import { type FrontierSettings, settingsOf } from '../options.ts'
import { Journal } from './journal/journal.ts'
import { LedgerFile, NO_LEDGER } from './journal/ledger.ts'
import { MemoryLog } from './journal/link-log.ts'
import { LinkTexts } from './journal/link-texts.ts'
import { readSeed, writeSeed } from './journal/segment-files.ts'
import { LocalFrontier } from './local-frontier.ts'
import type { UnusualOrder } from './memory/waiting-lists.ts'
import { readFolder } from './snapshot/replay.ts'
import { LEAST_SNAPSHOT_BYTES, SnapshotKeeper } from './snapshot/snapshot-keeper.ts'
import { FrontierState } from './state/state.ts'

/** How to open a frontier in a folder. */
export interface LocalOptions extends FrontierOptions {
  /** Where the frontier is kept. Without a folder it lives in memory and ends with the process. */
  readonly folder?: string
  /** A snapshot is taken when the journal has grown by this, or by 4 bytes per known link, whichever is more; default 32 MiB. */
  readonly snapshotBytes?: number
  /**
   * A file outside of the folder that also remembers how far the journal was acknowledged. With it, an older copy of the whole
   * folder is an error, too.
   */
  readonly witness?: string
  /** Called with a message when something half-written by a crash was cut off, or when the clock went back. */
  readonly onRepair?: (message: string) => void
}

/** Opens a frontier on this machine: in a folder, where it continues as it was left, or in memory. */
export async function openLocal(options: LocalOptions = {}): Promise<Required<CrawlFrontier>> {
  const settings = settingsOf(options)
  return options.folder === undefined ? openInMemory(options, settings) : openFolder(options.folder, options, settings)
}

/** In memory, in an order that is of use in comparisons only: random hosts, or of each host the newest link first. */
export function openUnusual(order: UnusualOrder, options: FrontierOptions): Required<CrawlFrontier> {
  return openInMemory(options, settingsOf(options), order)
}

function openInMemory(
  { clock = unixClock }: LocalOptions,
  settings: FrontierSettings,
  order?: UnusualOrder,
): LocalFrontier {
  const log = new MemoryLog()
  const seed = unpredictableSeed()
  const state = new FrontierState(settings, NO_LEDGER, seed, order)
  const afterChange = () => {
    for (const [segment, links] of state.needed.all()) if (links === 0 && segment < log.segment) dropSegment(segment)
  }
  const dropSegment = (segment: number) => {
    log.drop(segment)
    state.needed.delete(segment)
  }
  const keeper = { afterChange, async beforeClose() {}, close() {} }
  const texts = new LinkTexts(state.links, log, seed)
  state.goLive()
  return new LocalFrontier({ state, log, texts, keeper, clock, canReopen: false })
}

async function openFolder(
  folder: string,
  options: LocalOptions,
  settings: FrontierSettings,
): Promise<Required<CrawlFrontier>> {
  const held: { letGo(): void }[] = []
  try {
    makeFolder(folder)
    const lock = await FolderLock.acquire(folder, {
      codes: 'FRONTIER',
      onWait: options.onRepair ?? noOne,
    })
    held.push({ letGo: () => lock.release() })
    if (lock.tookOver) leaveOpenFiles(folder, lock)
    return await openLocked(folder, options, settings, lock, held)
  } catch (error) {
    for (const { letGo } of held.toReversed()) letGo()
    if (error instanceof EscalonaError) throw error
    throw new EscalonaError('FRONTIER_UNUSABLE/cannot-open', { folder, why: whyOf(error) }, { cause: error })
  }
}

/** The former owner may still have these files open and write to them. Copies take their place, so that its writes are never read. */
function leaveOpenFiles(folder: string, lock: FolderLock): void {
  for (const name of readdirSync(folder)) {
    if (/^(?:journal-\d{8}\.log|links-\d{8}\.bin)$/.test(name)) replaceByCopy(join(folder, name), lock.check)
  }
}

/** Removes snapshots that a crash left unfinished. */
function dropHalfSnapshots(folder: string): void {
  for (const name of readdirSync(folder)) if (/^snapshot-\d{8}\.bin\.tmp$/.test(name)) rmSync(join(folder, name))
}

async function openLocked(
  folder: string,
  options: LocalOptions,
  settings: FrontierSettings,
  lock: FolderLock,
  held: { letGo(): void }[],
): Promise<Required<CrawlFrontier>> {
  const { clock = unixClock, onRepair = noOne, snapshotBytes = LEAST_SNAPSHOT_BYTES } = options
  const known = readSeed(folder)
  const seed = known ?? unpredictableSeed()
  const journal = new Journal(folder, seed, lock.check, onRepair, options.witness)
  held.push({ letGo: () => journal.letGo() })
  const ledger = new LedgerFile(folder)
  held.push({ letGo: () => ledger.close() })
  const state = new FrontierState(settings, ledger, seed)
  dropHalfSnapshots(folder)
  const isNew = known === undefined
  readFolder(folder, state, ledger, journal, (from, onPayload) => journal.readFrom(from, onPayload, isNew))
  if (isNew) writeSeed(folder, seed)
  const keeper = new SnapshotKeeper(folder, journal, ledger, state, snapshotBytes, () => lock.release())
  const texts = new LinkTexts(state.links, journal, seed)
  const frontier = new LocalFrontier({ state, log: journal, texts, keeper, clock, canReopen: true })
  const { delayMs, retries } = settings
  await frontier.reopen({ nowMs: clock(), delayMs, retries }, onRepair)
  return frontier
}

function noOne(): void {}
