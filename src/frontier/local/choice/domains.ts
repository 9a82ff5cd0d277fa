import { sameBytes } from '../../../base/structures/bytes.ts'
import { SplitIndex } from '../../../base/structures/hash-index.ts'
import { registrableDomain } from '../../../url/registrable-domain.ts'
import type { HostId, HostTable } from '../memory/hosts.ts'
import { LookupKey } from '../memory/lookup-key.ts'
import { Rows } from '../memory/rows.ts'

/** A registrable domain's number, from 1 up, in the order in which the domains became known; 0 means "none". */
export type DomainId = number

/** Where its text is among the hosts' names, and how long it is, with a bit for `visited` above. */
const TEXT = 0
const LENGTH = 1
const HOSTS = 2
/** The first host of those that can be leased, of each kind; see `explore.ts`. */
const FIRSTS = 3
const DOMAIN_WORDS = 5
const DOMAIN_BITS = 16
const VISITED = 1 << 30

/** The registrable domains of the known hosts. Their texts are parts of their first hosts' names. */
export class Domains {
  known: DomainId = 0
  private readonly hosts: HostTable
  private rows = new Rows(DOMAIN_WORDS, DOMAIN_BITS)
  private index = new SplitIndex()
  private readonly key = new LookupKey()

  constructor(hosts: HostTable) {
    this.hosts = hosts
  }

  /** How many hosts of this host's domain are known. */
  hostsLike(name: string): number {
    const domain = this.find(registrableDomain(name))
    return domain === 0 ? 0 : this.rows.get(domain, HOSTS)
  }

  /** Gives a new host its domain. */
  admit(host: HostId): void {
    const name = this.hosts.text(host)
    const text = registrableDomain(name)
    const domain = this.find(text) || this.add(host, name, text)
    this.hosts.setDomain(host, domain)
    this.rows.set(domain, HOSTS, this.rows.get(domain, HOSTS) + 1)
  }

  isVisited(domain: DomainId): boolean {
    return (this.rows.get(domain, LENGTH) & VISITED) !== 0
  }

  setVisited(domain: DomainId): void {
    this.rows.set(domain, LENGTH, this.rows.get(domain, LENGTH) | VISITED)
  }

  first(domain: DomainId, kind: 0 | 1): HostId {
    return this.rows.get(domain, FIRSTS + kind)
  }

  setFirst(domain: DomainId, kind: 0 | 1, host: HostId): void {
    this.rows.set(domain, FIRSTS + kind, host)
  }

  /** No host can be leased: what is in line will be entered anew. */
  forgetFirsts(): void {
    for (let domain = 1; domain <= this.known; domain++) {
      this.setFirst(domain, 0, 0)
      this.setFirst(domain, 1, 0)
    }
  }

  clear(): void {
    this.known = 0
    this.rows = new Rows(DOMAIN_WORDS, DOMAIN_BITS)
    this.index = new SplitIndex()
  }

  private find(text: string): DomainId {
    const { view, hostHash, length } = this.key.readName(text)
    const part = this.index.part(hostHash)
    let slot = part.search(hostHash)
    while (slot >= 0 && !this.is(part.id(slot), view, length)) slot = part.searchOn(slot, hostHash)
    return slot >= 0 ? part.id(slot) : 0
  }

  private is(domain: DomainId, view: DataView, length: number): boolean {
    if ((this.rows.get(domain, LENGTH) & ~VISITED) !== length) return false
    const text = this.rows.get(domain, TEXT) >>> 0
    const { names } = this.hosts
    return sameBytes(names.viewOf(text), names.startOf(text), view, 0, length)
  }

  /** The text that was just looked for and not found. */
  private add(host: HostId, name: string, text: string): DomainId {
    const { names } = this.hosts
    const { view, hostHash, length } = this.key
    const domain = ++this.known
    this.rows.reach(domain)
    const own = this.hosts.nameOf(host)
    const offset = name.length === names.lengthOf(own) ? name.lastIndexOf(text) : -1
    this.rows.set(domain, TEXT, offset < 0 ? names.add(view, 0, length) : own + offset)
    this.rows.set(domain, LENGTH, length)
    this.index.add(hostHash, domain)
    return domain
  }
}
