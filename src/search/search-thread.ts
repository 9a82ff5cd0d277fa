// A thread of the indexer: jobs in, what came of them out.
import { parentPort, workerData } from 'node:worker_threads'
import { EscalonaError } from '../base/errors.ts'
import type { Message } from '../base/messages/message.ts'
import { type Job, type JobResult, JobRunner } from './index-jobs.ts'

/** What a thread receives when it starts. */
export interface SearchThreadData {
  readonly crawl: string
  readonly seed: readonly [number, number]
  /** Not 0: what is begun is not wanted any more. */
  readonly isOver: Int32Array<SharedArrayBuffer>
}

/** What a thread receives later; undefined: no job will come. */
export type SearchThreadJob = Job | undefined
/** What came of a job, or why nothing did. */
export type SearchThreadResult = JobResult | { readonly said: Message }

const { crawl, seed, isOver } = workerData as SearchThreadData
const port = parentPort!
const runner = new JobRunner(crawl, seed, () => Atomics.load(isOver, 0) !== 0)

port.on('message', (job: SearchThreadJob) => {
  if (job !== undefined) {
    port.postMessage(resultOf(job))
    return
  }
  runner.close()
  // Without it nothing keeps the thread, and it ends.
  port.close()
})

function resultOf(job: Job): SearchThreadResult {
  try {
    return runner.run(job)
  } catch (error) {
    if (error instanceof EscalonaError && error.said !== undefined) return { said: error.said }
    throw error
  }
}
