import { Worker } from 'node:worker_threads'
import type { FetchJob, FetchResult } from '../decide/job.ts'
import { type NumberedPart, type Parcel, READY, unpack } from './parcel.ts'
import type { KeepPart } from './visitor.ts'
import type { WorkerData, WorkerOrder } from './worker.ts'

/** Heap limit of a worker: a page that needs more kills its worker, not the whole process. */
const HEAP_MB = 1024
/** After this many, closed visits are reported to the worker even if it has nothing else to do. */
const MOST_UNREPORTED = 1000

type Order = { -readonly [Name in keyof WorkerOrder]: WorkerOrder[Name][number][] }

interface OpenVisit {
  resolve(result: FetchResult): void
  reject(error: unknown): void
  readonly keepPart: KeepPart
}

/** One worker thread and its open visits. */
export class Thread {
  /** Whether it has started and accepts visits. */
  isReady = false
  /** Why it died. */
  cause: unknown
  private worker: Worker | undefined
  private readonly open = new Map<number, OpenVisit>()
  private order = emptyOrder()
  private readonly starting: NodeJS.Timeout
  private isFlushing = false
  private isDead = false

  /** `startInMs`: a pause before starting, after a thread that could not start. */
  constructor(data: WorkerData, startInMs: number, onDeath: (cause: unknown) => void) {
    this.starting = setTimeout(() => {
      this.worker = this.started(data, onDeath)
      this.flush()
    }, startInMs)
  }

  /** Rejects only with an error of `keepPart`. */
  visit(visit: number, job: FetchJob, keepPart: KeepPart): Promise<FetchResult> {
    if (this.isDead) return Promise.resolve({ kind: 'lost', isCulprit: false })
    return new Promise((resolve, reject) => {
      this.open.set(visit, { resolve, reject, keepPart })
      this.order.visits.push({ visit, job })
      this.flushSoon()
    })
  }

  /** Reports a closed visit, together with the next message to the worker. */
  close(visit: number, isSettled: boolean): void {
    const { settled, unsettled } = this.order
    if (isSettled) settled.push(visit)
    else unsettled.push(visit)
    if (settled.length + unsettled.length >= MOST_UNREPORTED) this.flushSoon()
  }

  /** Links that were offered may be lost. What was settled before is reported first. */
  forgetOffered(): void {
    this.flush()
    this.order.forgotten.push(true)
    this.flushSoon()
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
    worker.on('message', (parcel: Parcel | NumberedPart | typeof READY) => {
      this.isReady = true
      if (parcel === READY) return
      if ('part' in parcel) void this.keepPart(parcel)
      else for (const { visit, result } of unpack(parcel)) this.finish(visit, result)
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
    const open = this.open.get(visit)
    this.open.delete(visit)
    open?.resolve(result)
  }

  /** A visit that is no longer open is to end. */
  private async keepPart({ visit, part }: NumberedPart): Promise<void> {
    try {
      await this.open.get(visit)?.keepPart(part)
    } catch (error) {
      this.open.get(visit)?.reject(error)
      this.open.delete(visit)
    }
    this.order.read.push({ visit, isWanted: this.open.has(visit) })
    this.flushSoon()
  }

  /** Sends everything from one turn of the event loop in one message. */
  private flushSoon(): void {
    if (this.isFlushing) return
    this.isFlushing = true
    setImmediate(() => {
      this.isFlushing = false
      this.flush()
    })
  }

  private flush(): void {
    if (this.worker === undefined || Object.values(this.order).every(list => list.length === 0)) return
    this.worker.postMessage(this.order satisfies WorkerOrder)
    this.order = emptyOrder()
  }
}

function emptyOrder(): Order {
  return { visits: [], settled: [], unsettled: [], read: [], forgotten: [] }
}
