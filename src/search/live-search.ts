import type { Clock, Timer } from '../base/clock.ts'
import { EscalonaError } from '../base/errors.ts'
import { readManifest } from './manifest.ts'
import type { SearchQuestion } from './query.ts'
import { type FindOptions, Search, type SearchResult } from './search.ts'
import { isBehind, updateIndex } from './update-index.ts'

/** Whoever asks waits this long at most for the index to be brought up to date; a small crawl is indexed by then. */
const WAIT_MS = 1000
/** Of a crawl that runs, the index is brought up to date this often at most. */
const BETWEEN_MS = 5000

/** An answer, and whether the index is being brought up to date meanwhile. */
export interface LiveResult extends SearchResult {
  readonly isIndexing: boolean
}

/** For those who ask again and again: the first question starts the indexing, which goes on behind the answers. */
export class LiveSearch {
  private readonly crawl: string
  private readonly clock: Clock
  private readonly timer: Timer
  private readonly search: Search
  private readonly end = new AbortController()
  private updating: Promise<void> | undefined
  private updatedAtMs = -Infinity
  private failure: EscalonaError | undefined

  constructor(crawl: string, clock: Clock, timer: Timer) {
    this.crawl = crawl
    this.clock = clock
    this.timer = timer
    this.search = new Search(crawl, clock)
  }

  async find(question: SearchQuestion, options: FindOptions): Promise<LiveResult> {
    if (this.updating === undefined && this.clock() - this.updatedAtMs >= BETWEEN_MS && isBehind(this.crawl))
      this.updating = this.update(false)
    if (this.updating !== undefined) await this.atMost(this.updating)
    if (this.failure !== undefined && readManifest(this.crawl) === undefined) throw this.failure
    try {
      return { ...(await this.search.find(question, options)), isIndexing: this.updating !== undefined }
    } catch (error) {
      if (!(error instanceof EscalonaError) || error.code !== 'SEARCH_DAMAGED') throw error
      this.search.close()
      this.updating ??= this.update(true)
      throw error
    }
  }

  async close(): Promise<void> {
    this.end.abort()
    await this.updating
    this.search.close()
  }

  private async update(isFresh: boolean): Promise<void> {
    try {
      // One thread: whoever collects or reads on this machine comes first.
      await updateIndex(this.crawl, { workers: 1, isFresh, signal: this.end.signal })
      this.failure = undefined
    } catch (error) {
      if (!(error instanceof EscalonaError)) throw error
      this.failure = error
    } finally {
      this.updating = undefined
      this.updatedAtMs = this.clock()
    }
  }

  private atMost(work: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = this.timer(WAIT_MS, resolve)
      work.then(resolve, reject).finally(cancel)
    })
  }
}
