import { EscalonaError } from '../base/errors.ts'
import { unpredictableSeed } from '../base/random.ts'
import { seededHash } from '../base/structures/hash-index.ts'
import { WideColumn } from '../base/structures/wide-column.ts'

/** 28 bytes each, so about 600 MB. */
const MOST_REQUESTS = 20_000_000
const IS_COARSE = 1 << 10
const IS_ROBOTS = 1 << 11
const STATUS = IS_COARSE - 1

export interface Request {
  readonly host: number
  readonly href: string
  readonly timeMs: number
  readonly isCoarse: boolean
  /** Undefined when the archive doesn't say. */
  readonly durationMs: number | undefined
  /** 0 without an answer. */
  readonly status: number
  readonly isRobots: boolean
}

/** All requests of an archive, in columns of numbers. A URL is kept as a hash of 64 bits. */
export class RequestTable {
  size = 0
  private readonly seeds = unpredictableSeed()
  private readonly times = new WideColumn(cells => new Float64Array(cells))
  private readonly hosts = new WideColumn(cells => new Int32Array(cells))
  private readonly firstHashes = new WideColumn(cells => new Int32Array(cells))
  private readonly secondHashes = new WideColumn(cells => new Int32Array(cells))
  /** One more than the milliseconds; 0 if not known. */
  private readonly durations = new WideColumn(cells => new Int32Array(cells))
  private readonly answers = new WideColumn(cells => new Int32Array(cells))

  add({ host, href, timeMs, isCoarse, durationMs, status, isRobots }: Request): void {
    if (this.size >= MOST_REQUESTS) throw new EscalonaError('AUDIT_TOO_MUCH/requests', { most: MOST_REQUESTS })
    const at = this.size++
    const bytes = Buffer.from(href)
    this.times.set(at, timeMs)
    this.hosts.set(at, host)
    this.firstHashes.set(at, seededHash(this.seeds[0], bytes, 0, bytes.length))
    this.secondHashes.set(at, seededHash(this.seeds[1], bytes, 0, bytes.length))
    this.durations.set(at, durationMs === undefined ? 0 : Math.min(Math.round(durationMs), 2 ** 30) + 1)
    this.answers.set(at, (status & STATUS) | (isCoarse ? IS_COARSE : 0) | (isRobots ? IS_ROBOTS : 0))
  }

  /** The numbers of each host's requests, in order of time; hosts are numbered from 0 to below `hosts`. */
  *byHost(hosts: number): Generator<Uint32Array> {
    const ends = new Uint32Array(hosts)
    for (let at = 0; at < this.size; at++) ends[this.hosts.get(at)]!++
    for (let host = 1; host < hosts; host++) ends[host]! += ends[host - 1]!
    const order = new Uint32Array(this.size)
    const next = Uint32Array.from(ends, (_, host) => (host === 0 ? 0 : ends[host - 1]!))
    for (let at = 0; at < this.size; at++) order[next[this.hosts.get(at)]!++] = at
    for (let host = 0; host < hosts; host++) {
      const own = order.subarray(host === 0 ? 0 : ends[host - 1]!, ends[host]!)
      yield own.sort((a, b) => this.timeMs(a) - this.timeMs(b) || a - b)
    }
  }

  timeMs(at: number): number {
    return this.times.get(at)
  }

  isCoarse(at: number): boolean {
    return (this.answers.get(at) & IS_COARSE) !== 0
  }

  isRobots(at: number): boolean {
    return (this.answers.get(at) & IS_ROBOTS) !== 0
  }

  /** 0 without an answer. */
  status(at: number): number {
    return this.answers.get(at) & STATUS
  }

  durationMs(at: number): number | undefined {
    const duration = this.durations.get(at)
    return duration === 0 ? undefined : duration - 1
  }

  /** 0 when two requests are for the same URL; otherwise an order in which those for one URL are neighbours. */
  compareUrls(one: number, other: number): number {
    const { firstHashes, secondHashes } = this
    return firstHashes.get(one) - firstHashes.get(other) || secondHashes.get(one) - secondHashes.get(other)
  }
}
