import { LAST_RANK } from '../../checks.ts'
import type { HostShard } from './host-shards.ts'
import { packAuxiliary, packPage } from './link-text.ts'
import type { OfferedLink } from './moves.ts'
import type { Packer } from './pack.ts'

const BOUNDS = { 'max-hosts': 1, 'page-hosts': 3 } as const

/** The number, from 1, by which a call names a text. */
export function numberIn(texts: Map<string, number>, text: string): number {
  const known = texts.get(text)
  if (known !== undefined) return known
  texts.set(text, texts.size + 1)
  return texts.size
}

/** What the links of a call have in common. */
export interface LinkContext {
  readonly reasons: Map<string, number>
  readonly hosts: Set<string>
  /** The numbers of notes. */
  readonly notes: ReadonlyMap<string, number>
  readonly seed: readonly [number, number]
}

/** The different notes of page links. */
export function notesOf(links: Iterable<OfferedLink>, into = new Set<string>()): Set<string> {
  for (const { link } of links) {
    if (link.note !== undefined && (link.kind === undefined || link.kind === 'page')) into.add(link.note)
  }
  return into
}

/** Writes links, in the order of their groups, as the blocks of `lua/parts/offering.lua`; `group`: all are of this one. */
export function packBlocks(out: Packer, links: readonly OfferedLink[], context: LinkContext, group?: number): void {
  const blocks: OfferedLink[][] = []
  let last = -1
  let byHost = new Map<HostShard, OfferedLink[]>()
  for (const link of links) {
    if (group === undefined && link.group !== last) {
      last = link.group
      if (byHost.size > 0) byHost = new Map()
    }
    const block = byHost.get(link.host)
    if (block !== undefined) block.push(link)
    else {
      const first = [link]
      byHost.set(link.host, first)
      blocks.push(first)
    }
  }
  out.list(blocks.length * 6)
  for (const block of blocks) {
    const { host, bound, group: own } = block[0]!
    out.text(host.name)
    packDomain(out, host)
    out.number(bound === undefined ? 0 : BOUNDS[bound])
    out.number(group ?? own)
    out.number(givenBy(block))
    out.list(block.length * 3)
    for (const { link } of block) packLink(out, link, host, context)
    context.hosts.add(host.name)
  }
}

/** What these links give to their host; see `Link.gives`. */
function givenBy(block: readonly OfferedLink[]): number {
  let sum = 0
  for (const { link } of block) {
    const { gives = 0, kind = 'page', refused } = link
    if (kind === 'page' && refused === undefined) sum += gives
  }
  return Math.min(sum, Number.MAX_VALUE)
}

/** A domain usually is the end of the host's name: then its length is enough. */
export function packDomain(out: Packer, { name, domain }: HostShard): void {
  if (domain !== '' && name.endsWith(domain)) out.number(Buffer.byteLength(domain))
  else out.text(domain)
}

function packLink(out: Packer, link: OfferedLink['link'], host: HostShard, context: LinkContext): void {
  const { url, kind, hops, note, refused, attempts = 0 } = link
  const rank = Math.min(link.rank, LAST_RANK)
  if (kind !== undefined && kind !== 'page') {
    packAuxiliary(out, { url, kind, note, rank, hops, attempts }, host.name, context.seed)
    return
  }
  const place = refused === undefined ? 0 : numberIn(context.reasons, refused)
  const number = note === undefined ? undefined : context.notes.get(note)
  packPage(out, url, host.nameBytes, rank + 256 * place, { hops, note: number, attempts }, context.seed)
}
