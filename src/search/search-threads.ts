import { Worker } from 'node:worker_threads'
import { EscalonaError, errorSaying } from '../base/errors.ts'
import { reasonOf } from '../base/system-error.ts'
import type { Job, JobResult } from './index-jobs.ts'
import type { SearchThreadData, SearchThreadJob, SearchThreadResult } from './search-thread.ts'

/** Heap limit of a thread: a page that needs more ends the indexing, not the whole process. */
const HEAP_MB = 1024

interface Waiting {
  readonly job: Job
  readonly done: (result: JobResult) => void
  readonly failed: (error: unknown) => void
}

/** Threads that do the jobs of the indexer; each is started when there is a job that no other is free for. */
export class SearchThreads {
  private readonly most: number
  private readonly data: SearchThreadData
  private readonly workers: Worker[] = []
  private readonly exits: Promise<unknown>[] = []
  private readonly free: Worker[] = []
  private readonly busy = new Map<Worker, Waiting>()
  private readonly waiting: Waiting[] = []
  private failure: EscalonaError | undefined
  private readonly sharedEnd = new Int32Array(new SharedArrayBuffer(4))

  constructor(most: number, data: Pick<SearchThreadData, 'crawl' | 'seed'>) {
    this.most = most
    this.data = { ...data, isOver: this.sharedEnd }
  }

  run(job: Job): Promise<JobResult> {
    return new Promise((done, failed) => {
      if (this.failure !== undefined) return failed(this.failure)
      this.waiting.push({ job, done, failed })
      this.give()
    })
  }

  /** Ends what is begun, with an error for whoever waits for it. */
  abort(error: EscalonaError): void {
    this.failure ??= error
    Atomics.store(this.sharedEnd, 0, 1)
    for (const { failed } of [...this.waiting.splice(0), ...this.busy.values()]) failed(this.failure)
    this.busy.clear()
  }

  /** Threads end by themselves, after the job at hand: one that is terminated may take the process with it (seen with Node 20). */
  async close(): Promise<void> {
    for (const worker of this.workers) worker.postMessage(undefined satisfies SearchThreadJob)
    await Promise.all(this.exits)
  }

  private give(): void {
    while (this.waiting.length > 0) {
      const worker = this.free.pop() ?? (this.workers.length < this.most ? this.start() : undefined)
      if (worker === undefined) return
      const next = this.waiting.shift()!
      this.busy.set(worker, next)
      worker.postMessage(next.job satisfies SearchThreadJob)
    }
  }

  private start(): Worker {
    const worker = new Worker(new URL('./search-thread.js', import.meta.url), {
      workerData: this.data,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    })
    this.workers.push(worker)
    worker.on('message', (result: SearchThreadResult) => {
      const waiting = this.busy.get(worker)
      if (waiting === undefined) return
      this.busy.delete(worker)
      this.free.push(worker)
      if ('said' in result) this.abort(errorSaying(result.said)!)
      if ('said' in result) waiting.failed(this.failure)
      else waiting.done(result)
      this.give()
    })
    worker.on('error', error => this.died(error))
    const exit = new Promise<number>(resolve => worker.on('exit', resolve))
    this.exits.push(exit.then(code => this.busy.has(worker) && this.died(new Error(`exit code ${code}`))))
    return worker
  }

  private died(cause: unknown): void {
    this.abort(new EscalonaError('SEARCH_THREAD_DIED', { why: reasonOf(cause) }, { cause }))
  }
}
