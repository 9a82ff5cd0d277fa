import type { RecordWithTtl } from 'node:dns'
import { lookup, Resolver as ServerResolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Clock } from '../base/clock.ts'
import type { Address } from './exchange.ts'

export interface ResolverOptions {
  readonly clock: Clock
  /** Names answered from here first, for ever, like a hosts file: see `parseHostsFile`. */
  readonly hosts?: ReadonlyMap<string, string>
  /** DNS servers (`address` or `address:port`) instead of the system's. */
  readonly servers?: readonly string[]
  /** For one name, all attempts together. */
  readonly timeoutMs?: number
}

const SHORTEST_MS = 10_000
const LONGEST_MS = 3_600_000
/** What the system answers (its own hosts file) comes without a time. */
const SYSTEM_MS = 60_000
const FAILED_MS = 10_000
const MOST_NAMES = 100_000
const LONGEST_NAME = 253

/** Then the question for IPv6 would only wait as well. */
const NOBODY_THERE: ReadonlySet<string> = new Set(['ETIMEOUT', 'ECONNREFUSED'])

interface Known {
  readonly answer: Address | 'dns'
  readonly untilMs: number
}

/**
 * Where host names lead. One address a name, the first of its answer and IPv4 if there is one; it stays the same until its
 * time is over, so that requests to a host go to one place. Whether it may be asked is the address guard's business.
 */
export class Resolver {
  private readonly clock: Clock
  private readonly hosts: ReadonlyMap<string, string>
  private readonly timeoutMs: number
  private readonly servers: ServerResolver
  private systemTurn: Promise<unknown> = Promise.resolve()
  /** The name that was learned longest ago comes first. */
  private readonly known = new Map<string, Known>()
  private readonly asked = new Map<string, Promise<Address | 'dns'>>()

  constructor({ clock, hosts = new Map(), servers, timeoutMs = 5000 }: ResolverOptions) {
    this.clock = clock
    this.hosts = hosts
    this.timeoutMs = timeoutMs
    this.servers = new ServerResolver({ timeout: Math.ceil(timeoutMs / 5), tries: 2 })
    if (servers !== undefined) this.servers.setServers(servers)
  }

  /** `host`: in lower case, without a port; an IPv6 address in brackets or not. */
  resolve(host: string): Promise<Address | 'dns'> {
    const answer = this.peek(host)
    if (answer !== undefined) return Promise.resolve(answer)
    const running = this.asked.get(host)
    if (running !== undefined) return running
    const asking = this.ask(host).then(known => {
      this.asked.delete(host)
      this.keep(host, known)
      return known.answer
    })
    this.asked.set(host, asking)
    return asking
  }

  /** What is known without asking anybody. */
  peek(host: string): Address | 'dns' | undefined {
    const known = this.known.get(host)
    if (known === undefined) return this.atOnce(host)
    if (known.untilMs > this.clock()) return known.answer
    this.known.delete(host)
    return undefined
  }

  private atOnce(host: string): Address | 'dns' | undefined {
    const literal = host.startsWith('[') ? host.slice(1, -1) : host
    const ip = isIP(literal) === 0 ? this.hosts.get(host) : literal
    if (ip !== undefined) return addressOf(ip, Number.POSITIVE_INFINITY)
    return host === '' || host.length > LONGEST_NAME ? 'dns' : undefined
  }

  private keep(host: string, known: Known): void {
    if (this.known.size >= MOST_NAMES) this.known.delete(this.known.keys().next().value!)
    this.known.set(host, known)
  }

  private async ask(host: string): Promise<Known> {
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), this.timeoutMs)
    const tooLate = new Promise<undefined>(resolve => {
      deadline.signal.addEventListener('abort', () => resolve(undefined))
    })
    const found = await Promise.race([this.askAll(host, deadline.signal), tooLate])
    clearTimeout(timer)
    if (found === undefined) return { answer: 'dns', untilMs: this.clock() + FAILED_MS }
    const untilMs = this.clock() + found.keptMs
    return { answer: addressOf(found.ip, untilMs), untilMs }
  }

  private async askAll(host: string, deadline: AbortSignal): Promise<Found | undefined> {
    // RFC 6761 6.3: names under localhost are loopback, and no server is asked about them.
    if (host === 'localhost' || host.endsWith('.localhost')) return { ip: '127.0.0.1', keptMs: SYSTEM_MS }
    return (await this.askServers(host)) ?? (await this.askSystem(host, deadline))
  }

  private async askServers(host: string): Promise<Found | undefined> {
    const ttl = { ttl: true } as const
    try {
      return firstOf(await this.servers.resolve4(host, ttl))
    } catch (error) {
      if (NOBODY_THERE.has((error as NodeJS.ErrnoException).code ?? '')) return undefined
    }
    return this.servers.resolve6(host, ttl).then(firstOf, () => undefined)
  }

  /**
   * The system may know names that servers don't. It is asked about one name at a time: each question holds one of the
   * few threads that also write files, for as long as it takes.
   */
  private askSystem(host: string, deadline: AbortSignal): Promise<Found | undefined> {
    const turn = this.systemTurn.then(async () => {
      if (deadline.aborted) return undefined
      const answers = await lookup(host, { all: true }).catch(() => [])
      const ip = (answers.find(answer => answer.family === 4) ?? answers[0])?.address
      return ip === undefined ? undefined : { ip, keptMs: SYSTEM_MS }
    })
    this.systemTurn = turn
    return turn
  }
}

interface Found {
  readonly ip: string
  readonly keptMs: number
}

function firstOf(answers: readonly RecordWithTtl[]): Found | undefined {
  const [first] = answers
  if (first === undefined) return undefined
  return { ip: first.address, keptMs: Math.min(Math.max(first.ttl * 1000, SHORTEST_MS), LONGEST_MS) }
}

function addressOf(ip: string, untilMs: number): Address {
  return { ip, family: isIP(ip) === 6 ? 6 : 4, untilMs }
}
