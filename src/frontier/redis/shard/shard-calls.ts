import { systemClock } from '../../../base/clock.ts'
import { EscalonaError } from '../../../base/errors.ts'
import type { Argument, Engine, LuaScript, Reply } from '../engine/engine.ts'
import { SHARD_SCRIPTS, waitsForMemory } from '../engine/scripts.ts'
import type { QueuedHost, ShardOwner, ShardRules } from './moves.ts'
import { type MsgpackValue, Packer, unpack } from './pack.ts'
import { damaged, fenced, lost, reading } from './replies.ts'

/** What the engine says when it has forgotten calls, in front of the number of the last one that it knows. */
const LOST = 'LOST '
/** What it says while everything is being cleared. */
const WIPING = 'WIPING'
/** What it says to a run that others have fenced. */
const FENCED_REPLY = 'FENCED'

/** See {@link ShardCalls}; in front of the number of a call. */
type Line = '' | '+'

/** The most items in one call: no call may hold up the others for long. */
const MOST_ITEMS = 128

/** Calls of one owner are numbered from its opening on; see `lua/parts/call.lua`. */
const CALLS_PER_OPENING = 2 ** 32

/**
 * How a shard is called: one writing call at a time, each with its number, so that the engine may repeat it. Calls that wait
 * while the engine's memory is full have a line and numbers of their own, and hold up no others.
 */
export class ShardCalls {
  readonly tag: string
  /** Its number among all. */
  readonly number: number
  protected readonly engine: Engine
  protected readonly owner: ShardOwner
  protected readonly rules: ShardRules
  private readonly packedRules: Buffer
  private lastCall: number
  private readonly lastWrites: Record<Line, Promise<unknown>> = { '': Promise.resolve(), '+': Promise.resolve() }
  /** The last call of each line that was answered. */
  private readonly answered: Record<Line, number> = { '': 0, '+': 0 }
  private readonly times = new CallTimes()
  private dequeued: QueuedHost[] = []
  /** Called when the engine has forgotten calls that it had answered, all since this long ago; undefined: all ever. By default that is an error. */
  onLost: (agoMs: number | undefined) => void = () => {
    throw lost()
  }
  /** Called when hosts were set aside, because their records can't be read. */
  onDamaged: (hosts: number) => void = () => {}

  constructor(engine: Engine, tag: string, number: number, owner: ShardOwner, rules: ShardRules) {
    this.engine = engine
    this.tag = tag
    this.number = number
    this.owner = owner
    this.rules = rules
    this.lastCall = owner.opening * CALLS_PER_OPENING
    const { strategy, exploreChance, seed, leaseMs, delayMs, retries, maxHostsPerDomain, perServer, serverGapMs } =
      rules
    this.packedRules = new Packer(128)
      .list(11)
      .text(strategy)
      .numbers(exploreChance, seed | 0, leaseMs, delayMs, retries, maxHostsPerDomain, perServer, serverGapMs)
      .numbers(owner.revivals, Number(rules.recrawl))
      .done()
  }

  /** Hosts that left the queue of their server without having tried it, since the last call of this. */
  takeDequeued(): QueuedHost[] {
    const { dequeued } = this
    this.dequeued = []
    return dequeued
  }

  /**
   * Asks whether all calls that were answered are known, and returns how many pages this owner has settled here. `crawlers`: it has
   * recovered what was lost; once all of these have, the shard leases again.
   */
  async confirm(crawlers: readonly string[]): Promise<number> {
    const input = () => {
      const out = new Packer(64).list(1 + crawlers.length).number(this.answered['+'])
      for (const id of crawlers) out.text(id)
      return out.done()
    }
    const [pages] = await this.inLine('', () => this.writeNow('', SHARD_SCRIPTS.confirm, input, undefined))
    return numberOf(pages)
  }

  /** Whether any call was answered, and none since this time of the system's clock. */
  isIdleSince(systemMs: number): boolean {
    return this.answered[''] + this.answered['+'] > 0 && this.times.lastMs < systemMs
  }

  /** Forgets the last call of this owner, who makes no more. */
  async leave(): Promise<void> {
    await Promise.all(Object.values(this.lastWrites))
    const { id } = this.owner
    await this.engine.ask(this.tag, ['HDEL', `${this.tag}m`, `k:${id}`, `k+${id}`], true)
  }

  /** Runs a move that writes, after all before it; what it returns, without the hosts that left a line. */
  protected write(script: LuaScript, input: Buffer, nowMs: number | undefined): Promise<readonly MsgpackValue[]> {
    const line = waitsForMemory(script) ? '+' : ''
    return this.inLine(line, () => this.writeNow(line, script, () => input, nowMs))
  }

  /** Forgets everything, after all calls before it. */
  protected wipeInLine(): Promise<void> {
    return this.inLine('', () => this.wipe(''))
  }

  /**
   * Runs a move on a list, some of it at a time; `pack` writes `width` values for an item. Returns what each call returned, and the index
   * of its first item.
   */
  protected async writeList<Item>(
    script: LuaScript,
    items: readonly Item[],
    width: number,
    pack: (out: Packer, item: Item) => unknown,
    nowMs: number | undefined,
    most = MOST_ITEMS,
  ): Promise<{ readonly from: number; readonly reply: readonly MsgpackValue[] }[]> {
    const replies: { from: number; reply: readonly MsgpackValue[] }[] = []
    for (let from = 0; from < items.length; from += most) {
      const some = items.slice(from, from + most)
      const out = new Packer(some.length * 16 * width + 8).list(some.length * width)
      for (const item of some) pack(out, item)
      replies.push({ from, reply: await this.write(script, out.done(), nowMs) })
    }
    return replies
  }

