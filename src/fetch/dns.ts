import { isIP, isIPv6 } from 'node:net'
import type { Clock } from '../base/clock.ts'
import type { ResolvedAddress } from './exchange.ts'
import { systemHosts } from './hosts-file.ts'
import { NameServers } from './name-servers.ts'
import { Routes } from './routes.ts'

export type Resolution =
  /** The best first. */
  | { readonly kind: 'found'; readonly addresses: readonly ResolvedAddress[] }
  /** There is no such name, or it has no address. Final. */
  | { readonly kind: 'gone' }
  /** Worth another try later. `isOurs`: no DNS server answered meanwhile, for any name, so it is our network. */
  | { readonly kind: 'unavailable'; readonly isOurs: boolean }

export interface ResolverOptions {
  readonly clock: Clock
  /** Answered first and never looked up: see `parseHostsFile`. */
  readonly hosts?: ReadonlyMap<string, string>
  /** Default `/etc/hosts`. A file that can't be read counts as empty. */
  readonly systemHostsPath?: string
  readonly servers?: readonly string[]
  /** For one name, not counting the wait for its turn. */
  readonly timeoutMs?: number
  /** Default: whether this machine has a public IPv6 address. */
  readonly isV6Better?: () => Promise<boolean>
}

const SHORTEST_MS = 10_000
const LONGEST_MS = 3_600_000
const GONE_MS = 3_600_000
const UNAVAILABLE_MS = 10_000
const DEMOTED_MS = 600_000
const MOST_NAMES = 100_000
const MOST_DEMOTED = 10_000
const MOST_AT_ONCE = 256
/** More packets in one burst than a UDP buffer holds (256, usually) are lost, and sent again a second later. */
const MOST_PER_TURN = 16
const LONGEST_NAME = 253
const FOR_EVER = Number.POSITIVE_INFINITY

interface Known {
  readonly resolution: Resolution
  readonly untilMs: number
}

/**
 * Looks up host names: all addresses, in an order that stays the same as long as the set does, so that requests to a host go to one server.
 * Asks the caller's map, the system's hosts file and DNS servers; not getaddrinfo: see docs/decisions/0009.
 */
export class Resolver {
  private readonly clock: Clock
  private readonly hosts: ReadonlyMap<string, string>
  private readonly systemHosts: ReadonlyMap<string, string>
  private readonly servers: NameServers
  private readonly isV6Better: () => Promise<boolean>
  private readonly known = new Map<string, Known>()
  private readonly asked = new Map<string, Promise<Resolution>>()
  /** Until when addresses come last; the oldest entry comes first. */
  private readonly demotedUntilMs = new Map<string, number>()
  private readonly turns = new Turns(MOST_AT_ONCE, MOST_PER_TURN)

  constructor({ clock, hosts = new Map(), systemHostsPath, servers, timeoutMs = 5000, isV6Better }: ResolverOptions) {
    this.clock = clock
    this.hosts = hosts
    this.systemHosts = systemHosts(systemHostsPath)
    this.servers = new NameServers(clock, servers, timeoutMs)
    const routes = new Routes(clock)
    this.isV6Better = isV6Better ?? (() => routes.isV6Better())
  }

  /** `host`: in lower case, without a port; an IPv6 address with or without brackets. 256 names are looked up at once; the rest wait. */
  resolve(host: string): Promise<Resolution> {
    const resolution = this.peek(host)
    if (resolution !== undefined) return Promise.resolve(resolution)
    const running = this.asked.get(host)
    if (running !== undefined) return running
    const asking = this.turns
      .run(() => this.ask(host))
      .then(known => {
        this.asked.delete(host)
        this.keep(host, known)
        return this.withDemoted(known.resolution)
      })
    this.asked.set(host, asking)
    return asking
  }

  get lookups(): number {
    return this.asked.size
  }

  /** What is known without asking a server. */
  peek(host: string): Resolution | undefined {
    const known = this.known.get(host)
    if (known === undefined) return this.atOnce(host)
    if (known.untilMs > this.clock()) return this.withDemoted(known.resolution)
    this.known.delete(host)
    return undefined
  }

  /** An address that could not be connected to comes last for ten minutes, for every name. */
  demote(ip: string): void {
    this.demotedUntilMs.delete(ip)
    if (this.demotedUntilMs.size >= MOST_DEMOTED) forgetFirst(this.demotedUntilMs)
    this.demotedUntilMs.set(ip, this.clock() + DEMOTED_MS)
  }

