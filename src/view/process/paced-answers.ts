import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../base/clock.ts'
import { loopMeter } from '../../base/event-loop.ts'
import type { CrawlDesk } from '../questions/facts.ts'
import { answerTo, questionIn } from './answer-to.ts'
import { SpareTime } from './spare-time.ts'
import { isLong } from './wire.ts'

/** A long answer is begun so long after its question, even if others take all the time that the crawl spares. */
const MOST_WAIT_MS = 5000
/** How long `close` waits for answers that are being prepared. */
const CLOSE_MS = 1000

/** Answers questions in the time that the crawl spares: short ones at once, long ones one at a time. */
export class Answering {
  private readonly desk: CrawlDesk
  private readonly spare: SpareTime
  private readonly begun = new Set<Promise<unknown>>()
  /** Long answers are prepared one after the other. */
  private turn: Promise<unknown> = Promise.resolve()
  private isClosed = false

  constructor(desk: CrawlDesk, spare = new SpareTime(systemClock, loopMeter())) {
    this.desk = desk
    this.spare = spare
  }

  /** The line that answers a line. Rejects when the desk is closed. */
  answer(line: string): Promise<string> {
    const question = questionIn(line)
    const answer = isLong(question) ? this.inTurn(question) : Promise.resolve().then(() => this.prepared(question))
    this.begun.add(answer)
    const done = () => this.begun.delete(answer)
    answer.then(done, done)
    return answer
  }

  /** Waits a moment for the answers that are being prepared; no new ones are. */
  async close(): Promise<void> {
    this.isClosed = true
    const late = new AbortController()
    const all = Promise.allSettled(this.begun).finally(() => late.abort())
    await Promise.race([all, sleep(CLOSE_MS, undefined, { signal: late.signal }).catch(() => {})])
  }

  private inTurn(question: ReturnType<typeof questionIn>): Promise<string> {
    const endMs = systemClock() + MOST_WAIT_MS
    const answer = this.turn.then(() => this.spared(endMs)).then(() => this.prepared(question))
    this.turn = answer.catch(() => {})
    return answer
  }

  private async spared(endMs: number): Promise<void> {
    for (let ms = this.spare.waitMs(); ms > 0 && !this.isClosed && systemClock() < endMs; ms = this.spare.waitMs()) {
      await sleep(Math.min(ms, 100), undefined, { ref: false })
    }
  }

  private async prepared(question: ReturnType<typeof questionIn>): Promise<string> {
    if (this.isClosed) throw new Error('closed')
    const startMs = systemClock()
    try {
      return `${JSON.stringify(await answerTo(question, this.desk))}\n`
    } finally {
      // What an action does is work for the crawl, which may take as long as its slowest request.
      if (question.ask !== 'act') this.spare.spend(systemClock() - startMs)
    }
  }
}
