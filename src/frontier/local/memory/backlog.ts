import type { BacklogClass } from '../../frontier.ts'
import type { HostId } from './hosts.ts'

/** Powers of two of the links that wait, and of the delay; a delay below a millisecond is the first. */
const COUNT_CLASSES = 32
const DELAY_CLASSES = 33
const CELLS = COUNT_CLASSES * DELAY_CLASSES

/**
 * Counts hosts by about how many links wait and about which delay they have. A host moves only when it crosses a power of
 * two.
 */
export class Backlog {
  private readonly hosts = new Float64Array(CELLS)
  private readonly delaysMs = new Float64Array(CELLS)
  /** The latest host of each cell, unless it has left. */
  private readonly examples = new Float64Array(CELLS)

  /** The number of waiting links, or the delay, of a host has changed. */
  move(host: HostId, countBefore: number, count: number, delayBeforeMs: number, delayMs: number): void {
    if (Math.clz32(countBefore) === Math.clz32(count) && delayBeforeMs === delayMs) return
    if (countBefore > 0) this.change(host, countBefore, delayBeforeMs, -1)
    if (count > 0) this.change(host, count, delayMs, 1)
  }

  classes(nameOf: (host: HostId) => string): BacklogClass[] {
    const found: BacklogClass[] = []
    for (let cell = 0; cell < CELLS; cell++) {
      const hosts = this.hosts[cell]!
      if (hosts === 0) continue
      const least = 2 ** Math.floor(cell / DELAY_CLASSES)
      const waiting = least === 1 ? 1 : least * 1.5
      const example = this.examples[cell] === 0 ? undefined : nameOf(this.examples[cell]!)
      found.push({ hosts, waiting, delayMs: Math.max(0, this.delaysMs[cell]! / hosts), example })
    }
    return found
  }

  clear(): void {
    this.hosts.fill(0)
    this.delaysMs.fill(0)
    this.examples.fill(0)
  }

  private change(host: HostId, count: number, delayMs: number, change: 1 | -1): void {
    const cell = (31 - Math.clz32(count)) * DELAY_CLASSES + (32 - Math.clz32(Math.min(delayMs, 2 ** 32 - 1)))
    this.hosts[cell]! += change
    this.delaysMs[cell]! += change * delayMs
    if (this.hosts[cell] === 0) this.delaysMs[cell] = 0
    if (change > 0) this.examples[cell] = host
    else if (this.examples[cell] === host) this.examples[cell] = 0
  }
}
