import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type Clock, unixClock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
import { whyOf } from '../../base/system-error.ts'
import { checkTime, closed } from '../checks.ts'
import type {
  BacklogClass,
  Cursor,
  Explanation,
  Frontier,
  FrontierCounts,
  FrontierOptions,
  FrontierViews,
  HostNotes,
  HostView,
  Link,
  LinkFilter,
  LinkView,
  Outlook,
  Page,
} from '../frontier.ts'
import { type FrontierSettings, settingsOf } from '../options.ts'
import { JournalReader } from './journal/journal-reader.ts'
import { type Ledger, LedgerFile, NO_LEDGER } from './journal/ledger.ts'
import { LinkTexts } from './journal/link-texts.ts'
import { readSeed } from './journal/segment-files.ts'
import { readFolder } from './snapshot/replay.ts'
import { FrontierState } from './state/state.ts'
import { Views } from './views.ts'

/**
 * How to read a frontier. Give `retries` and `delayMs` as its owner does: they decide which hosts count as down, and the
 * delays of the backlog.
 */
export interface ReadOnlyOptions extends Pick<FrontierOptions, 'retries' | 'delayMs' | 'clock'> {
  readonly folder: string
}

/** Its owner may remove files while they are read; then the newer ones are read, up to this many times with these pauses. */
const TRIES = 5
const PAUSE_MS = 20

/**
 * Reads a frontier's folder as it is now, without its lock and without changing anything, even while another process
 * writes it. To see later changes, open it again. Tickets that were open count as leased, even if their owner was killed.
 * Notes are not kept in the folder, so `noted` finds nothing.
 */
export async function openLocalReadOnly(options: ReadOnlyOptions): Promise<FrontierView> {
  const { folder, clock = unixClock, ...rest } = options
  const settings = settingsOf(rest)
  const { state, texts, journal } = await readUnlocked(folder, settings, new LedgerFile(folder), NO_LEDGER)
  state.goLive()
  return new ReadOnlyFrontier(state, texts, clock, journal)
}

/** A frontier's state as it was read, and where the texts of its links are. */
export interface ReadState {
  readonly state: FrontierState
  readonly texts: LinkTexts
  /** To be let go when it is no longer needed. */
  readonly journal: JournalReader
}

/** Reads the state of a frontier's folder without its lock. `ledger` is read; later links are added to `added`. */
export async function readUnlocked(
  folder: string,
  settings: FrontierSettings,
  ledger: LedgerFile,
  added: Ledger,
): Promise<ReadState> {
  for (let tries = 1; ; tries++) {
    try {
      return readOnce(folder, settings, ledger, added)
    } catch (error) {
      if (!isPassing(error) || tries === TRIES) throw shown(error, folder)
    }
    added.restart()
    await pause(PAUSE_MS * tries)
  }
}

function readOnce(folder: string, settings: FrontierSettings, ledger: LedgerFile, added: Ledger): ReadState {
  const seed = existsSync(folder) ? readSeed(folder) : undefined
  if (seed === undefined) {
    throw new EscalonaError('FRONTIER_MISSING/no-frontier', { folder })
  }
  const journal = new JournalReader(folder)
  try {
    const state = new FrontierState(settings, added, seed)
    readFolder(folder, state, ledger, journal, (from, onPayload) => journal.readFrom(from, onPayload))
    return { state, texts: new LinkTexts(state.links, journal, seed), journal }
  } catch (error) {
    journal.letGo()
    throw error
  }
}

/** Whether another try may succeed: a file vanished, or was being changed while it was read. */
function isPassing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOENT' || code === 'FRONTIER_DAMAGED'
}

function shown(error: unknown, folder: string): EscalonaError {
  if (error instanceof EscalonaError) return error
  return new EscalonaError('FRONTIER_UNUSABLE/cannot-read', { folder, why: whyOf(error) }, { cause: error })
}

/** What a frontier shows without being changed. */
export interface FrontierView extends FrontierViews, Pick<Frontier, 'counts' | 'close'>, Pick<HostNotes, 'noted'> {}

/** Implements the part of a frontier that changes nothing. */
export abstract class ReadableFrontier implements FrontierView {
  protected readonly state: FrontierState
  private readonly clock: Clock
  protected readonly views: Views

  constructor(state: FrontierState, texts: LinkTexts, clock: Clock) {
    this.state = state
    this.clock = clock
    this.views = new Views(state, texts)
  }

  /** Throws when the frontier can no longer be used. */
  protected abstract check(): void

  abstract close(): Promise<void>

  async counts(): Promise<FrontierCounts> {
    this.check()
    return this.views.counts()
  }

  async backlog(): Promise<readonly BacklogClass[]> {
    this.check()
    return this.state.backlog.classes(host => this.state.hosts.text(host))
  }

  async explain(urls: readonly string[]): Promise<readonly Explanation[]> {
    this.check()
    return this.views.explain(urls, this.clock())
  }

  async hosts(page: Cursor): Promise<Page<HostView>> {
    this.check()
    return this.views.hosts(page, this.clock())
  }

  async host(host: string): Promise<HostView | undefined> {
    this.check()
    return this.views.host(host, this.clock())
  }

  async link(url: string): Promise<LinkView | undefined> {
    this.check()
    return this.views.link(url)
  }

  async waiting(host: string, page: Cursor): Promise<Page<Link>> {
    this.check()
    return this.views.waiting(host, page)
  }

  async links(which: LinkFilter, page: Cursor): Promise<Page<LinkView>> {
    this.check()
    return this.views.links(which, page)
  }

  async outlook(): Promise<Outlook> {
    this.check()
    const nowMs = this.clock()
    checkTime(nowMs)
    return this.views.outlook(nowMs)
  }

  async noted(host: string, key: string): Promise<Uint8Array | undefined> {
    this.check()
    return this.state.notes.get(host, key, this.clock())
  }
}

class ReadOnlyFrontier extends ReadableFrontier {
  private readonly journal: JournalReader
  private isClosed = false

  constructor(state: FrontierState, texts: LinkTexts, clock: Clock, journal: JournalReader) {
    super(state, texts, clock)
    this.journal = journal
  }

  async close(): Promise<void> {
    this.isClosed = true
    this.journal.letGo()
  }

  protected check(): void {
    if (this.isClosed) throw closed()
  }
}
