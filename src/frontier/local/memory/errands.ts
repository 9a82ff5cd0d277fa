import type { LinkKind } from '../../frontier.ts'
import type { HostId, Hosts } from './hosts.ts'

export type ErrandKind = Exclude<LinkKind, 'page'>

/** A link other than a page, while it waits or is leased. */
export interface Errand {
  readonly kind: ErrandKind
  readonly url: string
  readonly pathDepth: number
  readonly hops: number
  readonly note: string | undefined
  readonly host: HostId
  /** How often it was tried. */
  attempts: number
  next: Errand | undefined
}

type Wanted = Pick<Errand, 'kind' | 'url' | 'note'>

/** The errands of all hosts, each host's in a list. They are few, so they are objects, with their texts. */
export class Errands {
  /** How many wait. */
  waiting = 0
  private readonly hosts: Hosts
  private readonly lists = new Map<HostId, { first: Errand; last: Errand }>()
  private readonly known = new Set<string>()

  constructor(hosts: Hosts) {
    this.hosts = hosts
  }

  /** Whether the same errand waits or is leased. */
  has(errand: Wanted): boolean {
    return this.known.has(keyOf(errand))
  }

  /** It is known from now on. */
  begin(errand: Errand): void {
    this.known.add(keyOf(errand))
  }

  /** It is over. */
  end(errand: Errand): void {
    this.known.delete(keyOf(errand))
  }

  append(errand: Errand): void {
    const list = this.lists.get(errand.host)
    errand.next = undefined
    if (list === undefined) this.lists.set(errand.host, { first: errand, last: errand })
    else {
      list.last.next = errand
      list.last = errand
    }
    this.count(errand.host, 1)
  }

  putBack(errand: Errand): void {
    const list = this.lists.get(errand.host)
    errand.next = list?.first
    if (list === undefined) this.lists.set(errand.host, { first: errand, last: errand })
    else list.first = errand
    this.count(errand.host, 1)
  }

  /** Takes the first of a host's errands; undefined when there is none. */
  takeFirst(host: HostId): Errand | undefined {
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
  all(): Errand[] {
    const all: Errand[] = []
    for (const { first } of this.lists.values()) {
      for (let errand: Errand | undefined = first; errand !== undefined; errand = errand.next) all.push(errand)
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
    this.hosts.setErrands(host, this.hosts.errands(host) + change)
  }
}

/** The URL's length stands before it, so URL and note can't run into each other. */
function keyOf({ kind, url, note }: Wanted): string {
  return note === undefined ? `${kind} ${url.length} ${url}` : `${kind} ${url.length} ${url} ${note}`
}
