import { chanceAt } from '../base/random.ts'
import type { FoundLinks } from '../decide/job.ts'
import { nameOf } from '../url/host-of.ts'
import type { ChangingPages } from './changes.ts'
import { type SimulatedHost, type SimulatedRequest, SimulatedWeb, type Trouble } from './simulated-web.ts'
import type { VirtualClock } from './virtual-clock.ts'
import { unpackTexts, type World } from './world.ts'

/** How the servers of a world behave; everything that chance decides follows from the seed. */
export interface ServerModel {
  /** Median time of an answer. Each host has its own, from a third to three times that; each answer half to one and a half times its host's. */
  readonly latencyMs: number
  /** The share of requests that fail: half of them with status 500, half without an answer. */
  readonly errors: number
  /** The share of hosts whose robots.txt asks for a Crawl-delay, of this many seconds. */
  readonly crawlDelays: number
  readonly seed: number
}

const CRAWL_DELAY_SECONDS = 10
const LINKS_PER_CHUNK = 1000

/** The URLs of a world as texts; made once per thread. */
export class WorldUrls {
  readonly world: World
  private readonly urls: readonly string[] | undefined
  private readonly pages: ReadonlyMap<string, number> | undefined

  constructor(world: World) {
    this.world = world
    this.urls = world.urls && unpackTexts(world.urls)
    this.pages = this.urls && new Map(this.urls.map((url, page) => [url, page]))
  }

  url(page: number): string {
    const { hosts, hostNames } = this.world
    return this.urls === undefined ? `http://${hostNames[hosts[page]!]}/${page}` : this.urls[page]!
  }

  /** Undefined: there is no such page. */
  page(url: string): number | undefined {
    if (this.pages !== undefined) return this.pages.get(url)
    const page = Number(url.slice(url.lastIndexOf('/') + 1))
    return page < this.world.graph.pages && this.url(page) === url ? page : undefined
  }
}

/** Slashes in the path of a canonical URL. */
function depthOf(url: string): number {
  let depth = 0
  for (let at = url.indexOf('/', 8); at >= 0 && at < url.length; at++) {
    const code = url.charCodeAt(at)
    if (code === 63) break
    if (code === 47) depth++
  }
  return depth
}

export interface GraphWebOptions {
  readonly servers: ServerModel
  readonly changing?: ChangingPages | undefined
  /** Of each page: what its links are ordered by instead of their depth. */
  readonly ranks?: Uint8Array | undefined
}

/** A world as a web, which notes what a crawl does to it. */
export class GraphWeb extends SimulatedWeb {
  requests = 0
  /** Smallest time from the end of a request to the next one at its host, and between the beginnings of two at one server. */
  smallestGapMs = Infinity
  smallestServerGapMs = Infinity
  /** Open requests, summed over time. */
  private openMs = 0
  private openNow = 0
  private lastMs: number
  private readonly clock: VirtualClock
  private readonly lastEndMs: Float64Array
  private readonly lastStartMs: Float64Array
  private readonly numbers: ReadonlyMap<string, number>
  private readonly servers: Uint32Array

  constructor(urls: WorldUrls, time: VirtualClock, options: GraphWebOptions) {
    const { world } = urls
    // A name is looked up without the port.
    const names = world.hostNames.map((name, host) => [nameOf(name), host] as const)
    const numbers = new Map([...names, ...world.hostNames.map((name, host) => [name, host] as const)])
    const hosts = new Map<string, SimulatedHost>()
    const lines: (string | undefined)[] = []
    const line = (page: number) => {
      const url = urls.url(page)
      return `${options.ranks?.[page] ?? depthOf(url)} ${url}`
    }
    const make = (name: string): SimulatedHost | undefined => {
      const host = numbers.get(name)
      if (host === undefined) return undefined
      const made = hosts.get(name) ?? hostOf(urls, host, options, page => (lines[page] ??= line(page)))
      hosts.set(name, made)
      return made
    }
    super(make, time)
    this.clock = time
    this.lastMs = time.nowMs
    this.numbers = numbers
    this.servers = world.servers
    this.lastEndMs = new Float64Array(world.hostNames.length).fill(-Infinity)
    this.lastStartMs = new Float64Array(world.hostNames.length).fill(-Infinity)
  }

