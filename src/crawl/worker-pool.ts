import { Worker } from 'node:worker_threads'
import { EscalonaError } from '../base/errors.ts'
import type { Errand, Finding } from './errand.ts'
import { type Parcel, unpack } from './parcel.ts'
import type { WorkerData, WorkerOrder } from './worker.ts'

export interface PoolOptions {
  readonly workers: number
  readonly concurrency: number
  readonly data: Omit<WorkerData, 'concurrency'>
  onFindings(findings: readonly Finding[]): void
  onFailure(error: EscalonaError): void
}

/** The threads that visit pages. An address always goes to the same thread, which keeps the connection to it. */
export class WorkerPool {
  private readonly workers: readonly Worker[]
  /** Errands of this turn of the event loop, by worker; they travel together. */
  private readonly outgoing: Errand[][]

  constructor({ workers, concurrency, data, onFindings, onFailure }: PoolOptions) {
    this.outgoing = Array.from({ length: workers }, () => [])
    this.workers = Array.from({ length: workers }, (_, number) => {
      const share = Math.floor(concurrency / workers) + (number < concurrency % workers ? 1 : 0)
      const workerData: WorkerData = { ...data, concurrency: share }
      const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData })
      worker.on('message', (parcel: Parcel) => onFindings(unpack(parcel)))
      worker.on('error', error => onFailure(workerDied(error)))
      return worker
    })
  }

  send(errand: Errand): void {
    if (this.outgoing.every(errands => errands.length === 0)) setImmediate(() => this.flush())
    this.outgoing[placeOf(errand.address.ip, this.workers.length)]!.push(errand)
  }

  /** No new request begins; the open ones are finished, the others come back unvisited. */
  stop(): void {
    this.flush()
    for (const worker of this.workers) worker.postMessage({ stop: true } satisfies WorkerOrder)
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map(worker => worker.terminate()))
  }

  private flush(): void {
    for (const [number, errands] of this.outgoing.entries()) {
      if (errands.length === 0) continue
      this.workers[number]!.postMessage({ errands } satisfies WorkerOrder)
      this.outgoing[number] = []
    }
  }
}

function placeOf(ip: string, workers: number): number {
  let hash = 0
  for (let at = 0; at < ip.length; at++) hash = (Math.imul(hash, 31) + ip.charCodeAt(at)) | 0
  return (hash >>> 0) % workers
}

function workerDied(cause: unknown): EscalonaError {
  const message = `a worker thread ended: ${String(cause)}; run the same command again to go on where the crawl stands`
  return new EscalonaError('CRAWL_WORKER_DIED', message, { cause })
}
