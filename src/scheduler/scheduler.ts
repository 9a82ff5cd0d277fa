import { EscalonaError } from '../base/errors.ts'
import { type Refusal, sharedKernel } from '../url/classic.ts'
import { REFUSALS, SCHEME } from '../url/classic-kernel.ts'
import { type Counts, SchedulerCore } from './core.ts'
import type { HostId } from './hosts.ts'
import { STRATEGY_NAMES, type StrategyName } from './strategy.ts'
import type { UrlSlot } from './url-store.ts'

/** What a `Scheduler` can be made with. */
export interface SchedulerOptions {
  /** Which host is next; `depth` by default. */
  readonly strategy?: StrategyName
}

/** What became of a URL that was to be added. */
export type Added =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'refused'; readonly reason: Refusal }

const ACCEPTED: Added = Object.freeze({ kind: 'accepted' })
const DUPLICATE: Added = Object.freeze({ kind: 'duplicate' })
const REFUSED = Object.fromEntries(REFUSALS.map(reason => [reason, { kind: 'refused', reason }])) as Record<
  Refusal,
  Added
>

/**
 * Which URL is next. URLs are read by the classic rules, kept by host, and leave in the order of the strategy.
 *
 *     const scheduler = new Scheduler({ strategy: 'breadth' })
 *     scheduler.add('http://www.ufmg.br/dcc/')
 *     for (const url of scheduler) console.log(url)
 *
 * Adding takes a fixed number of steps, and so does taking the next URL (O(log hosts) for `best`), on average. A URL
 * needs about its own length plus 40 bytes, outside the JavaScript heap.
 */
export class Scheduler implements Iterable<string> {
  private readonly core: SchedulerCore
  /** Grows with every change; so a list that is being shown notices. */
  private changes = 0

  constructor(options: SchedulerOptions = {}) {
    const { strategy = 'depth' } = options
    if (!STRATEGY_NAMES.includes(strategy)) {
      throw new EscalonaError('SCHEDULER_BAD_STRATEGY', { name: strategy, names: STRATEGY_NAMES })
    }
    this.core = new SchedulerCore(strategy, sharedKernel)
  }

  /** Adds a URL, unless the rules refuse it or it is waiting already. A text is taken as UTF-8; bytes stay as they are. */
  add(url: string | Uint8Array): Added {
    if (typeof url !== 'string' && !(url instanceof Uint8Array)) {
      throw new EscalonaError('SCHEDULER_BAD_URL')
    }
    const { counts } = this.core
    const { accepted } = counts
    const end = sharedKernel.put(url)
    this.core.addLines(sharedKernel.start, end + 1, 1)
    this.changes++
    if (counts.accepted > accepted) return ACCEPTED
    const reason = REFUSALS.find(one => sharedKernel.refused(one) > 0)
    return reason === undefined ? DUPLICATE : REFUSED[reason]
  }

  /** Takes the next URL; `undefined` when none is waiting. */
  next(): string | undefined {
    return this.takeNext()?.toString()
  }

  /** Takes the next URL, as the bytes that were added. */
  nextBytes(): Uint8Array | undefined {
    return this.takeNext()
  }

  /** Takes at most `max` URLs, each when it is asked for: who stops early leaves the rest waiting. */
  schedule(max = Number.POSITIVE_INFINITY): Generator<string, void, void> {
    return taken(max, () => this.next())
  }

  /** The same for the URLs of one host. A host that is not known has none. */
  scheduleHost(host: string, max = Number.POSITIVE_INFINITY): Generator<string, void, void> {
    return taken(max, () => {
      this.changes++
      const id = this.hostNamed(host)
      return id === 0 || this.core.takeOf(id, 1) === 0
        ? undefined
        : this.bytesOf(this.core.slotAt(this.core.takenAt)).toString()
    })
  }

  [Symbol.iterator](): Generator<string, void, void> {
    return this.schedule()
  }

  /** The known hosts, in the order in which they became known. */
  *hosts(): Generator<string, void, void> {
    const { hosts } = this.core
    for (let id = 1; id <= hosts.known; id++) yield hosts.name(id)
  }

  /** The waiting URLs of a host, in its order; nothing leaves. Nothing may be added or taken in between. */
  *urls(host: string): Generator<string, void, void> {
    const id = this.hostNamed(host)
    if (id === 0) return
    const { changes } = this
    for (const slot of this.core.slotsOf(id)) {
      yield this.bytesOf(slot).toString()
      if (this.changes !== changes) {
        throw new EscalonaError('SCHEDULER_CHANGED')
      }
    }
  }

  /** Forgets the URLs of a host, which stays known; without a host, all URLs and all hosts. */
  clear(host?: string): void {
    this.changes++
    if (host === undefined) {
      this.core.clear()
      return
    }
    const id = this.hostNamed(host)
    if (id !== 0) this.core.clearHost(id)
  }

  /** How many URLs are waiting: in all, or of one host. */
  waiting(host?: string): number {
    if (host === undefined) return this.core.urls.waiting
    const id = this.hostNamed(host)
    return id === 0 ? 0 : this.core.waitingOf(id)
  }

  /** How many hosts are known now. */
  get knownHosts(): number {
    return this.core.hosts.known
  }

  /** What has happened so far; a copy. */
  get counts(): Readonly<Counts> {
    const { counts } = this.core
    return { ...counts, refused: { ...counts.refused } }
  }

  private takeNext(): Buffer | undefined {
    this.changes++
    return this.core.take(1) === 0 ? undefined : this.bytesOf(this.core.slotAt(this.core.takenAt))
  }

  private hostNamed(host: string): HostId {
    const end = sharedKernel.put(host)
    return this.core.hostNamed(sharedKernel.start, end)
  }

  private bytesOf(slot: UrlSlot): Buffer {
    const text = this.core.urls.text(slot)
    const bytes = Buffer.allocUnsafe(SCHEME.length + text.length)
    bytes.write(SCHEME, 'latin1')
    bytes.set(text, SCHEME.length)
    return bytes
  }
}

/** At most `max` of what `take` gives, each when it is asked for. */
function taken(max: number, take: () => string | undefined): Generator<string, void, void> {
  if (max >= 0) return many(max, take)
  throw new EscalonaError('SCHEDULER_BAD_LIMIT', { max })
}

function* many(max: number, take: () => string | undefined): Generator<string, void, void> {
  for (let left = max; left >= 1; left--) {
    const url = take()
    if (url === undefined) return
    yield url
  }
}
