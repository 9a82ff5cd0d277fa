// Loaded before the command: watches for how long its main thread was busy without a break, and writes it down at the end.
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const file = process.env.ESCALONA_TEST_PAUSES
/** Starting up loads the program; that is no page's doing. */
const STARTED_MS = 1000

if (isMainThread && file !== undefined) {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  setTimeout(() => delays.reset(), STARTED_MS).unref()
  process.on('exit', () => {
    const ms = (nanoseconds: number) => nanoseconds / 1e6
    writeFileSync(file, JSON.stringify({ longestMs: ms(delays.max), p99Ms: ms(delays.percentile(99)) }))
  })
}
