import type { Resolver } from '../fetch/dns.ts'
import type { Address } from '../fetch/exchange.ts'
import type { Frontier } from '../frontier/frontier.ts'

/**
 * Which hosts share a server. The frontier keeps one request at a time to each host; hosts with one IP address are tied
 * together there, so that this holds for the address too.
 */
export class Servers {
  private readonly resolver: Resolver
  private readonly frontier: Frontier
  /** The first host that was seen at an address. */
  private readonly firstAt = new Map<string, string>()
  private readonly addressOf = new Map<string, string>()

  constructor(resolver: Resolver, frontier: Frontier) {
    this.resolver = resolver
    this.frontier = frontier
  }

  /**
   * Where a host is. `tied`: it has just turned out to share its server; whether it may be asked now, the frontier must say
   * anew.
   */
  async find(host: string): Promise<Address | 'tied' | 'dns'> {
    const resolution = await this.resolver.resolve(nameOf(host))
    if (resolution.kind !== 'found') return 'dns'
    const address = resolution.addresses[0]!
    if (this.addressOf.get(host) === address.ip) return address
    this.addressOf.set(host, address.ip)
    const first = this.firstAt.get(address.ip)
    if (first === undefined) {
      this.firstAt.set(address.ip, host)
      return address
    }
    if (first === host) return address
    await this.frontier.tie([first, host])
    return 'tied'
  }
}

/** A host without its port. */
function nameOf(host: string): string {
  const colon = host.lastIndexOf(':')
  return colon > host.lastIndexOf(']') ? host.slice(0, colon) : host
}
