import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import type { Clock } from '../base/clock.ts'
import { AddressGuard } from './address-guard.ts'

/** A public address of each family; which one does not matter. These are a.root-servers.net's. */
const PUBLIC_V4 = '198.41.0.4'
const PUBLIC_V6 = '2001:503:ba3e::2:30'

const DNS_PORT = 53
const KNOWN_MS = 60_000
const KNOWN_ABSENT_MS = 5_000

interface Source {
  /** Undefined without a route. */
  readonly ip: string | undefined
  readonly untilMs: number
}

/** A UDP socket that is connected sends nothing: the kernel picks a route and our own address for it, or refuses. */
export class Routes {
  private readonly clock: Clock
  private readonly guard = new AddressGuard()
  private readonly known = new Map<string, Source>()

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** RFC 6724 in short: from a private IPv6 address (ULA), or through a tunnel (Teredo, 6to4), IPv4 is better. */
  async isV6Better(): Promise<boolean> {
    const source = await this.publicSource(PUBLIC_V6)
    return source !== undefined && this.guard.isAllowed(source)
  }

  async hasWayTo(ip: string): Promise<boolean> {
    return (await sourceFor(ip)) !== undefined
  }

  /** False without a route to any public address. */
  async isOnline(): Promise<boolean> {
    const sources = await Promise.all([this.publicSource(PUBLIC_V4), this.publicSource(PUBLIC_V6)])
    return sources.some(source => source !== undefined)
  }

  private async publicSource(ip: string): Promise<string | undefined> {
    const known = this.known.get(ip)
    if (known !== undefined && known.untilMs > this.clock()) return known.ip
    const source = await sourceFor(ip)
    this.known.set(ip, { ip: source, untilMs: this.clock() + (source === undefined ? KNOWN_ABSENT_MS : KNOWN_MS) })
    return source
  }
}

function sourceFor(ip: string): Promise<string | undefined> {
  return new Promise(resolve => {
    const socket = createSocket(isIPv6(ip) ? 'udp6' : 'udp4')
    const end = (source: string | undefined) => {
      socket.close()
      resolve(source)
    }
    socket.once('error', () => end(undefined))
    socket.connect(DNS_PORT, ip, ((error?: Error) => end(error ? undefined : socket.address().address)) as () => void)
  })
}
