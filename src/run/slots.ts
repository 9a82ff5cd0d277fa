import type { Timer } from '../base/clock.ts'
import { type RateLimit, unprovenSlots } from '../decide/limits.ts'

export interface RequestSlot {
  leave(): void
}

interface Waiting {
  readonly number: number
  enter(slot: RequestSlot | undefined): void
}

export interface Pace {
  readonly rate: RateLimit
  readonly timer: Timer
}

/** Bounds the open requests, at once and per second; first come, first served. */
export class Slots {
  private most: number
  private readonly lines: { readonly proven: Waiting[]; readonly unproven: Waiting[] } = { proven: [], unproven: [] }
  private readonly openOf = { proven: 0, unproven: 0 }
  private nextNumber = 0
  private isStopped = false
  private isHeld = false
  private pace: Pace | undefined
  private cancelAlarm: (() => void) | undefined

  constructor(most: number, pace?: Pace) {
    this.most = most
    this.pace = pace
  }

  get open(): number {
    return this.openOf.proven + this.openOf.unproven
  }

  get size(): number {
    return this.most
  }

  get waiting(): number {
    return this.lines.proven.length + this.lines.unproven.length
  }

  /** How long the pace delays a request for which there is room; undefined when it delays none. */
  get paceMs(): number | undefined {
    return this.cancelAlarm === undefined ? undefined : this.pace!.rate.waitMs
  }

  /** Waits for a slot. Resolves to undefined when no requests may be made, for now or ever. */
  enter(isProven: boolean): Promise<RequestSlot | undefined> {
    if (this.isStopped || this.isHeld) return Promise.resolve(undefined)
    return new Promise(enter => {
      this.lines[isProven ? 'proven' : 'unproven'].push({ number: this.nextNumber++, enter })
      this.serve()
    })
  }

  /** Allows fewer slots from now on, since this machine has run out of connections. */
  shrink(): void {
    this.most = Math.max(1, Math.min(this.most - 1, Math.ceil(this.open / 2)))
  }

  change(most: number, pace?: Pace): void {
    this.most = most
    this.pace = pace
    this.cancelServing()
    this.serve()
  }

  /** Turns away all requests that are waiting for a slot, and all that come before `goOn`. */
  hold(): void {
    this.isHeld = true
    this.turnAway()
  }

  goOn(): void {
    this.isHeld = false
  }

  /** Turns away all requests that are waiting for a slot, and all that come later. */
  stop(): void {
    this.isStopped = true
    this.turnAway()
  }

  private turnAway(): void {
    this.cancelServing()
    for (const line of [this.lines.proven, this.lines.unproven])
      for (const { enter } of line.splice(0)) enter(undefined)
  }

  private cancelServing(): void {
    this.cancelAlarm?.()
    this.cancelAlarm = undefined
  }

  private serve(): void {
    for (let kind = this.next(); kind !== undefined && this.open < this.most; kind = this.next()) {
      if (this.pace !== undefined && !this.pace.rate.take()) {
        this.serveLater(this.pace)
        return
      }
      const { enter } = this.lines[kind].shift()!
      this.openOf[kind]++
      enter(this.slot(kind))
    }
  }

  private serveLater({ rate, timer }: Pace): void {
    this.cancelAlarm ??= timer(rate.waitMs, () => {
      this.cancelAlarm = undefined
      this.serve()
    })
  }

  private next(): 'proven' | 'unproven' | undefined {
    const { proven, unproven } = this.lines
    const mayBeUnproven = unproven.length > 0 && this.openOf.unproven < unprovenSlots(this.most)
    if (!mayBeUnproven) return proven.length > 0 ? 'proven' : undefined
    return proven.length > 0 && proven[0]!.number < unproven[0]!.number ? 'proven' : 'unproven'
  }

  private slot(kind: 'proven' | 'unproven'): RequestSlot {
    let isOpen = true
    return {
      leave: () => {
        if (!isOpen) return
        isOpen = false
        this.openOf[kind]--
        this.serve()
      },
    }
  }
}
