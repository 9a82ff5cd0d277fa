import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, unixClock } from '../../../base/clock.ts'
import { EscalonaError } from '../../../base/errors.ts'
import { FolderLock } from '../../../base/files/folder-lock.ts'
import { makeFolder } from '../../../base/files/make-folder.ts'
import { syncFolder } from '../../../base/files/sync-folder.ts'
import { isSystemError, reasonOf } from '../../../base/system-error.ts'
import type { DumpHead, DumpRecord } from '../../dump.ts'
import { notEmpty } from '../../dump-words.ts'
import { settingsOf } from '../../settings.ts'
import { Journal } from '../journal/journal.ts'
import { LedgerFile } from '../journal/ledger.ts'
import { IMPORTING, writeSeed } from '../journal/seed-file.ts'
import { words } from '../memory/words.ts'
import { Snapshot } from '../snapshot/snapshot.ts'
import { FrontierState } from '../state/state.ts'
import { Restoring } from './restoring.ts'

/** Where to restore a dump to. */
export interface LocalRestoreOptions {
  /** A new folder, or an empty one. */
  readonly folder: string
  /** The name of the dump in messages. */
  readonly dump: string
  /** Now, in milliseconds since 1970; default: the machine's clock. */
  readonly clock?: Clock
  /** Called when the folder says that it is unfinished, before anything else is written. */
  readonly onBegun?: () => Promise<void>
  /** Called with a sentence before waiting for a former owner of the folder. */
  readonly onWait?: (message: string) => void
}

/**
 * Makes a frontier in a folder from a dump. Until it is whole, the folder holds a file that says so, and can't be opened. Notes
 * are left out: a folder keeps none.
 */
export async function restoreLocal(options: LocalRestoreOptions, records: AsyncIterable<DumpRecord>): Promise<void> {
  const { folder } = options
  const held: (() => void)[] = []
  try {
    makeFolder(folder)
    const { onWait = () => {} } = options
    const lock = await FolderLock.acquire(folder, { lockedCode: 'FRONTIER_LOCKED', lostCode: 'FRONTIER_LOST', onWait })
    held.push(() => lock.release())
    if (readdirSync(folder).some(name => !/^\.?lock-/.test(name))) throw notEmpty(folder)
    await restoreLocked(options, lock, records, held)
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new EscalonaError('FRONTIER_UNUSABLE', words().cannotOpen(folder, reasonOf(error)), { cause: error })
  } finally {
    for (const letGo of held.toReversed()) letGo()
  }
}

async function restoreLocked(
  { folder, dump, clock = unixClock, onBegun }: LocalRestoreOptions,
  lock: FolderLock,
  records: AsyncIterable<DumpRecord>,
  held: (() => void)[],
): Promise<void> {
  writeFileSync(join(folder, IMPORTING), '', { flush: true })
  syncFolder(folder)
  await onBegun?.()
  const journal = new Journal(folder, lock.check)
  held.push(() => journal.letGo())
  const ledger = new LedgerFile(folder)
  held.push(() => ledger.close())
  journal.readFrom(1, () => {}, true)
  const iterator = records[Symbol.asyncIterator]()
  const head = (await iterator.next()).value as DumpHead
  const state = new FrontierState(settingsOf(choiceOf(head)), ledger, head.fingerprintSeed)
  const restoring = new Restoring(state, journal, ledger, clock(), dump)
  restoring.head(head)
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    if (restoring.add(next.value)) await journal.commit()
  }
  restoring.finish()
  journal.rotate()
  const snapshot = new Snapshot(state)
  try {
    await snapshot.write(folder, journal.segment, ledger, ledger.mark())
  } finally {
    snapshot.letGo()
  }
  lock.check()
  writeSeed(folder, head.fingerprintSeed)
  rmSync(join(folder, IMPORTING))
  syncFolder(folder)
}

/** A strategy that has as many turns. */
function choiceOf({ turns }: DumpHead): { strategy: 'breadth' | 'depth' | 'explore' } {
  return { strategy: turns.length === 2 ? 'explore' : turns.length === 1 ? 'breadth' : 'depth' }
}
