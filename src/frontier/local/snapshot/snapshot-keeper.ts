import type { Journal } from '../journal/journal.ts'
import type { LedgerFile } from '../journal/ledger.ts'
import type { FrontierState } from '../state/state.ts'
import { Snapshot } from './snapshot.ts'

/** A snapshot is due when the journal has grown by this, or by this many bytes per known link, whichever is more. */
export const LEAST_SNAPSHOT_BYTES = 1 << 25
const SNAPSHOT_BYTES_PER_LINK = 4

/** What keeps a frontier safe besides its log. */
export interface Keeper {
  /** Called after a change, when everything is safe. */
  afterChange(): void
  beforeClose(): Promise<void>
  close(): void
}

/**
 * Takes snapshots. A snapshot only saves time at the next opening: if one fails, it is tried again later, and the journal
 * continues, or reports its own failure.
 */
export class SnapshotKeeper implements Keeper {
  private readonly folder: string
  private readonly journal: Journal
  private readonly ledger: LedgerFile
  private readonly state: FrontierState
  private readonly leastBytes: number
  private readonly release: () => void
  private underWay: Promise<void> | undefined

  constructor(
    folder: string,
    journal: Journal,
    ledger: LedgerFile,
    state: FrontierState,
    leastBytes: number,
    release: () => void,
  ) {
    this.folder = folder
    this.journal = journal
    this.ledger = ledger
    this.state = state
    this.leastBytes = leastBytes
    this.release = release
  }

  afterChange(): void {
    const due = Math.max(this.leastBytes, this.state.links.last * SNAPSHOT_BYTES_PER_LINK)
    if (this.journal.bytesSinceSnapshot >= due) this.begin()
  }

  async beforeClose(): Promise<void> {
    await this.underWay
    if (this.journal.bytesSinceSnapshot >= LEAST_SNAPSHOT_BYTES / 32) this.begin()
    await this.underWay
  }

  close(): void {
    this.ledger.close()
    this.release()
  }

  /** Begins a snapshot, unless one is under way. */
  private begin(): void {
    this.underWay ??= this.take()
      .catch(() => {})
      .finally(() => {
        this.underWay = undefined
      })
  }

  /**
   * Writes everything up to now to a snapshot, and drops the segments that are no longer needed. The state is copied at the
   * end of a segment, when everything is safe, and written at leisure.
   */
  private async take(): Promise<void> {
    const { journal, state, ledger } = this
    journal.bytesSinceSnapshot = 0
    journal.rotate()
    const { segment } = journal
    const mark = ledger.mark()
    const snapshot = new Snapshot(state)
    const unneeded = journal.segments().filter(one => one < segment && state.needed.of(one) === 0)
    try {
      await snapshot.write(this.folder, segment, ledger, mark)
    } finally {
      snapshot.letGo()
    }
    for (const one of unneeded) {
      journal.drop(one)
      state.needed.delete(one)
    }
  }
}
