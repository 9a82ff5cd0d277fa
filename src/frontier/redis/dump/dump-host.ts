import type { DumpHost, DumpLink, DumpNote, DumpRecord } from '../../dump.ts'
import { fingerprintBytes, type LinkText, readErrand, readPage } from '../shard/link-text.ts'
import type { Packed } from '../shard/pack.ts'
import { bytesOf, listOf, numberOf, textOf } from '../shard/shard-calls.ts'
import { reading, strange } from '../shard/shard-words.ts'
import type { ComingHost } from './dump-order.ts'

/** What a host's records depend on besides the host. */
export interface HostContext {
  readonly nowMs: number
  /** The least delay of every host. */
  readonly delayMs: number
  readonly fingerprintSeed: readonly [number, number]
  /** By number. */
  readonly reasons: ReadonlyMap<number, string>
}

/** The kinds of pieces; see `lua/dump-hosts.lua`. */
const ERRANDS = 1
const WAITING = 2
const BEING_REFUSED = 3

interface RefusedLink {
  readonly fingerprint: Buffer
  readonly record: DumpLink
}

/** Makes the records of one host. */
export class HostReader {
  /** How many page links there were, and how many of them were refused. */
  pages = 0
  refused = 0
  private readonly host: ComingHost
  private readonly context: HostContext

  constructor(host: ComingHost, context: HostContext) {
    this.host = host
    this.context = context
  }

  /** The host; its errands and waiting links, of which one that is leased is the last of its list; its refused links; its notes. */
  async *records(): AsyncGenerator<DumpRecord> {
    yield this.hostRecord()
    const refused: RefusedLink[] = []
    let leased = this.leasedLink()
    for await (const { piece, notes } of this.host.pieces()) {
      const kind = numberOf(piece[0])
      const depth = kind === ERRANDS ? -1 : kind === WAITING ? numberOf(piece[1]) : Number.POSITIVE_INFINITY
      if (leased !== undefined && leased.depth < depth) {
        yield* this.counted([leased.record])
        leased = undefined
      }
      if (kind === ERRANDS) for (const text of listOf(piece[1])) yield this.errand(bytesOf(text))
      else if (kind === WAITING)
        yield* this.counted(listOf(piece[2]).map(text => this.page(bytesOf(text), depth, notes)))
      else refused.push(...this.refusedIn(piece, notes))
    }
    if (leased !== undefined) yield* this.counted([leased.record])
    for (const { record } of inOrderOnce(refused)) {
      this.pages++
      this.refused++
      yield record
    }
    yield* this.notes()
  }

  private *counted(links: readonly DumpLink[]): Generator<DumpLink> {
    for (const link of links) {
      if (link.errand === undefined) this.pages++
      yield link
    }
  }

  private hostRecord(): DumpHost {
    const { record, isVisited, leased } = this.host
    const { nowMs } = this.context
    const { name, server, failures, pages, delayMs } = record
    const heldMs = nowMs + Math.max(delayMs, this.context.delayMs)
    const isHeld = leased !== undefined && heldMs >= record.readyAtMs
    const readyAtMs = isHeld ? heldMs : record.readyAtMs
    return {
      ...{ kind: 'host', host: name },
      ...(readyAtMs !== 0 && { readyInMs: readyAtMs - nowMs }),
      ...(record.isResting && !isHeld && { isResting: true as const }),
      ...(record.isProven && { isProven: true as const }),
      ...(isVisited && { isVisited: true as const }),
      ...(delayMs > 0 && { delayMs }),
      ...(server !== undefined && { server }),
      ...(failures > 0 && { failures }),
      ...(pages > 0 && { pages }),
    }
  }

  private leasedLink(): { readonly depth: number; readonly record: DumpLink } | undefined {
    const { leased } = this.host
    if (leased === undefined) return undefined
    const { depth, text, notes } = leased
    return { depth, record: depth < 0 ? this.errand(text) : this.page(text, depth, notes) }
  }

  private errand(text: Buffer): DumpLink {
    const { url, hops, attempts, note, kind, depth } = reading('an errand', () =>
      readErrand(text, this.host.record.name),
    )
    if (kind === 'page') throw strange('an errand')
    return {
      ...{ kind: 'link', url, errand: kind, pathDepth: depth, hops },
      ...(note !== undefined && { note: String(note) }),
      ...(attempts > 0 && { attempts }),
    }
  }

  private page(text: Buffer, pathDepth: number, notes: ReadonlyMap<number, string>): DumpLink {
    const link: LinkText = reading('a link', () => readPage(text, this.host.record.name))
    const note = typeof link.note === 'number' ? notes.get(link.note) : undefined
    if (link.note !== undefined && note === undefined) throw strange('a note is missing')
    return {
      ...{ kind: 'link', url: link.url, pathDepth, hops: link.hops },
      ...(note !== undefined && { note }),
      ...(link.attempts > 0 && { attempts: link.attempts }),
    }
  }

  private refusedIn(piece: readonly Packed[], notes: ReadonlyMap<number, string>): RefusedLink[] {
    const { reasons, fingerprintSeed } = this.context
    if (numberOf(piece[0]) === BEING_REFUSED) {
      const refused = reasons.get(numberOf(piece[2])) ?? ''
      return listOf(piece[3]).map(text => {
        const record = { ...this.page(bytesOf(text), numberOf(piece[1]), notes), refused }
        return { fingerprint: fingerprintBytes(record.url, fingerprintSeed), record }
      })
    }
    const list = listOf(piece[1])
    const found: RefusedLink[] = []
    for (let k = 0; k < list.length; k += 3) {
      const kept = bytesOf(list[k + 1])
      const refused = reasons.get(numberOf(list[k + 2]) - 3) ?? ''
      const record = { ...this.page(kept.subarray(1), kept[0]!, notes), refused }
      found.push({ fingerprint: bytesOf(list[k]), record })
    }
    return found
  }

  private *notes(): Generator<DumpNote> {
    const { notes } = this.host
    for (let k = 0; k < notes.length; k += 2) {
      const kept = bytesOf(notes[k + 1])
      const forMs = kept.readDoubleBE(0) - this.context.nowMs
      if (forMs > 0) yield { kind: 'note', key: textOf(notes[k]), bytes: kept.subarray(8), forMs }
    }
  }
}

/** Ordered by fingerprint, each once: a scan may have come by some twice. */
function inOrderOnce(links: RefusedLink[]): RefusedLink[] {
  const value = ({ fingerprint }: RefusedLink) => fingerprint.readBigUInt64LE(0)
  links.sort((a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0))
  return links.filter((link, n) => n === 0 || value(link) !== value(links[n - 1]!))
}
