import { type Frontier, type Hint, hostOf } from '../../frontier/frontier.ts'
import type { HintRecord } from '../sitemaps-file.ts'

/** So many visits decide whether a host is believed. */
const LEAST_VISITS = 5
/** Then both counts are halved: what a host said long ago counts less. */
const MOST_VISITS = 40
const MOST_HOSTS = 10_000
const NOTED_MS = 30 * 24 * 3_600_000
const NOTE_KEY = 'hints'

/**
 * Passes on what sitemaps say about changes, unless a host has proven that its dates mean nothing: more than half of the visits
 * that followed found no change. What is known of a host is kept in the frontier's notes, for all machines of the crawl; of a
 * crawl on one machine, in `records`, which later runs have too.
 */
export class HintBook {
  private readonly frontier: Pick<Frontier, 'hint' | 'note' | 'noted'>
  private readonly records: Map<string, HintRecord>

  constructor(frontier: Pick<Frontier, 'hint' | 'note' | 'noted'>, records = new Map<string, HintRecord>()) {
    this.frontier = frontier
    this.records = records
  }

  /** Makes pages due that were changed since their last visit. Returns how many. */
  async offer(hints: readonly Hint[]): Promise<number> {
    const believed: Hint[] = []
    for (const hint of hints) if (isBelieved(await this.recordOf(hostOf(hint.url)))) believed.push(hint)
    return believed.length === 0 ? 0 : this.frontier.hint(believed)
  }

  /** Hears whether a visit that a hint caused found a change. */
  async learn(host: string, isTrue: boolean): Promise<void> {
    const record = await this.recordOf(host)
    if (isTrue) record.isTrue++
    else record.isUntrue++
    if (record.isTrue + record.isUntrue > MOST_VISITS) {
      record.isTrue >>= 1
      record.isUntrue >>= 1
    }
    this.keep(host, record)
    await this.frontier.note(host, NOTE_KEY, Uint8Array.of(record.isTrue, record.isUntrue), NOTED_MS)
  }

  private async recordOf(host: string): Promise<HintRecord> {
    const known = this.records.get(host)
    if (known !== undefined) return known
    const [isTrue = 0, isUntrue = 0] = (await this.frontier.noted(host, NOTE_KEY)) ?? []
    const record = this.records.get(host) ?? { isTrue, isUntrue }
    this.keep(host, record)
    return record
  }

  private keep(host: string, record: HintRecord): void {
    if (this.records.size >= MOST_HOSTS && !this.records.has(host))
      this.records.delete(this.records.keys().next().value!)
    this.records.set(host, record)
  }
}

function isBelieved({ isTrue, isUntrue }: HintRecord): boolean {
  return isTrue + isUntrue < LEAST_VISITS || isUntrue <= isTrue
}
