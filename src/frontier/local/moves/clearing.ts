import type { ByteWriter } from '../../../base/structures/byte-writer.ts'
import type { Link } from '../../frontier.ts'
import { CLEARED_REASON } from '../journal/events.ts'
import type { FrontierState } from '../state/state.ts'
import type { Views } from '../views.ts'
import { forgetAll } from './settling.ts'

/** Links that are forgotten in one step: a few milliseconds' work. */
const AT_ONCE = 1000

/** Forgets what waits at a host, some links at a time; somebody gets them before. */
export class Clearing {
  private readonly state: FrontierState
  private readonly views: Views
  private readonly out: ByteWriter

  constructor(state: FrontierState, views: Views, out: ByteWriter) {
    this.state = state
    this.views = views
    this.out = out
  }

  /** Forgets the first links of a host that is known, at most so many, and writes that. Returns how many there were. */
  first(host: string, most: number, onCleared: (links: readonly Link[]) => void): number {
    const { items } = this.views.waiting(host, { limit: Math.max(1, Math.min(most, AT_ONCE)) })
    onCleared(items)
    this.out.text(host)
    this.out.varint(items.length)
    forgetAll(this.state, this.state.hostNamed(host), CLEARED_REASON, items.length)
    return items.length
  }
}
