import type { EscalonaError } from '../../../base/errors.ts'
import type { DumpHost, DumpLink } from '../../dump.ts'
import type { HostPlace } from '../shard/host-places.ts'
import { packErrand, packPage } from '../shard/link-text.ts'
import { Packer } from '../shard/pack.ts'
import { Names, packDomain } from '../shard/pack-links.ts'
import type { ShardDump } from './shard-dump.ts'

const MOST_LINKS = 256
const MOST_HOSTS = 128
const MOST_ATTEMPTS = 0xffff
const NEVER = Buffer.alloc(0)

/** A host of a dump, and what is known of it besides. */
export type RestoredHost = DumpHost & {
  /** Its place among all hosts, from 1. */
  readonly since: number
  readonly isServerDown: boolean
}

interface Block {
  readonly place: HostPlace
  /** Undefined: it was written before. */
  readonly host: RestoredHost | undefined
  readonly links: DumpLink[]
}

/** What goes to one shard next. While a part is written, the next one is collected. */
export class RestoreBuffer {
  fingerprintSeed: readonly [number, number] = [0, 0]
  private readonly shard: ShardDump
  private readonly nowMs: number | undefined
  private readonly twice: () => EscalonaError
  private blocks: Block[] = []
  private links = 0
  private lastNote = 0
  private writing: Promise<void> = Promise.resolve()

  /** `twice`: the error for links that were there already. */
  constructor(shard: ShardDump, nowMs: number | undefined, twice: () => EscalonaError) {
    this.shard = shard
    this.nowMs = nowMs
    this.twice = twice
  }

  async addHost(place: HostPlace, host: RestoredHost): Promise<void> {
    if (this.blocks.length >= MOST_HOSTS) await this.flush()
    this.blocks.push({ place, host, links: [] })
  }

  async addLink(place: HostPlace, link: DumpLink): Promise<void> {
    if (this.links >= MOST_LINKS) await this.flush()
    const last = this.blocks.at(-1)
    if (last?.place === place) last.links.push(link)
    else this.blocks.push({ place, host: undefined, links: [link] })
    this.links++
  }

  /** Begins to write what was collected, after what was begun before. */
  async flush(): Promise<void> {
    if (this.blocks.length === 0) return
    const input = this.packed()
    this.blocks = []
    this.links = 0
    await this.writing
    this.writing = this.write(input)
    // Whoever waits for it next is told.
    this.writing.catch(() => {})
  }

  async finish(): Promise<void> {
    await this.flush()
    await this.writing
  }

  private async write(input: Buffer): Promise<void> {
    if ((await this.shard.restoreHosts(input, this.nowMs)) > 0) throw this.twice()
  }

  private packed(): Buffer {
    const reasons = new Names()
    const notes = this.numbered()
    const list = new Packer(1 << 14).list(this.blocks.length * 4)
    for (const { place, host, links } of this.blocks) {
      list.text(place.name)
      packDomain(list, place)
      packHost(list, host)
      list.list(links.length * 4)
      for (const link of links) this.packLink(list, place, link, reasons, notes)
    }
    const out = new Packer(list.length + 1024).list(4).list(reasons.names.length)
    for (const reason of reasons.names) out.text(reason)
    out.list(notes.size * 2)
    for (const [note, number] of notes) out.number(number).text(note)
    out.number(notes.size === 0 ? 0 : this.lastNote).append(list)
    return out.done()
  }

  /** Numbers for the notes of page links; links of one call share them. */
  private numbered(): Map<string, number> {
    const notes = new Map<string, number>()
    for (const { links } of this.blocks) {
      for (const { note, errand } of links) {
        if (note !== undefined && errand === undefined && !notes.has(note)) notes.set(note, ++this.lastNote)
      }
    }
    return notes
  }

  private packLink(
    out: Packer,
    { name, nameBytes }: HostPlace,
    { url, errand, pathDepth, hops, note, attempts = 0, refused }: DumpLink,
    reasons: Names,
    notes: ReadonlyMap<string, number>,
  ): void {
    const seed = this.fingerprintSeed
    if (errand !== undefined) packErrand(out, { url, kind: errand, note, depth: pathDepth, hops }, name, seed)
    else {
      const depth = pathDepth + 256 * (refused === undefined ? 0 : reasons.placeOf(refused))
      const number = note === undefined ? undefined : notes.get(note)
      packPage(out, url, nameBytes, depth, { hops, note: number }, seed)
    }
    out.raw(attempts === 0 ? NEVER : twoBytes(Math.min(attempts, MOST_ATTEMPTS)))
  }
}

function twoBytes(value: number): Buffer {
  return Buffer.of(value >> 8, value & 0xff)
}

/** A record as `lua/restore-hosts.lua` takes it. */
function packHost(out: Packer, host: RestoredHost | undefined): void {
  if (host === undefined) {
    out.list(0)
    return
  }
  const { since, readyInMs, isResting, isProven, isVisited, isServerDown } = host
  out
    .list(11)
    .number(since)
    .number(readyInMs === undefined ? 0 : 1)
    .number(readyInMs ?? 0)
  for (const flag of [isResting, isProven, isVisited]) out.number(flag ? 1 : 0)
  out
    .number(host.delayMs ?? 0)
    .number(host.failures ?? 0)
    .number(host.pages ?? 0)
  out.text(host.server ?? '').number(isServerDown ? 1 : 0)
}
