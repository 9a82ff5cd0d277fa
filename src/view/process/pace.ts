import type { Doing, WorkFacts } from '../../run/run-status.ts'

/** What limits the speed of a run that works. */
export type Pace = 'rate' | 'requests' | 'new hosts' | 'names' | 'servers' | 'delays' | 'few hosts'

/** Without a new page for this long, a run is stalled. */
const STALLED_MS = 5000
const KEPT = 15

/** Watches a run over time: whether it is stalled, and what limits its speed most of the time. */
export class RunWatch {
  private pages = -1
  private grewAtMs = 0
  private nowMs = 0
  private shown: Pace | undefined
  private readonly recent: Pace[] = []

  /** How many pages there are now. Call it at least once a second. */
  see(nowMs: number, pages: number): void {
    this.nowMs = nowMs
    if (pages === this.pages) return
    this.pages = pages
    this.grewAtMs = nowMs
  }

  get isStalled(): boolean {
    return this.nowMs - this.grewAtMs >= STALLED_MS
  }

  /** It stays the same as long as it was among the causes lately: a moment without requests or with all of them is not news. */
  pace(doing: Doing): Pace | undefined {
    if (doing.kind !== 'working') return undefined
    const pace = paceOf(doing.facts)
    if (pace === undefined) return this.shown
    this.recent.push(pace)
    if (this.recent.length > KEPT) this.recent.shift()
    const share = (one: Pace | undefined) => this.recent.filter(other => other === one).length / this.recent.length
    if (share(this.shown) < 0.3) this.shown = this.recent.reduce((best, one) => (share(one) > share(best) ? one : best))
    return this.shown
  }
}

/** Undefined while requests are about to be made. */
function paceOf({ slots, outlook, lookups, isShort }: WorkFacts): Pace | undefined {
  if (slots.paceMs !== undefined) return 'rate'
  if (slots.open >= slots.size) return 'requests'
  if (slots.waiting > 0) return 'new hosts'
  if (lookups > 0) return 'names'
  if (!isShort) return undefined
  if (outlook.ready > 1) return 'servers'
  if (outlook.resting > 0) return 'delays'
  return slots.open > 0 ? 'few hosts' : undefined
}
