import { EscalonaError } from '../base/errors.ts'
import { reasonOf } from '../base/system-error.ts'
import { catalogue } from '../base/words/language.ts'
import type { FetchJob } from '../decide/job.ts'
import { Thread } from './thread.ts'
import type { KeepPart, Visited, Visitor } from './visitor.ts'
import type { WorkerData } from './worker.ts'

export interface PoolOptions {
  readonly workers: number
  readonly data: WorkerData
  /** A worker thread died and was replaced. */
  onWorkerDeath(cause: unknown): void
  /** Workers keep dying, and no visit is ever finished. */
  onFailure(error: EscalonaError): void
}

const words = catalogue({
  en: {
    deaths: (why: string) => `worker threads keep dying: ${why}; run the same command to continue the crawl`,
  },
  pt: {
    deaths: (why: string) =>
      `as threads de trabalho morrem uma após a outra: ${why}; execute o mesmo comando para continuar a coleta`,
  },
})

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
    const message = words().deaths(reasonOf(cause))
    this.options.onFailure(new EscalonaError('CRAWL_WORKERS_DIED', message, { cause }))
    return false
  }
}

async function ignored(): Promise<void> {}

function placeOf(host: string, workers: number): number {
  let hash = 0
  for (let at = 0; at < host.length; at++) hash = (Math.imul(hash, 31) + host.charCodeAt(at)) | 0
  return (hash >>> 0) % workers
}
