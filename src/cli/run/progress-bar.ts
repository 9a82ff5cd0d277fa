import { tell } from '../terminal/tell.ts'
import { runWords } from './run-words.ts'

const FIRST_SHOWN_MS = 1000
const BETWEEN_MS = 200
const WIDTH = 30

/** How much of the input has been read, on a terminal. Without a terminal, or with `--quiet`, it shows nothing. */
export class ProgressBar {
  private readonly isWanted: boolean
  private readonly input: { readonly bytes: number | undefined; readonly bytesRead: number }
  private readonly startMs: number
  private shownMs = 0
  private isShown = false

  constructor(isQuiet: boolean, input: ProgressBar['input'], startMs: number) {
    this.isWanted = !isQuiet && process.stderr.isTTY === true && process.env.TERM !== 'dumb'
    this.input = input
    this.startMs = startMs
  }

  show(nowMs: number): void {
    if (!this.isWanted || nowMs - this.startMs < FIRST_SHOWN_MS || nowMs - this.shownMs < BETWEEN_MS) return
    this.shownMs = nowMs
    this.isShown = true
    const { bytes, bytesRead } = this.input
    const read = runWords().read((bytesRead / 1e6).toFixed(0), ((nowMs - this.startMs) / 1000).toFixed(0))
    if (bytes === undefined || bytes === 0) {
      tell(`\r\x1b[K${read}`)
      return
    }
    const share = Math.min(bytesRead / bytes, 1)
    const bar = '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '░')
    tell(`\r\x1b[K${bar} ${Math.floor(share * 100)} %  ${read}`)
  }

  hide(): void {
    if (this.isShown) tell('\r\x1b[K')
    this.isShown = false
  }
}
