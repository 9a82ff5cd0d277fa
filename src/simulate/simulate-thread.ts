// One of the threads of the simulator: runs in, measures out.
import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../base/clock.ts'
import { WorldUrls } from './graph-web.ts'
import { measure, type RunMeasures } from './measures.ts'
import { type SimulatedRun, type SimulationModel, simulateCrawl } from './run-simulation.ts'
import type { World } from './world.ts'

export interface SimulateThreadData {
  readonly world: World
  readonly ranks: Float64Array<SharedArrayBuffer>
  readonly model: SimulationModel
}

/** Null: there is no more to do. */
export type ToSimulateThread = { readonly number: number; readonly run: SimulatedRun } | null

export type FromSimulateThread =
  | { readonly kind: 'progress'; readonly number: number; readonly pages: number; readonly virtualMs: number }
  | { readonly kind: 'done'; readonly number: number; readonly measures: RunMeasures }

const PROGRESS_MS = 100

const { world, ranks, model } = workerData as SimulateThreadData
const urls = new WorldUrls(world)
const port = parentPort!

port.on('message', async (message: ToSimulateThread) => {
  if (message === null) {
    port.close()
    return
  }
  const { number, run } = message
  let saidMs = systemClock()
  const trace = await simulateCrawl(urls, run, model, ranks, (pages, virtualMs) => {
    const nowMs = systemClock()
    if (nowMs - saidMs < PROGRESS_MS) return
    saidMs = nowMs
    port.postMessage({ kind: 'progress', number, pages, virtualMs } satisfies FromSimulateThread)
  })
  const measures = measure(world, ranks, run.starts, trace)
  port.postMessage({ kind: 'done', number, measures } satisfies FromSimulateThread)
})
