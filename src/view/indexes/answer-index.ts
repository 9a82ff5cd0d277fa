import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { ARCHIVE_FOLDER, archiveFiles, indexedFiles, PARTS_FOLDER, partPath } from '../../archive/names.ts'
import { targetUri } from '../../archive/record-text.ts'
import type { RecordLocation } from '../../archive/scan.ts'
import { findFinished, inPart } from '../../archive/visits-of.ts'
import { type Clock, systemClock, unixClock } from '../../base/clock.ts'
import { AnswerTable, FileInProgress } from './answer-table.ts'

/** How long it reads before the event loop gets a turn. */
const SLICE_MS = 5
/** Times of files may be coarse, and those of a file server may differ a little from ours. */
const SAME_TIME_MS = 1000
/** It follows the archive, so that there is little left to read for an answer, if there was a question in this time. */
const ASKED_MS = 60_000
const FOLLOW_MS = 1000

/**
 * Finds answers in the archive by their URLs, where a search would have to look into thousands of files: robots.txt files, and all
 * answers that are not a plain 200. Everything else is nearly always a page, and has a line in `pages.jsonl`.
 *
 * The parts of the archive's index are read once, newest first; of a file in progress only what is new.
 */
export class AnswerIndex {
  private readonly crawl: string
  private readonly stopwatch: Clock
  private readonly table = new AnswerTable()
  /** Names of files that have a part, by number. */
  private readonly names = new Map<number, string>()
  /** Numbers of files whose parts are still to be read, the newest at the end. */
  private older: number[] | undefined
  /** The newest file whose part was read, and the bytes of the part: it is written again if the file was opened again. */
  private newest = 0
  private newestBytes = 0
  private partsChangedMs = -1
  private filesChangedMs = -1
  private inProgress: FileInProgress[] = []
  private readonly reading: Promise<void>
  private catching: Promise<void> | undefined
  private askedAtMs = 0
  private timer: NodeJS.Timeout | undefined
  private isClosed = false

  constructor(crawl: string, stopwatch: Clock = systemClock) {
    this.crawl = crawl
    this.stopwatch = stopwatch
    this.reading = this.readOlder()
  }

  /** Where the newest answer to a request for this URL is. */
  async find(known: string): Promise<RecordLocation | undefined> {
    const url = targetUri(known)
    this.askedAtMs = this.stopwatch()
    await this.caughtUp()
    for (const file of this.inProgress) {
      const place = file.find(url)
      if (place !== undefined) return place
    }
    let number = this.table.find(url)
    while (number === undefined && this.older?.length !== 0 && !this.isClosed) {
      await turn()
      number = this.table.find(url)
    }
    const place = number === undefined ? undefined : inPart(this.crawl, this.names.get(number)!, url)
    if (place !== undefined || AnswerTable.hasAll(url)) return place
    return findFinished(this.crawl, url)
  }

  async close(): Promise<void> {
    this.isClosed = true
    clearTimeout(this.timer)
    await Promise.all([this.reading, this.catching?.catch(() => {})])
  }

  private async readOlder(): Promise<void> {
    // What made it continues first.
    await turn()
    this.older = this.parts()
    this.newest = this.older.at(-1) ?? 0
    this.newestBytes = sizeOf(this.pathOf(this.newest))
    await this.caughtUp().catch(() => {})
    for (let number = this.older.pop(); number !== undefined && !this.isClosed; number = this.older.pop()) {
      this.readPart(number, false)
      await turn()
    }
  }

  /** Reads what is new, once for all who ask meanwhile. */
  private caughtUp(): Promise<void> {
    clearTimeout(this.timer)
    this.catching ??= this.catchUp().finally(() => {
      this.catching = undefined
      if (this.isClosed || this.stopwatch() - this.askedAtMs > ASKED_MS) return
      // What cannot be read now is met again by the next question.
      this.timer = setTimeout(() => void this.caughtUp().catch(() => {}), FOLLOW_MS).unref()
    })
    return this.catching
  }

  /** Reads the parts of files that were finished since, and what is new in those in progress. */
  private async catchUp(): Promise<void> {
    while (this.older === undefined) await turn()
    let sliceMs = this.stopwatch()
    const rest = async () => {
      if (this.stopwatch() - sliceMs < SLICE_MS) return
      await turn()
      sliceMs = this.stopwatch()
    }
    // A file gets its part before it is finished: in this order, none is missed.
    this.lookForFiles()
    for (const file of this.inProgress) while (!this.isClosed && file.readSome()) await rest()
    const changedMs = changedAtMs(join(this.crawl, PARTS_FOLDER))
    if (changedMs === this.partsChangedMs) return
    for (const number of this.parts()) {
      if (!this.isNew(number)) continue
      this.readPart(number, true)
      this.newest = number
      this.newestBytes = sizeOf(this.pathOf(number))
      await rest()
    }
    this.partsChangedMs = changedMs
  }

  private isNew(number: number): boolean {
    return number > this.newest || (number === this.newest && sizeOf(this.pathOf(number)) !== this.newestBytes)
  }

  private lookForFiles(): void {
    const changedMs = changedAtMs(join(this.crawl, ARCHIVE_FOLDER))
    if (changedMs === this.filesChangedMs) return
    this.filesChangedMs = changedMs
    const names = archiveFiles(this.crawl).flatMap(({ name, isOpen }) => (isOpen ? [name] : []))
    const known = new Map(this.inProgress.map(file => [file.name, file]))
    this.inProgress = names.reverse().map(name => known.get(name) ?? new FileInProgress(this.crawl, name))
  }

  private readPart(number: number, isNewer: boolean): void {
    try {
      this.table.add(readFileSync(this.pathOf(number)), number, isNewer)
    } catch {
      // Removed meanwhile, with the answers in it.
    }
  }

  private pathOf(number: number): string {
    return partPath(this.crawl, this.names.get(number) ?? '')
  }

  /** Numbers of the files that have a part in the index, oldest first. */
  private parts(): number[] {
    const files = partsIn(this.crawl)
    for (const { number, name } of files) this.names.set(number, name)
    return files.map(({ number }) => number)
  }
}

function partsIn(crawl: string): ReturnType<typeof indexedFiles> {
  try {
    return indexedFiles(crawl)
  } catch {
    // A crawl that has not finished any file yet.
    return []
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** When a folder was last changed, in Unix time; NaN, which equals nothing, when that is so recent that another change may have the same time. */
function changedAtMs(path: string): number {
  const changedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return Math.abs(unixClock() - changedMs) < SAME_TIME_MS ? Number.NaN : changedMs
}
