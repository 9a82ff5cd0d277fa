import { Worker } from 'node:worker_threads'
import type { FetchJob, FetchResult } from './job.ts'
import { type Parcel, READY, unpack } from './parcel.ts'
import type { WorkerData, WorkerOrder } from './worker.ts'

export interface PoolOptions {
  readonly workers: number
  readonly data: WorkerData
  /** A worker ended by itself, and was replaced. */
  onWorkerDeath(cause: unknown): void
}

/** A result, and the means to say later what became of it. */
export interface Visited {
  readonly result: FetchResult
  /** The page's outcome and links are safe in the frontier, or are not going to be. */
  close(isSettled: boolean): void
}

/** One page must not take the whole process along: a worker that needs more heap than this ends alone. */
const HEAP_MB = 1024
/** Closed visits that a worker has not heard of. */
const MOST_UNTOLD = 1000
/** Workers that die one after the other without finishing a single visit: something is wrong with the machine. */
const MOST_DEATHS = 100

/**
 * The threads that visit pages. A host always goes to the same thread, which keeps the connection to it.
 *
 * When a thread ends in the middle, whatever was in it is lost, and one of those pages may have done it. Each of them is
 * visited once more, alone, in a thread of its own: the one that ends that thread too is the culprit. A thread that could not
 * even start (no file descriptors, no memory) says nothing about the pages that waited for it.
 */
export class WorkerPool {
  private readonly options: PoolOptions
  private readonly threads: Thread[]
  private readonly suspects = new Set<string>()
  /** Visits of suspects wait for each other. */
  private quarantine: Promise<unknown> = Promise.resolve()
  private nextVisit = 1
  private deaths = 0
  private isClosed = false

  constructor(options: PoolOptions) {
    this.options = options
    this.threads = Array.from({ length: options.workers }, () => this.newThread())
  }

  /** Never rejects for what the web or a worker does. */
  visit(host: string, job: FetchJob): Promise<Visited> {
    return this.suspects.has(job.url) ? this.visitAlone(job) : this.visitIn(placeOf(host, this.threads.length), job)
  }

  /** Nobody waits for the open visits any more. */
  abandon(): void {
    for (const thread of this.threads) thread.abandon()
  }

  async close(): Promise<void> {
    this.isClosed = true
    await Promise.all(this.threads.map(thread => thread.end()))
  }

  private async visitIn(place: number, job: FetchJob): Promise<Visited> {
    const thread = this.threads[place]!
    const visit = this.nextVisit++
    const result = await thread.visit(visit, job)
    if (result.kind !== 'lost') this.deaths = 0
    else if (thread.isReady) this.suspects.add(job.url)
    return { result, close: isSettled => thread.close(visit, isSettled) }
  }

  private visitAlone(job: FetchJob): Promise<Visited> {
    const turn = this.quarantine.then(async (): Promise<Visited> => {
      const thread = new Thread(this.options.data, () => {})
      const result = await thread.visit(this.nextVisit++, job)
      await thread.end()
      const isLost = result.kind === 'lost'
      // It could not even start; the page had no part in that.
      if (isLost && !thread.isReady) {
        if (++this.deaths > MOST_DEATHS) throw thread.cause
        return { result, close() {} }
      }
      this.suspects.delete(job.url)
      return { result: isLost ? { kind: 'lost', isCulprit: true } : result, close() {} }
    })
    this.quarantine = turn
    return turn
  }

  private newThread(): Thread {
    const thread: Thread = new Thread(this.options.data, cause => {
      if (this.isClosed) return
      if (++this.deaths > MOST_DEATHS) throw cause
      this.threads[this.threads.indexOf(thread)] = this.newThread()
      this.options.onWorkerDeath(cause)
    })
    return thread
  }
}

/** One worker thread, and what it was asked and has not answered. */
class Thread {
  /** It has started and takes visits. */
  isReady = false
  /** Why it ended. */
  cause: unknown
  private readonly worker: Worker
  private readonly open = new Map<number, (result: FetchResult) => void>()
  private order: { visits: WorkerOrder['visits'][number][]; closed: WorkerOrder['closed'][number][] } = nothing()
  private isFlushing = false
  private isDead = false

  constructor(data: WorkerData, onDeath: (cause: unknown) => void) {
    const file = new URL('./worker.js', import.meta.url)
    this.worker = new Worker(file, { workerData: data, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } })
    this.worker.on('message', (parcel: Parcel | typeof READY) => {
      this.isReady = true
      if (parcel !== READY) for (const { visit, result } of unpack(parcel)) this.finish(visit, result)
    })
    this.worker.on('error', error => (this.cause = error))
    this.worker.on('exit', code => {
      this.isDead = true
      for (const visit of [...this.open.keys()]) this.finish(visit, { kind: 'lost', isCulprit: false })
      this.cause ??= new Error(`a worker thread ended with code ${code}`)
      onDeath(this.cause)
    })
  }

  visit(visit: number, job: FetchJob): Promise<FetchResult> {
    if (this.isDead) return Promise.resolve({ kind: 'lost', isCulprit: false })
    return new Promise(resolve => {
      this.open.set(visit, resolve)
      this.order.visits.push({ visit, job })
      this.flushSoon()
    })
  }

  /** The worker needn't hear of it before it has something else to do. */
  close(visit: number, isSettled: boolean): void {
    this.order.closed.push({ visit, isSettled })
    if (this.order.closed.length >= MOST_UNTOLD) this.flushSoon()
  }

  abandon(): void {
    for (const visit of [...this.open.keys()]) this.finish(visit, { kind: 'abandoned' })
  }

  async end(): Promise<void> {
    await this.worker.terminate()
  }

  private finish(visit: number, result: FetchResult): void {
    const resolve = this.open.get(visit)
    this.open.delete(visit)
    resolve?.(result)
  }

  /** What a worker is told in one turn of the event loop travels together. */
  private flushSoon(): void {
    if (this.isFlushing) return
    this.isFlushing = true
    setImmediate(() => {
      this.isFlushing = false
      this.worker.postMessage(this.order satisfies WorkerOrder)
      this.order = nothing()
    })
  }
}

function nothing(): { visits: WorkerOrder['visits'][number][]; closed: WorkerOrder['closed'][number][] } {
  return { visits: [], closed: [] }
}

function placeOf(host: string, workers: number): number {
  let hash = 0
  for (let at = 0; at < host.length; at++) hash = (Math.imul(hash, 31) + host.charCodeAt(at)) | 0
  return (hash >>> 0) % workers
}
