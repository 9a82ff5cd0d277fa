import { Worker } from 'node:worker_threads'
import type { FetchJob, FetchResult } from './job.ts'
import { type Parcel, READY, unpack } from './parcel.ts'
import type { WorkerData, WorkerOrder } from './worker.ts'

/** One page must not take the whole process along: a worker that needs more heap than this ends alone. */
const HEAP_MB = 1024
/** Closed visits that a worker has not heard of. */
const MOST_UNTOLD = 1000

type Order = { -readonly [Name in keyof WorkerOrder]: WorkerOrder[Name][number][] }

/** One worker thread, and what it was asked and has not answered. */
export class Thread {
  /** It has started and takes visits. */
  isReady = false
  /** Why it ended. */
  cause: unknown
  private worker: Worker | undefined
  private readonly open = new Map<number, (result: FetchResult) => void>()
  private order: Order = { visits: [], closed: [] }
  private readonly starting: NodeJS.Timeout
  private isFlushing = false
  private isDead = false

  /** `startInMs`: a thread that could not start is not tried again at once. */
  constructor(data: WorkerData, startInMs: number, onDeath: (cause: unknown) => void) {
    this.starting = setTimeout(() => {
      this.worker = this.started(data, onDeath)
      this.flush()
    }, startInMs)
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
    this.finishAll({ kind: 'abandoned' })
  }

  async end(): Promise<void> {
    clearTimeout(this.starting)
    await this.worker?.terminate()
  }

  private started(data: WorkerData, onDeath: (cause: unknown) => void): Worker {
    const file = new URL('./worker.js', import.meta.url)
    const worker = new Worker(file, { workerData: data, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } })
    worker.on('message', (parcel: Parcel | typeof READY) => {
      this.isReady = true
      if (parcel !== READY) for (const { visit, result } of unpack(parcel)) this.finish(visit, result)
    })
    worker.on('error', error => (this.cause = error))
    worker.on('exit', code => {
      this.isDead = true
      this.finishAll({ kind: 'lost', isCulprit: false })
      this.cause ??= new Error(`a worker thread ended with code ${code}`)
      onDeath(this.cause)
    })
    return worker
  }

  private finishAll(result: FetchResult): void {
    for (const visit of [...this.open.keys()]) this.finish(visit, result)
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
      this.flush()
    })
  }

  private flush(): void {
    if (this.worker === undefined || this.order.visits.length + this.order.closed.length === 0) return
    this.worker.postMessage(this.order satisfies WorkerOrder)
    this.order = { visits: [], closed: [] }
  }
}
