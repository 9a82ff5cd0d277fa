import type { Frontier, FrontierCounts } from '../frontier/frontier.ts'
import { isHeld } from '../settings/reasons.ts'

/** After this many links the frontier is asked again how many it holds, since most links found were found before. */
const LOOK_EVERY = 10_000

/** Enforces `maxHeld`: how many links kept out by a setting may still be remembered. */
export class HeldLinks {
  private readonly most: number
  private readonly frontier: Frontier
  private room: number
  private spent = 0
  private isLooking = false

  constructor(frontier: Frontier, most: number, counts: FrontierCounts) {
    this.frontier = frontier
    this.most = most
    this.room = roomIn(counts, most)
  }

  /** Takes room for one more link. Returns false when there is none. */
  take(): boolean {
    if (this.spent >= Math.min(LOOK_EVERY, this.room)) this.look()
    if (this.room <= 0) return false
    this.room--
    this.spent++
    return true
  }

  /** Asks the frontier in the background; until it answers, repeated links count as if each were new. */
  private look(): void {
    if (this.isLooking || this.spent === 0) return
    this.isLooking = true
    this.spent = 0
    this.frontier.counts().then(
      counts => {
        this.isLooking = false
        this.room = roomIn(counts, this.most) - this.spent
      },
      // The frontier has failed; the crawl itself reports that.
      () => {},
    )
  }
}

function roomIn({ refusedFor }: FrontierCounts, most: number): number {
  let held = 0
  for (const [reason, count] of Object.entries(refusedFor)) if (isHeld(reason)) held += count
  return Math.max(0, most - held)
}
