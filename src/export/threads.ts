import { Worker } from 'node:worker_threads'
import { EscalonaError } from '../base/errors.ts'
import { whyOf } from '../base/system-error.ts'
import type { BatchRead, ExportThreadData, FromThread, ToThread } from './export-thread.ts'
import type { EncodedRows } from './formats/formats.ts'
import type { VisitBatch } from './visits.ts'

/** Heap limit of a thread: a page that needs more ends the export, not the whole process. */
const HEAP_MB = 1024
/** A thread has its next batch before it has finished the one at hand. */
const BATCHES_EACH = 2

export interface Reading {
  readonly data: Omit<ExportThreadData, 'isOver'>
  readonly workers: number
  readonly batches: Iterator<VisitBatch>
  readonly signal?: AbortSignal | undefined
  /** Called for each part, in the order of the visits. */
  onPart(part: EncodedRows): void
  /** Called after the parts of each batch, in order. `share`: how much of all is done, from 0 to 1. */
  onBatch(read: BatchRead, share: number): void
}

/** What has come of a batch whose turn it is not yet. */
interface Begun {
  readonly worker: Worker
  readonly share: number
  readonly parts: EncodedRows[]
  read?: BatchRead
}

/**
 * Reads batches of visits in threads, and hands out what they make in the order of the batches. A thread works on its batches in
 * order and waits when too much of what it made has not been handed out, so memory is bounded; the oldest batch is always one
 * that a thread is working on, so nothing waits for ever.
 */
export function readInThreads(reading: Reading): Promise<void> {
  return new Promise((resolve, reject) => new Threads(reading, resolve, reject))
}

class Threads {
  private readonly reading: Reading
  private readonly workers: Worker[] = []
  private readonly exits: Promise<unknown>[] = []
  private readonly sharedEnd = new Int32Array(new SharedArrayBuffer(4))
  private readonly begun = new Map<number, Begun>()
  /** The batch whose turn it is. */
  private current = 0
  private next = 0
  private isAtEnd = false
  private isOver = false
  private readonly finished: () => void
  private readonly failed: (error: unknown) => void
  private readonly onAbort = () => this.end(new EscalonaError('EXPORT_ABORTED'))

  constructor(reading: Reading, finished: () => void, failed: (error: unknown) => void) {
    this.reading = reading
    this.finished = finished
    this.failed = failed
    reading.signal?.addEventListener('abort', this.onAbort)
    if (reading.signal?.aborted) this.onAbort()
    this.attempt(() => {
      for (let started = 0; started < reading.workers && !this.isAtEnd; started++) this.start()
      this.drain()
    })
  }

  private start(): void {
    const file = new URL('./export-thread.js', import.meta.url)
    const worker = new Worker(file, {
      workerData: { ...this.reading.data, isOver: this.sharedEnd } satisfies ExportThreadData,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    })
    this.workers.push(worker)
    worker.on('message', (message: FromThread) => this.attempt(() => this.received(message)))
    worker.on('error', error => this.died(error))
    const exit = new Promise<number>(resolve => worker.on('exit', resolve))
    this.exits.push(exit.then(code => this.died(new Error(`exit code ${code}`))))
    for (let sent = 0; sent < BATCHES_EACH; sent++) this.send(worker)
  }

  private send(worker: Worker): void {
    const { done, value } = this.isAtEnd ? { done: true, value: undefined } : this.reading.batches.next()
    this.isAtEnd = done === true
    if (done || value === undefined) return
    const number = this.next++
    this.begun.set(number, { worker, share: value.share, parts: [] })
    worker.postMessage({ kind: 'batch', number, visits: value.visits } satisfies ToThread)
  }

  private received(message: FromThread): void {
    if (this.isOver) return
    const batch = this.begun.get(message.number)!
    if (message.kind === 'part') batch.parts.push(message.part)
    else {
      batch.read = message.read
      this.send(batch.worker)
    }
    this.drain()
  }

  /** Hands out everything whose turn it is. */
  private drain(): void {
    for (let batch = this.begun.get(this.current); batch !== undefined; batch = this.begun.get(this.current)) {
      for (const part of batch.parts.splice(0)) {
        this.reading.onPart(part)
        batch.worker.postMessage({ kind: 'written', bytes: part.bytes.length } satisfies ToThread)
      }
      if (batch.read === undefined) return
      this.begun.delete(this.current++)
      this.reading.onBatch(batch.read, batch.share)
    }
    if (this.isAtEnd) this.end()
  }

  private died(cause: unknown): void {
    if (!this.isOver) this.end(new EscalonaError('EXPORT_THREAD_DIED', { why: whyOf(cause) }, { cause }))
  }

  private attempt(step: () => void): void {
    try {
      if (!this.isOver) step()
    } catch (error) {
      this.end(error)
    }
  }

  /** Threads end by themselves, after the page at hand: one that is terminated may take the process with it (seen with Node 20). */
  private end(error?: unknown): void {
    if (this.isOver) return
    this.isOver = true
    this.reading.signal?.removeEventListener('abort', this.onAbort)
    this.reading.batches.return?.()
    Atomics.store(this.sharedEnd, 0, 1)
    for (const worker of this.workers) worker.postMessage({ kind: 'end' } satisfies ToThread)
    void Promise.all(this.exits).then(() => (error === undefined ? this.finished() : this.failed(error)))
  }
}