  private atOnce(host: string): Resolution | undefined {
    const literal = host.startsWith('[') ? host.slice(1, -1) : host
    const ip = isIP(literal) === 0 ? this.ipWithoutServers(host) : literal
    if (ip !== undefined) return { kind: 'found', addresses: [addressOf(ip, FOR_EVER)] }
    return host === '' || host.length > LONGEST_NAME ? { kind: 'gone' } : undefined
  }

  private ipWithoutServers(host: string): string | undefined {
    const own = this.hosts.get(host)
    if (own !== undefined) return own
    // RFC 6761 6.3: names under localhost are loopback, and are not looked up.
    if (host === 'localhost' || host.endsWith('.localhost')) return '127.0.0.1'
    return this.systemHosts.get(host)
  }

  private async ask(host: string): Promise<Known> {
    const answer = await this.servers.ask(host)
    if (answer.kind === 'gone') return { resolution: answer, untilMs: this.clock() + GONE_MS }
    if (answer.kind === 'unavailable') return { resolution: answer, untilMs: this.clock() + UNAVAILABLE_MS }
    const ips = inOrder(host, answer.ips, await this.isV6Better())
    const untilMs = this.clock() + Math.min(Math.max(answer.ttlSeconds * 1000, SHORTEST_MS), LONGEST_MS)
    return { resolution: { kind: 'found', addresses: ips.map(ip => addressOf(ip, untilMs)) }, untilMs }
  }

  private keep(host: string, known: Known): void {
    if (this.known.size >= MOST_NAMES) forgetFirst(this.known)
    this.known.set(host, known)
  }

  private withDemoted(resolution: Resolution): Resolution {
    if (this.demotedUntilMs.size === 0 || resolution.kind !== 'found' || resolution.addresses.length === 1)
      return resolution
    const { addresses } = resolution
    const last = addresses.filter(({ ip }) => this.isDemoted(ip))
    if (last.length === 0) return resolution
    return { kind: 'found', addresses: [...addresses.filter(address => !last.includes(address)), ...last] }
  }

  private isDemoted(ip: string): boolean {
    const untilMs = this.demotedUntilMs.get(ip)
    if (untilMs === undefined) return false
    if (untilMs > this.clock()) return true
    this.demotedUntilMs.delete(ip)
    return false
  }
}

function forgetFirst(map: Map<string, unknown>): void {
  map.delete(map.keys().next().value!)
}

function addressOf(ip: string, untilMs: number): ResolvedAddress {
  return { ip, family: isIP(ip) === 6 ? 6 : 4, untilMs }
}

/**
 * Within a family a hash of name and address decides (rendezvous hashing): DNS servers change the order, and every crawler should still end up
 * at the same server, while names that share servers spread over them.
 */
function inOrder(name: string, ips: readonly string[], isV6First: boolean): string[] {
  const rank = new Map(ips.map(ip => [ip, hash(`${name} ${ip}`)]))
  return [...rank.keys()].sort(
    (a, b) =>
      (isIPv6(a) === isV6First ? 0 : 1) - (isIPv6(b) === isV6First ? 0 : 1) ||
      rank.get(a)! - rank.get(b)! ||
      (a < b ? -1 : 1),
  )
}

/** FNV-1a with the finish of MurmurHash3, since FNV alone hardly mixes its last bytes. */
function hash(text: string): number {
  let mixed = 0x811c9dc5
  for (let i = 0; i < text.length; i++) mixed = Math.imul(mixed ^ text.charCodeAt(i), 0x01000193)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** Runs tasks in order of arrival, with a limit at once and per turn of the event loop. */
class Turns {
  private readonly mostAtOnce: number
  private readonly mostPerTurn: number
  private open = 0
  private begun = 0
  private readonly waiting: (() => Promise<void>)[] = []

  constructor(mostAtOnce: number, mostPerTurn: number) {
    this.mostAtOnce = mostAtOnce
    this.mostPerTurn = mostPerTurn
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.waiting.push(() => work().then(resolve, reject))
      this.begin()
    })
  }

  private begin(): void {
    while (this.waiting.length > 0 && this.open < this.mostAtOnce && this.begun < this.mostPerTurn) {
      if (this.begun++ === 0) setImmediate(() => this.nextTurn())
      this.open++
      void this.waiting.shift()!().finally(() => {
        this.open--
        this.begin()
      })
    }
  }

  private nextTurn(): void {
    this.begun = 0
    this.begin()
  }
}
