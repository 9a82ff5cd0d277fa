import type { LinkKind } from '../../frontier.ts'
import type { HostId, HostTable } from './hosts.ts'

export type AuxiliaryKind = Exclude<LinkKind, 'page'>

/** A link other than a page, while it waits or is leased. */
export interface AuxiliaryLink {
  readonly kind: AuxiliaryKind
  readonly url: string
  readonly rank: number
  readonly hops: number
  readonly note: string | undefined
  readonly host: HostId
  /** How often it was tried. */
  attempts: number
  next: AuxiliaryLink | undefined
}

type Wanted = Pick<AuxiliaryLink, 'kind' | 'url' | 'note'>

/** The auxiliary links of all hosts, each host's in a list. They are few, so they are objects, with their texts. */
export class AuxiliaryLinks {
  /** How many wait. */
  waiting = 0
  private readonly hosts: HostTable
  private readonly lists = new Map<HostId, { first: AuxiliaryLink; last: AuxiliaryLink }>()
  private readonly known = new Set<string>()

  constructor(hosts: HostTable) {
    this.hosts = hosts
  }

  /** Whether the same auxiliary link waits or is leased. */
  has(auxiliary: Wanted): boolean {
    return this.known.has(keyOf(auxiliary))
  }

  /** It is known from now on. */
  begin(auxiliary: AuxiliaryLink): void {
    this.known.add(keyOf(auxiliary))
  }

  /** It is over. */
  end(auxiliary: AuxiliaryLink): void {
    this.known.delete(keyOf(auxiliary))
  }

  append(auxiliary: AuxiliaryLink): void {
    const list = this.lists.get(auxiliary.host)
    auxiliary.next = undefined
    if (list === undefined) this.lists.set(auxiliary.host, { first: auxiliary, last: auxiliary })
    else {
      list.last.next = auxiliary
      list.last = auxiliary
    }
    this.count(auxiliary.host, 1)
  }

  putBack(auxiliary: AuxiliaryLink): void {
    const list = this.lists.get(auxiliary.host)
    auxiliary.next = list?.first
    if (list === undefined) this.lists.set(auxiliary.host, { first: auxiliary, last: auxiliary })
    else list.first = auxiliary
    this.count(auxiliary.host, 1)
  }

  /** Takes the first of a host's auxiliary links; undefined when there is none. */
  takeFirst(host: HostId): AuxiliaryLink | undefined {
    const list = this.lists.get(host)
    if (list === undefined) return undefined
    const { first } = list
    if (first.next === undefined) this.lists.delete(host)
    else list.first = first.next
    first.next = undefined
    this.count(host, -1)
    return first
  }

  /** The waiting ones, those of a host in their order. */
  all(): AuxiliaryLink[] {
    const all: AuxiliaryLink[] = []
    for (const { first } of this.lists.values()) {
      for (let auxiliary: AuxiliaryLink | undefined = first; auxiliary !== undefined; auxiliary = auxiliary.next)
        all.push(auxiliary)
    }
    return all
  }

  clear(): void {
    this.lists.clear()
    this.known.clear()
    this.waiting = 0
  }

  private count(host: HostId, change: 1 | -1): void {
    this.waiting += change
    this.hosts.setAuxiliaries(host, this.hosts.auxiliaries(host) + change)
  }
}

/** The URL's length is before it, so URL and note can't run into each other. */
function keyOf({ kind, url, note }: Wanted): string {
  return note === undefined ? `${kind} ${url.length} ${url}` : `${kind} ${url.length} ${url} ${note}`
}
