// Loaded into the measured process (`node --import`): when it ends, writes the processor time of its main thread and of all
// its threads to the file that ESCALONA_BENCH_TIMES names. Both in microseconds.
import { readFileSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const file = process.env.ESCALONA_BENCH_TIMES
if (isMainThread && file !== undefined) {
  process.on('exit', () => {
    const { user, system } = process.cpuUsage()
    // The first number is the time on a processor, in nanoseconds. The main thread has the number of the process.
    const mainUs = Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1000
    writeFileSync(file, JSON.stringify({ mainUs, allUs: user + system }))
  })
}
