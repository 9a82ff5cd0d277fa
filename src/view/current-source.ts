import type { Clock } from '../base/clock.ts'
import { EscalonaError } from '../base/errors.ts'
import { crawlFileStamp } from '../folder/crawl-file.ts'
import { isGone, ProcessSource } from './process/process-source.ts'
import { type Asks, questionNamed, type Says, type Source, type SourceName } from './questions/questions.ts'

/** Lists of more pages than this are read from the files, so that this process does the work and not the crawl's. */
const MOST_PAGES = 6
/** A frontier with more links than this would take too much memory to read: about 45 bytes each. */
const MOST_READ = 2_000_000
/** How often to look whether a crawl that did not run has begun to, and after it has accepted a question but not answered. */
const LOOK_AGAIN_MS = 1000
const SILENT_MS = 30_000
const MOST_TRIES = 3
/** A crawl that has not answered for this long may have no socket. */
const OPENING_MS = 10_000

export interface SourceOptions {
  readonly frontierPassword?: string | undefined
  /**
   * When the process of a running crawl does not answer yet, or no longer, wait for it, with the error `CRAWL_CLOSING`
   * meanwhile, instead of reading its files: those of a large crawl take a lot of memory.
   */
  readonly isPatient?: boolean
}

interface OpenedSource extends Source {
  /** The connection to a running crawl; undefined: the files are read. */
  readonly process?: ProcessSource
  /** Of the files: which state of `crawl.json` they belong to. */
  readonly stamp?: string
  close(): Promise<void>
}

/**
 * Asks the running crawl, or reads the files when nothing answers. Changes over by itself when the crawl ends or begins. Cursors
 * are the same in both, so when the crawl ends in the middle of a list, the list continues from the files.
 */
export class CurrentSource implements Source {
  private readonly folder: string
  private readonly clock: Clock
  private readonly options: SourceOptions
  /** Never rejects; undefined when nothing is open. */
  private opened: Promise<OpenedSource | undefined> = Promise.resolve(undefined)
  /** Answers long lists of a running crawl; undefined until it is needed. */
  private files: Promise<OpenedSource | undefined> | undefined
  private pages = 0
  private hasAsked = false
  private isClosed = false
  private readonly sinceMs: number
  private lookAgainMs = 0

  constructor(folder: string, clock: Clock, options: SourceOptions = {}) {
    this.folder = folder
    this.clock = clock
    this.options = options
    this.sinceMs = clock()
  }

  async ask<Name extends SourceName>(name: Name, question: Asks<Name>): Promise<Says<Name>> {
    // Asked once only: the crawl may have done it although its answer was lost.
    if (name === 'act') return (await this.current()).ask(name, question)
    const isFromFiles = questionNamed(name)!.isFromFiles?.(question as never) ?? false
    // Those who ask again and again want to know how it is now.
    if (isFromFiles && this.options.isPatient !== true && this.pages++ >= MOST_PAGES) {
      this.files ??= this.openFilesIfSmall()
      const files = await this.files
      if (files !== undefined) return files.ask(name, question)
    }
    return this.askAgain(name, question)
  }

  async close(): Promise<void> {
    this.isClosed = true
    const { opened, files } = this
    this.opened = Promise.resolve(undefined)
    this.files = undefined
    for (const one of [await opened, await files]) await one?.close()
  }

  /** If the crawl ends, or drops a very slow reader, asks once more and then falls back to the files. */
  private async askAgain<Name extends SourceName>(name: Name, question: Asks<Name>): Promise<Says<Name>> {
    for (let tries = 1; ; tries++) {
      const source = await this.current(tries === MOST_TRIES)
      try {
        return await source.ask(name, question)
      } catch (error) {
        if (!isGone(error) || this.isClosed || tries === MOST_TRIES) throw error
      }
    }
  }

  /** `isSilent`: the crawl accepts questions and does not answer them. */
  private current(isSilent = false): Promise<OpenedSource> {
    const next = this.opened.then(one => this.upToDate(one, isSilent))
    this.opened = next.catch(() => undefined)
    return next
  }

  private async upToDate(one: OpenedSource | undefined, isSilent: boolean): Promise<OpenedSource> {
    if (one?.process?.isOpen && !isSilent) return one
    if (one !== undefined && one.process === undefined && this.clock() < this.lookAgainMs) return one
    const process = isSilent ? undefined : await ProcessSource.of(this.folder)
    this.lookAgainMs = this.clock() + (isSilent ? SILENT_MS : LOOK_AGAIN_MS)
    if (process !== undefined) {
      this.hasAsked = true
      await one?.close()
      return { process, ask: (name, question) => process.ask(name, question), close: async () => process.close() }
    }
    const isBusy = await this.isBusy()
    if (one !== undefined && one.process === undefined && (isBusy || one.stamp === crawlFileStamp(this.folder)))
      return one
    await one?.close()
    if (isBusy) throw new EscalonaError('CRAWL_CLOSING', { path: this.folder })
    return this.openFiles()
  }

  /** Whether a process is there that will answer, or has answered before; false for those who are not patient. */
  private async isBusy(): Promise<boolean> {
    if (this.options.isPatient !== true) return false
    if (!this.hasAsked && this.clock() - this.sinceMs > OPENING_MS) return false
    const { lockHolder } = await import('../base/files/folder-lock.ts')
    return lockHolder(this.folder).state === 'runs'
  }

  private async openFiles(): Promise<OpenedSource> {
    const stamp = crawlFileStamp(this.folder)
    // Loaded on demand, since most commands look at a running crawl and do not need it.
    const { openFilesSource } = await import('./files/files-source.ts')
    return { ...(await openFilesSource(this.folder, this.clock, this.options.frontierPassword)), stamp }
  }

  private async openFilesIfSmall(): Promise<OpenedSource | undefined> {
    if ((await this.opened)?.process === undefined || (await this.ask('status', {})).frontier.known > MOST_READ)
      return undefined
    // The crawl is writing at the same time; if that gets in the way, the crawl can still be asked.
    return this.openFiles().catch(() => undefined)
  }
}