  /** The average number of open requests since the beginning. */
  meanOpen(sinceMs: number): number {
    this.count(0)
    return this.openMs / Math.max(1, this.lastMs - sinceMs)
  }

  protected override asked({ host: name, startMs }: SimulatedRequest): void {
    this.count(1)
    this.requests++
    const host = this.numbers.get(name)!
    const server = this.servers[host]!
    this.smallestGapMs = Math.min(this.smallestGapMs, startMs - this.lastEndMs[host]!)
    this.smallestServerGapMs = Math.min(this.smallestServerGapMs, startMs - this.lastStartMs[server]!)
    this.lastStartMs[server] = startMs
  }

  protected override answered({ host, endMs }: SimulatedRequest): void {
    this.count(-1)
    this.lastEndMs[this.numbers.get(host)!] = endMs
  }

  private count(change: number): void {
    const { nowMs } = this.clock
    this.openMs += this.openNow * (nowMs - this.lastMs)
    this.lastMs = nowMs
    this.openNow += change
  }
}

function hostOf(
  urls: WorldUrls,
  host: number,
  { servers: model, changing }: GraphWebOptions,
  line: (page: number) => string,
): SimulatedHost {
  const { latencyMs, errors, crawlDelays, seed } = model
  const { hosts, hostNames, servers, crawlDelays: known } = urls.world
  const own = latencyMs * 9 ** (chanceAt(seed, host) - 0.5)
  let requests = 0
  const chance = () => chanceAt(seed + 1 + host, requests++)
  const asks = chanceAt(seed ^ 0x5bd1e995, host) < crawlDelays ? CRAWL_DELAY_SECONDS : known?.[host]
  return {
    name: hostNames[host]!,
    ips: [addressOf(servers[host]!)],
    robots: asks === undefined ? '' : `user-agent: *\ncrawl-delay: ${asks}\n`,
    answerMs: () => Math.max(1, Math.round(own * (0.5 + chance()))),
    ...(errors > 0 && { trouble: () => troubleOf(chance() / errors) }),
    links(_path, url) {
      const page = urls.page(url)
      return page === undefined || hosts[page] !== host ? undefined : packed(urls.world, page, line)
    },
    ...(changing !== undefined && {
      version(nowMs: number, _path: string, url: string) {
        const page = urls.page(url)
        return page === undefined ? '' : String(changing.visit(page, nowMs))
      },
    }),
  }
}

function troubleOf(chance: number): Trouble | undefined {
  return chance >= 1 ? undefined : chance < 0.5 ? { status: 500 } : 'silent'
}

/** Links to other hosts come first, as a visit has them. */
function packed({ graph, hosts }: World, page: number, line: (page: number) => string): FoundLinks {
  const { offsets, targets } = graph
  const links = targets.subarray(offsets[page], offsets[page + 1])
  const texts: string[] = []
  for (const to of links) if (hosts[to] !== hosts[page]) texts.push(line(to))
  for (const to of links) if (hosts[to] === hosts[page]) texts.push(line(to))
  if (texts.length <= LINKS_PER_CHUNK)
    return texts.length === 0 ? [] : [{ refused: undefined, lines: texts.join('\n') }]
  const chunks = []
  for (let from = 0; from < texts.length; from += LINKS_PER_CHUNK)
    chunks.push({ refused: undefined, lines: texts.slice(from, from + LINKS_PER_CHUNK).join('\n') })
  return chunks
}

function addressOf(server: number): string {
  return `10.${(server >> 16) & 255}.${(server >> 8) & 255}.${server & 255}`
}
