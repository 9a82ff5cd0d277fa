import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Frontier } from '../../src/frontier/frontier.ts'
import { type LocalOptions, openLocal } from '../../src/frontier/local/open.ts'
import type { FrontierOptions } from '../model/frontier-oracle.ts'

/** Knows how to make a frontier of one kind. A new kind of frontier writes one, and passes the suite. */
export interface Maker {
  readonly name: string
  /** Why this kind is not closed and opened again in the tests; undefined when it is. */
  readonly whyNoReopening?: string
  /** A new, empty frontier. */
  make(options: FrontierOptions): Promise<Subject>
}

/** A frontier under test. */
export interface Subject {
  readonly frontier: Frontier
  /** Closes it and opens it again, with other options if they are given; `frontier` is the new one from then on. */
  reopen(options?: FrontierOptions): Promise<void>
  /** A second frontier, made of what this one would leave if the power went now. No call may be under way. */
  afterCrash(): Promise<Subject>
  /** Closes it and removes what it left. */
  end(): Promise<void>
}

export const memoryMaker: Maker = {
  name: 'memory',
  whyNoReopening: 'it is gone with the process',
  async make(options) {
    const frontier = await openLocal(options)
    const never = () => Promise.reject(new Error('it is gone with the process'))
    return { frontier, reopen: never, afterCrash: never, end: () => frontier.close() }
  },
}

export const folderMaker: Maker = {
  name: 'folder',
  make: options => FolderSubject.open(temporaryFrontier(), options),
}

export const MAKERS: readonly Maker[] = [memoryMaker, folderMaker]

class FolderSubject implements Subject {
  frontier: Frontier
  private readonly folder: string
  private options: FrontierOptions

  private constructor(frontier: Frontier, folder: string, options: FrontierOptions) {
    this.frontier = frontier
    this.folder = folder
    this.options = options
  }

  static async open(folder: string, options: FrontierOptions): Promise<FolderSubject> {
    return new FolderSubject(await openLocal(inFolder(folder, options)), folder, options)
  }

  async reopen(options = this.options): Promise<void> {
    this.options = options
    await this.frontier.close()
    this.frontier = await openLocal(inFolder(this.folder, options))
  }

  afterCrash(): Promise<Subject> {
    const copy = temporaryFrontier()
    copyFrontier(this.folder, copy)
    return FolderSubject.open(copy, this.options)
  }

  async end(): Promise<void> {
    await this.frontier.close().catch(() => {})
    removeFrontier(this.folder)
  }
}

/** How much the journal grows before a snapshot: next to nothing, a little, or more than any test writes. */
const SNAPSHOT_BYTES = [1, 700, undefined]

function inFolder(folder: string, options: FrontierOptions): LocalOptions {
  const snapshotBytes = SNAPSHOT_BYTES[options.seed % SNAPSHOT_BYTES.length]
  return { ...options, folder, ...(snapshotBytes === undefined ? {} : { snapshotBytes }) }
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
  cpSync(from, to, { recursive: true, filter: path => !isLock(basename(path)) })
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
