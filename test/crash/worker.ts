// Works on a frontier in a folder until it is killed, or until the disk fails. It says what it does, a JSON line each:
// {"ready"} when the frontier is open, {"began": n} before operation n, {"done": n, "gave": …} when it is acknowledged. The
// operations follow from the seed, so the parent knows them.

import { writeSync } from 'node:fs'
import { EscalonaError } from '../../src/base/errors.ts'
import { untilReady } from '../../src/base/files/write-all.ts'
import { HandClock } from '../contract/hand-clock.ts'
import { Player } from '../contract/player.ts'
import { openTimed } from '../contract/timed.ts'
import { inBrief, isStop, type Job, operationsOf } from './job.ts'

const job = JSON.parse(process.argv[2]!) as Job
const clock = new HandClock(job.nowMs)
const options = { ...job.options, folder: job.folder, snapshotBytes: job.snapshotBytes }
try {
  const board = {
    frontier: await openTimed(options, clock),
    async reopen() {
      await board.frontier.close()
      board.frontier = await openTimed(options, clock)
    },
  }
  say({ ready: true })
  const player = new Player(board, clock, options.leaseMs)
  let n = 0
  let stops = 0
  for (const operation of operationsOf(job)) {
    if (stops >= 3) break
    say({ began: n })
    const gave = inBrief(await player.play(operation))
    if (isStop(gave)) stops++
    say({ done: n++, gave })
  }
  await board.frontier.close()
  say({ closed: true })
} catch (error) {
  say({
    threw: error instanceof EscalonaError ? error.code : 'unknown',
    message: error instanceof Error ? `${error.stack}` : `${error}`,
  })
  process.exitCode = 1
}

function say(what: object): void {
  const line = Buffer.from(`${JSON.stringify(what)}\n`)
  for (let at = 0; at < line.length; ) at += untilReady(() => writeSync(1, line, at))
}