  /** Runs a script that only reads. */
  protected async read(script: LuaScript, input: Buffer, nowMs: number | undefined): Promise<readonly MsgpackValue[]> {
    return this.listIn(script, await this.run(script, ['', '', input, ''], nowMs))
  }

  protected ask(command: readonly Argument[]): Promise<Reply> {
    return this.engine.ask(this.tag, command)
  }

  private inLine<T>(line: Line, call: () => Promise<T>): Promise<T> {
    const called = this.lastWrites[line].then(call)
    this.lastWrites[line] = called.catch(() => {})
    return called
  }

  private async writeNow(
    line: Line,
    script: LuaScript,
    input: () => Buffer,
    nowMs: number | undefined,
  ): Promise<readonly MsgpackValue[]> {
    for (;;) {
      const result = await this.call(line, script, input(), nowMs)
      // Another client is clearing everything, and may have gone away in the middle of it: help.
      if (result === WIPING) await this.wipe(line)
      if (typeof result === 'string') continue
      const [dequeued, damagedHosts, ...rest] = result
      this.keepDequeued(listOf(dequeued))
      if (numberOf(damagedHosts) > 0) this.onDamaged(numberOf(damagedHosts))
      return rest
    }
  }

  /** The next call of a line. After a loss nothing was done, and it may be made again. */
  private async call(
    line: Line,
    script: LuaScript,
    input: Buffer,
    nowMs: number | undefined,
  ): Promise<readonly MsgpackValue[] | typeof WIPING | typeof LOST> {
    const number = ++this.lastCall
    const reply = await this.run(script, [this.owner.id, `${line}${number}`, input, String(this.answered[line])], nowMs)
    // What is packed is a list, and begins otherwise.
    if (reply.toString('latin1', 0, LOST.length) === LOST) {
      const known = Number(reply.toString('latin1', LOST.length))
      const agoMs = this.times.since(known)
      this.answered[''] = 0
      this.answered['+'] = 0
      this.times.forgetAfter(known)
      this.onLost(agoMs)
      return LOST
    }
    // Then no call but those that clear is kept.
    if (reply.length === WIPING.length && reply.toString('latin1') === WIPING) return WIPING
    const result = this.listIn(script, reply)
    this.answered[line] = number
    this.times.note(number)
    return result
  }

  /** One step, or more, of forgetting everything. */
  private async wipe(line: Line): Promise<void> {
    for (;;) {
      const result = await this.call(line, SHARD_SCRIPTS.wipe, new Packer(8).list(0).done(), undefined)
      if (result !== LOST && result[2] !== 1) return
    }
  }

  private async run(
    script: LuaScript,
    [owner, call, input, answered]: readonly [string, string, Buffer, string],
    nowMs: number | undefined,
  ): Promise<Buffer> {
    const now = nowMs === undefined ? '' : String(nowMs)
    try {
      const reply = await this.engine.run(script, this.tag, [now, owner, call, this.packedRules, input, answered])
      if (!Buffer.isBuffer(reply)) throw damaged(script.name)
      if (reply.length === FENCED_REPLY.length && reply.toString('latin1') === FENCED_REPLY) throw fenced()
      return reply
    } catch (error) {
      if (error instanceof EscalonaError && error.code === 'FRONTIER_ENGINE_ERROR') throw damaged(error.message, error)
      throw error
    }
  }

  private listIn(script: LuaScript, reply: Buffer): readonly MsgpackValue[] {
    return listOf(reading(script.name, () => unpack(reply)))
  }

  private keepDequeued(list: readonly MsgpackValue[]): void {
    for (let k = 0; k + 1 < list.length; k += 2) {
      this.dequeued.push({ server: textOf(list[k]), host: textOf(list[k + 1]), hostShard: this.number })
    }
  }
}

export function listOf(value: MsgpackValue | undefined): readonly MsgpackValue[] {
  if (!Array.isArray(value)) throw damaged('a list is missing')
  return value
}

export function numberOf(value: MsgpackValue | undefined): number {
  if (typeof value !== 'number') throw damaged('a number is missing')
  return value
}

export function bytesOf(value: MsgpackValue | undefined): Buffer {
  if (!Buffer.isBuffer(value)) throw damaged('a text is missing')
  return value
}

export function textOf(value: MsgpackValue | undefined): string {
  return bytesOf(value).toString()
}

export function numbersOf(value: MsgpackValue | undefined): number[] {
  return listOf(value).map(numberOf)
}

export function textsOf(value: MsgpackValue | undefined): string[] {
  return listOf(value).map(textOf)
}

/** How often a call's time is kept, and of how many calls. */
const EVERY_MS = 1000
const MOST = 64

/** When the last calls were made, about once a second: what an engine still knows after a loss is as old as the last call that it knows. */
class CallTimes {
  lastMs = Number.NEGATIVE_INFINITY
  private kept: { readonly number: number; readonly atMs: number }[] = []

  note(number: number): void {
    this.lastMs = systemClock()
    const newest = this.kept.at(-1)
    if (newest !== undefined && this.lastMs - newest.atMs < EVERY_MS) return
    this.kept.push({ number, atMs: this.lastMs })
    if (this.kept.length > MOST) this.kept.shift()
  }

  /** How long ago the last call was made that is not later than this one; undefined when that is not known. */
  since(number: number): number | undefined {
    const last = this.kept.findLast(one => one.number <= number)
    return last && systemClock() - last.atMs
  }

  /** Calls after this one are gone. */
  forgetAfter(number: number): void {
    this.kept = this.kept.filter(one => one.number <= number)
  }
}
