import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { SyncedMark } from '../../src/base/files/synced-mark.ts'
import type { CrawlFrontier, FrontierOptions, FrontierSupport } from '../../src/frontier/frontier.ts'
import type { LocalOptions } from '../../src/frontier/local/open.ts'
import type { HandClock } from './hand-clock.ts'
import { openTimed, type TimedFrontier } from './timed.ts'

/** Facts about a frontier, and which optional parts it has. */
export interface Abilities extends FrontierSupport {
  readonly change: boolean
}

export function abilitiesOf({ supports, rules }: CrawlFrontier): Abilities {
  return { ...supports, change: rules !== undefined }
}

/** Knows how to make a frontier of one kind. A new kind of frontier writes one, and passes the suite. */
export interface Maker {
  readonly name: string
  /** What it does not promise besides its abilities; tests that need it are skipped. */
  readonly lacks?: readonly Need[]
  /** Into how many parts it divides its hosts, if it does; its frontiers are then {@link PartedFrontier}s. */
  readonly parts?: number
  /** Its calls take so long that only this share of the rounds of a law is played, and of its lives the known ones. */
  readonly pace?: number
  /** Options that its random lives always have. */
  readonly plays?: FrontierOptions
  /** A new, empty frontier. The clock is read by the frontier alone; whoever plays on it winds it. */
  make(options: FrontierOptions, clock: HandClock): Promise<Subject>
}

/** A frontier that divides its hosts by their registrable domains. */
export interface PartedFrontier extends TimedFrontier {
  /** The number of the part that a host belongs to, from 0. */
  partOf(host: string): number
}

/** A frontier under test. */
export interface Subject {
  readonly frontier: TimedFrontier
  /** What it said at its last opening about things that it had repaired. */
  readonly repairs: readonly string[]
  /** Closes it and opens it again, with other options if they are given; `frontier` is the new one from then on. */
  reopen(options?: FrontierOptions): Promise<void>
  /** A second frontier, made of what this one would leave if the power went now. No call may be under way. */
  afterCrash(): Promise<Subject>
  /** Closes it and removes what it left. */
  end(): Promise<void>
}

/**
 * What a frontier may support, and what else a test may need.
 *
 * - `onePart`: all hosts are in one part, so that strategies are exact over all of them as long as no server has a say.
 * - `ownClock`: it remembers the latest time, and notices at an opening that its clock has gone back.
 * - `knownOrder`: of a host's due links with the same gain and time, the first known comes first, not the first planned.
 * - `callOrder`: calls that were made without waiting for each other take effect in the order in which they were made.
 */
export type Need = keyof Abilities | 'onePart' | 'ownClock' | 'knownOrder' | 'callOrder'

/** Why a test that needs this is skipped. */
export const WHY_SKIPPED: Readonly<Record<Need, string>> = {
  exactOrder: 'its lines at servers are exact only in the long run',
  reopen: 'it cannot be closed and opened again',
  change: "what holds for all crawlers is not one crawler's to change",
  onePart: 'its order is exact only inside a part of the hosts',
  ownClock: 'its clock is that of its engine, for everybody',
  knownOrder: 'of due links of the same gain and time, the first planned comes first',
  callOrder: 'calls that are not awaited take effect in any order',
}

/** Why something that needs these can't be tested; undefined when it can. */
export function missingOf(maker: Maker, frontier: CrawlFrontier, needs: readonly Need[]): string | undefined {
  const abilities: Partial<Record<Need, boolean>> = { ...abilitiesOf(frontier) }
  const missing = needs.find(need => !(abilities[need] ?? !lacks(maker, need)))
  return missing && WHY_SKIPPED[missing]
}

export function lacks(maker: Maker, need: Need): boolean {
  return maker.lacks?.includes(need) ?? false
}

export const memoryMaker: Maker = {
  name: 'memory',
  async make(options, clock) {
    const frontier = await openTimed(options, clock)
    const never = () => Promise.reject(new Error('it is gone with the process'))
    return { frontier, repairs: [], reopen: never, afterCrash: never, end: () => frontier.close() }
  },
}

export const folderMaker: Maker = {
  name: 'folder',
  make: (options, clock) => FolderSubject.open(temporaryFrontier(), options, clock),
}

export const MAKERS: readonly Maker[] = [memoryMaker, folderMaker]

class FolderSubject implements Subject {
  readonly repairs: string[] = []
  private opened: TimedFrontier | undefined
  private readonly folder: string
  private readonly clock: HandClock
  private options: FrontierOptions

  private constructor(folder: string, options: FrontierOptions, clock: HandClock) {
    this.folder = folder
    this.options = options
    this.clock = clock
  }

  static async open(folder: string, options: FrontierOptions, clock: HandClock): Promise<FolderSubject> {
    const subject = new FolderSubject(folder, options, clock)
    await subject.openIt()
    return subject
  }

  get frontier(): TimedFrontier {
    return this.opened!
  }

  async reopen(options = this.options): Promise<void> {
    this.options = options
    await this.frontier.close()
    await this.openIt()
  }

  afterCrash(): Promise<Subject> {
    const copy = temporaryFrontier()
    copyFrontier(this.folder, copy)
    return FolderSubject.open(copy, this.options, this.clock)
  }

  async end(): Promise<void> {
    await this.opened?.close().catch(() => {})
    removeFrontier(this.folder)
  }

  private async openIt(): Promise<void> {
    this.repairs.length = 0
    const { folder, clock } = this
    const onRepair = (message: string) => this.repairs.push(message)
    this.opened = await openTimed({ ...this.options, ...snapshots(this.options), folder, onRepair }, clock)
  }
}

/** How much the journal grows before a snapshot: next to nothing, a little, or more than any test writes. */
const SNAPSHOT_BYTES = [1, 700, undefined]

function snapshots({ seed = 0 }: FrontierOptions): Pick<LocalOptions, 'snapshotBytes'> {
  const snapshotBytes = SNAPSHOT_BYTES[seed % SNAPSHOT_BYTES.length]
  return snapshotBytes === undefined ? {} : { snapshotBytes }
}

/** The path of a folder for a frontier; it does not exist yet, but the folder around it does. */
export function temporaryFrontier(within = tmpdir()): string {
  return join(mkdtempSync(join(within, 'escalona-frontier-')), 'frontier')
}

export function removeFrontier(folder: string): void {
  rmSync(join(folder, '..'), { recursive: true, force: true })
}

/** Copies what a frontier keeps, but not the mark of the process that has it open. */
export function copyFrontier(from: string, to: string): void {
  // A snapshot that is being written is renamed at any moment.
  cpSync(from, to, { recursive: true, filter: path => !isLock(basename(path)) && !path.endsWith('.tmp') })
}

export function isLock(name: string): boolean {
  return /lock/.test(name)
}

/** The files of a frontier that hold its state, in the order of their names. */
export function filesOf(folder: string): string[] {
  return readdirSync(folder)
    .filter(name => !isLock(name))
    .sort()
}

/** The mark of a journal that is known to be on disk up to there: as a power cut may leave it, it can say too little. */
export function syncedUpTo(journal: string, bytes: number): Buffer {
  const path = temporaryFrontier()
  const mark = new SyncedMark(path)
  mark.write({ file: journal, bytes, crc: 0 })
  mark.close()
  const line = readFileSync(path)
  removeFrontier(path)
  return line
}
