import { setImmediate } from 'node:timers/promises'
import { systemClock } from '../../base/clock.ts'
import { tell } from './say.ts'

const FIRST_SHOWN_MS = 1000
const BETWEEN_MS = 200
const WIDTH = 30
/** How often the event loop gets a turn, for signals and the progress bar. */
const TURN_MS = 50

/** A progress bar on a terminal. Without a terminal, or with `--quiet`, it shows nothing. */
export class WorkBar {
  private readonly isWanted: boolean
  private readonly startMs: number
  private shownMs = 0
  private isShown = false

  constructor(isQuiet: boolean, startMs: number) {
    this.isWanted = !isQuiet && process.stderr.isTTY === true && process.env.TERM !== 'dumb'
    this.startMs = startMs
  }

  /** `share` runs from 0 to 1; undefined when it is not known. `words` say what is being done. */
  show(nowMs: number, share: number | undefined, words: string): void {
    if (!this.isWanted || nowMs - this.startMs < FIRST_SHOWN_MS || nowMs - this.shownMs < BETWEEN_MS) return
    this.shownMs = nowMs
    this.isShown = true
    const seconds = ((nowMs - this.startMs) / 1000).toFixed(0)
    tell(`\r\x1b[K${share === undefined ? '' : barOf(share)}${words}, ${seconds} s`)
  }

  hide(): void {
    if (this.isShown) tell('\r\x1b[K')
    this.isShown = false
  }
}

function barOf(share: number): string {
  const done = Math.max(0, Math.min(share, 1))
  const bar = '█'.repeat(Math.round(done * WIDTH)).padEnd(WIDTH, '░')
  return `${bar} ${Math.floor(done * 100)} %  `
}

/** Runs work that pauses now and then. At some of the pauses, `show` is called, and the event loop gets a turn. */
export async function runWork<Step, Result>(
  work: Iterator<Step, Result>,
  show: (nowMs: number, step: Step) => void,
): Promise<Result> {
  for (let turnMs = systemClock(); ; ) {
    const { done, value } = work.next()
    if (done) return value
    const nowMs = systemClock()
    if (nowMs - turnMs < TURN_MS) continue
    turnMs = nowMs
    show(nowMs, value)
    await setImmediate()
  }
}
