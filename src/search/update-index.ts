import { closeSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { archiveFiles } from '../archive/names.ts'
import { EscalonaError } from '../base/errors.ts'
import { FolderLock } from '../base/files/folder-lock.ts'
import type { Message } from '../base/messages/message.ts'
import { LF } from '../base/structures/bytes.ts'
import { reasonOf } from '../base/system-error.ts'
import type { JobResult, Revisits } from './index-jobs.ts'
import {
  checkOf,
  emptyManifest,
  type Manifest,
  makeSearchFolder,
  pagesPath,
  readManifest,
  removeLeftovers,
  type SegmentLine,
  searchFolder,
  writeManifest,
} from './manifest.ts'
import { SearchThreads } from './search-threads.ts'

export interface UpdateOptions {
  /** Threads; one for each core by default. */
  readonly workers?: number
  /** Called now and then with the share that is done, from 0 to 1. */
  onProgress?(share: number): void
  /** Builds the index anew, whatever there is. */
  readonly isFresh?: boolean
  /** Aborting it ends the work with an error (`SEARCH_ABORTED`). What is indexed by then stays. */
  readonly signal?: AbortSignal
}

/** What is indexed after an update. */
export interface IndexState {
  /** Pages that can be found. */
  readonly pages: number
  /** Visits whose record, or line in `pages.jsonl`, could not be read, in all updates so far; and why the first could not. */
  readonly unread: number
  readonly firstUnread?: Message
  /** Bytes of the index. */
  readonly bytes: number
}

/** What a thread indexes at a time: the lines of some hundred to some thousand visits, fewer where threads would have nothing to do. */
const LEAST_BATCH_BYTES = 1 << 17
const MOST_BATCH_BYTES = 1 << 20
const BATCHES_EACH = 4
/** So many segments are merged even before everything is indexed. */
const MOST_SEGMENTS = 96
/** More documents are not merged into one segment: its lists must not grow without end. */
const MOST_MERGED = 4_000_000
/** How much of the work the segments are; the rest is merging them. */
const INDEX_SHARE = 0.9

/** Whether there are archived visits that are not indexed yet. */
export function isBehind(crawl: string): boolean {
  const { upTo = 0, hiddenUpTo = 0 } = readManifest(crawl) ?? {}
  return Math.min(upTo, hiddenUpTo) < lineEnd(crawl)
}

export function indexState({ segments, unread, firstUnread }: Manifest): IndexState {
  let [pages, bytes] = [0, 0]
  for (const { documents, hidden, bytes: own } of segments) {
    pages += documents - (hidden?.count ?? 0)
    bytes += own
  }
  return { pages, bytes, unread, ...(firstUnread !== undefined && { firstUnread }) }
}

/**
 * Brings the index of a crawl up to date: indexes the visits that `pages.jsonl` has now and the index does not. What is done by then
 * stays when it is killed, and counts only when it is whole. Throws `SEARCH_LOCKED` while another process does the same.
 */
export async function updateIndex(crawl: string, options: UpdateOptions = {}): Promise<IndexState> {
  checkPagesFile(crawl)
  if (!options.isFresh && !isBehind(crawl)) return indexState(readManifest(crawl) ?? emptyManifest())
  const lock = await lockedFolder(crawl)
  try {
    const manifest = options.isFresh ? undefined : readManifest(crawl)
    return indexState(await updated(crawl, manifest ?? emptyManifest(), lock, options))
  } catch (error) {
    if (!(error instanceof EscalonaError) || error.code !== 'SEARCH_DAMAGED') throw error
    // The archive has everything that the index had.
    return indexState(await updated(crawl, emptyManifest(), lock, options))
  } finally {
    lock.release()
  }
}

async function updated(crawl: string, manifest: Manifest, lock: FolderLock, options: UpdateOptions): Promise<Manifest> {
  const { workers = availableParallelism(), signal } = options
  const threads = new SearchThreads(workers, { crawl, seed: manifest.seed })
  const onAbort = () => threads.abort(new EscalonaError('SEARCH_ABORTED'))
  signal?.addEventListener('abort', onAbort)
  if (signal?.aborted) onAbort()
  try {
    return await new Update(crawl, manifest, threads, lock, options).run()
  } finally {
    signal?.removeEventListener('abort', onAbort)
    await threads.close()
  }
}

class Update {
  private readonly crawl: string
  private manifest: Manifest
  private readonly threads: SearchThreads
  private readonly lock: FolderLock
  private readonly options: UpdateOptions
  private merging: Promise<void> | undefined

  constructor(crawl: string, manifest: Manifest, threads: SearchThreads, lock: FolderLock, options: UpdateOptions) {
    this.crawl = crawl
    this.manifest = manifest
    this.threads = threads
    this.lock = lock
    this.options = options
  }

  async run(): Promise<Manifest> {
    removeLeftovers(this.crawl, this.manifest)
    const end = lineEnd(this.crawl)
    const from = Math.min(this.manifest.hiddenUpTo, this.manifest.upTo)
    const { revisits } = await this.threads.run({ kind: 'scan', from, to: end })
    await this.index(end, revisits!)
    await this.hide(end, revisits!)
    for (let range = this.mergeable(); range !== undefined; range = this.mergeable()) await this.merge(range)
    removeLeftovers(this.crawl, this.manifest)
    return this.manifest
  }

  /** Segments are committed in the order of the visits, so that `upTo` says all. */
  private async index(end: number, revisits: Revisits): Promise<void> {
    const first = this.manifest.upTo
    const workers = this.options.workers ?? availableParallelism()
    const share = (end - first) / workers / BATCHES_EACH
    const bytesEach = Math.min(MOST_BATCH_BYTES, Math.max(LEAST_BATCH_BYTES, Math.floor(share)))
    const batches = batchesOf(this.crawl, first, end, bytesEach)
    const begun: { readonly to: number; readonly result: Promise<JobResult> }[] = []
    const begin = () => {
      const { value } = batches.next()
      if (value === undefined) return
      const result = this.threads.run({ kind: 'index', ...value, revisits })
      // It is awaited in its turn; until then nothing must take an error for one that nobody handles.
      result.catch(() => {})
      begun.push({ to: value.to, result })
    }
    for (let batch = 0; batch < 2 * workers; batch++) begin()
    for (let next = begun.shift(); next !== undefined; next = begun.shift()) {
      const { segments, unread, firstUnread } = await next.result
      begin()
      const known = this.manifest
      const why = known.firstUnread ?? firstUnread
      this.commit({
        ...known,
        upTo: next.to,
        check: checkOf(this.crawl, next.to),
        unread: known.unread + unread,
        ...(why !== undefined && { firstUnread: why }),
        segments: [...known.segments, ...segments],
      })
      this.options.onProgress?.((INDEX_SHARE * (next.to - first)) / Math.max(1, end - first))
      const range = this.manifest.segments.length >= MOST_SEGMENTS ? this.mergeable() : undefined
      if (range !== undefined && this.merging === undefined) {
        this.merging = this.merge(range).finally(() => (this.merging = undefined))
        this.merging.catch(() => {})
      }
    }
    await this.merging
  }

  private async hide(end: number, revisits: Revisits): Promise<void> {
    const isNeeded = revisits.keys.length > 0 && this.manifest.segments.length > 0
    const { segments } = isNeeded
      ? await this.threads.run({ kind: 'hide', segments: this.manifest.segments, revisits })
      : this.manifest
    this.commit({ ...this.manifest, hiddenUpTo: end, segments })
  }

  /** The newest segments that are worth merging: each segment that stays has more than twice the documents of all after it. */
  private mergeable(): readonly SegmentLine[] | undefined {
    const { segments } = this.manifest
    const isHalfHidden = segments.some(({ documents, hidden }) => (hidden?.count ?? 0) > documents / 2)
    if (isHalfHidden && segments.length === 1) return segments
    let from = segments.length
    let after = 0
    for (let at = segments.length - 1; at >= 0; at--) {
      const { documents } = segments[at]!
      if (after + documents > MOST_MERGED) break
      if (isHalfHidden || documents <= 2 * after) from = at
      after += documents
    }
    return segments.length - from >= 2 ? segments.slice(from) : undefined
  }

  private async merge(segments: readonly SegmentLine[]): Promise<void> {
    const merged = await this.threads.run({ kind: 'merge', segments })
    const all = this.manifest.segments
    const from = all.indexOf(segments[0]!)
    const after = all.slice(from + segments.length)
    this.commit({ ...this.manifest, segments: [...all.slice(0, from), ...merged.segments, ...after] })
    // Others may be writing segments that no manifest names yet, so only these are removed.
    for (const { file, hidden } of segments)
      for (const name of [file, hidden?.file ?? file]) rmSync(join(searchFolder(this.crawl), name), { force: true })
  }

  private commit(manifest: Manifest): void {
    this.lock.check()
    writeManifest(this.crawl, manifest)
    this.manifest = manifest
  }
}

function checkPagesFile(crawl: string): void {
  const path = pagesPath(crawl)
  if (statSync(path, { throwIfNoEntry: false }) !== undefined || archiveFiles(crawl).length === 0) return
  throw new EscalonaError('SEARCH_NO_PAGES_FILE', { path })
}

async function lockedFolder(crawl: string): Promise<FolderLock> {
  const folder = searchFolder(crawl)
  try {
    makeSearchFolder(crawl)
    return await FolderLock.acquire(folder, { codes: 'SEARCH' })
  } catch (error) {
    if (error instanceof EscalonaError) throw error
    throw new EscalonaError('SEARCH_UNWRITABLE', { folder, why: reasonOf(error) }, { cause: error })
  }
}

/** Where the last whole line of `pages.jsonl` ends. */
function lineEnd(crawl: string): number {
  const size = statSync(pagesPath(crawl), { throwIfNoEntry: false })?.size ?? 0
  return size === 0 ? 0 : lineEndNear(crawl, size, 'before')
}

const LOOK_BYTES = 1 << 16

/** The end of a line before this place or at it, or the first one after it. */
function lineEndNear(crawl: string, place: number, where: 'before' | 'after'): number {
  const fd = openSync(pagesPath(crawl), 'r')
  try {
    const bytes = Buffer.allocUnsafe(LOOK_BYTES)
    for (let at = place; ; ) {
      const from = where === 'before' ? Math.max(0, at - LOOK_BYTES) : at
      const got = readSync(fd, bytes, 0, where === 'before' ? at - from : LOOK_BYTES, from)
      const piece = bytes.subarray(0, got)
      const end = where === 'before' ? piece.lastIndexOf(LF) : piece.indexOf(LF)
      if (end >= 0) return from + end + 1
      if (got === 0 || (where === 'before' && from === 0)) return where === 'before' ? 0 : at
      at = where === 'before' ? from : at + got
    }
  } finally {
    closeSync(fd)
  }
}

/** Parts of `pages.jsonl`, each of whole lines. */
function* batchesOf(
  crawl: string,
  from: number,
  end: number,
  bytesEach: number,
): Generator<{ from: number; to: number }, void, undefined> {
  for (let at = from; at < end; ) {
    const to = at + bytesEach >= end ? end : Math.min(end, lineEndNear(crawl, at + bytesEach, 'after'))
    yield { from: at, to }
    at = to
  }
}
