import { Worker } from 'node:worker_threads'
import { EscalonaError } from '../base/errors.ts'
import { whyOf } from '../base/system-error.ts'
import type { FetchJob, FetchResult } from '../decide/job.ts'
import { type NumberedPart, type Parcel, READY, unpack } from './parcel.ts'
import type { KeepPart, Visited, Visitor } from './visitor.ts'
import type { WorkerData, WorkerOrder } from './worker.ts'

export interface PoolOptions {
  readonly workers: number
  readonly data: WorkerData
  onWorkerDeath(cause: unknown): void
  /** Workers keep dying, and no visit is ever finished. */
  onFailure(error: EscalonaError): void
}

/** If this many workers die without a single visit being finished, something is wrong with the machine. */
const MOST_DEATHS = 30
/** How long to wait before restarting a thread that could not start; longer after each death. */
const RESTART_MS = 100

/**
 * The threads that visit pages. A host always goes to the same thread, which keeps the connection to it.
 *
 * When a thread dies, its open visits are lost, and one of their pages may be to blame. Each of them is visited once more, alone
 * in a thread of its own: the page that kills that thread too is the culprit. A thread that could not even start (no file
 * descriptors, no memory) says nothing about the pages that waited for it.
 */
export class WorkerPool implements Visitor {
  private readonly options: PoolOptions
  private readonly threads: Thread[]
  private readonly suspects = new Set<string>()
  /** Suspects are visited one at a time. */
  private quarantine: Promise<unknown> = Promise.resolve()
  private nextVisit = 1
  private deaths = 0
  private isClosed = false

  constructor(options: PoolOptions) {
    this.options = options
    this.threads = Array.from({ length: options.workers }, () => this.newThread(0))
  }

  visit(host: string, job: FetchJob, keepPart: KeepPart = ignored): Promise<Visited> {
    if (this.suspects.has(job.url)) return this.visitAlone(job, keepPart)
    return this.visitIn(placeOf(host, this.threads.length), job, keepPart)
  }

  forgetOffered(): void {
    for (const thread of this.threads) thread.forgetOffered()
  }

  abandon(): void {
    for (const thread of this.threads) thread.abandon()
  }

  async close(): Promise<void> {
    this.isClosed = true
    await Promise.all(this.threads.map(thread => thread.end()))
  }

  private async visitIn(place: number, job: FetchJob, keepPart: KeepPart): Promise<Visited> {
    const thread = this.threads[place]!
    const visit = this.nextVisit++
    const result = await thread.visit(visit, job, keepPart)
    if (result.kind !== 'lost') this.deaths = 0
    else if (thread.isReady) this.suspects.add(job.url)
    return { result, close: isSettled => thread.close(visit, isSettled) }
  }

  private visitAlone(job: FetchJob, keepPart: KeepPart): Promise<Visited> {
    const turn = this.quarantine.then(async (): Promise<Visited> => {
      const thread = new Thread(this.options.data, this.pauseMs(), () => {})
      const result = await thread.visit(this.nextVisit++, job, keepPart)
      await thread.end()
      if (result.kind !== 'lost') this.deaths = 0
      else if (!thread.isReady) this.countDeath(thread.cause)
      const isCulprit = result.kind === 'lost' && thread.isReady
      if (result.kind !== 'lost' || isCulprit) this.suspects.delete(job.url)
      return { result: isCulprit ? { kind: 'lost', isCulprit } : result, close() {} }
    })
    this.quarantine = turn.catch(() => {})
    return turn
  }

  private newThread(startInMs: number): Thread {
    const thread: Thread = new Thread(this.options.data, startInMs, cause => {
      if (this.isClosed || !this.countDeath(cause)) return
      this.threads[this.threads.indexOf(thread)] = this.newThread(thread.isReady ? 0 : this.pauseMs())
      this.options.onWorkerDeath(cause)
    })
    return thread
  }

  private pauseMs(): number {
    return this.deaths * RESTART_MS
  }

  /** Returns false after too many deaths in a row. */
  private countDeath(cause: unknown): boolean {
    if (++this.deaths <= MOST_DEATHS) return true
    this.options.onFailure(new EscalonaError('CRAWL_WORKERS_DIED', { why: whyOf(cause) }, { cause }))
    return false
  }
}

async function ignored(): Promise<void> {}

function placeOf(host: string, workers: number): number {
  let hash = 0
  for (let at = 0; at < host.length; at++) hash = (Math.imul(hash, 31) + host.charCodeAt(at)) | 0
  return (hash >>> 0) % workers
}

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

class Thread {
  /** Whether it has started and accepts visits. */
  isReady = false
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
