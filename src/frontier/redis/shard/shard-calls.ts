import { EscalonaError } from '../../../base/errors.ts'
import type { Argument, Engine, LuaScript, Reply } from '../engine/engine.ts'
import { SHARD_SCRIPTS, waitsForMemory } from '../engine/scripts.ts'
import { CallTimes } from './call-times.ts'
import type { QueuedHost, ShardOwner, ShardRules } from './moves.ts'
import { type MsgpackValue, Packer, unpack } from './pack.ts'
import { fenced, lost, strange } from './shard-words.ts'

/** What the engine says when it has forgotten calls, in front of the number of the last one that it knows. */
const LOST = 'LOST '
class LostCalls {
  readonly known: number
  constructor(known: number) {
    this.known = known
  }
}

/** See {@link ShardCalls}; in front of the number of a call. */
type Line = '' | '+'

/** Calls of one owner are numbered from its opening on; see `lua/parts/call.lua`. */
const CALLS_PER_OPENING = 2 ** 32

/**
 * How a shard is called: one writing call at a time, each with its number, so that the engine may repeat it. Calls that wait
 * while the engine's memory is full have a line and numbers of their own: the others go on. `shard`: its place among all.
 */
export class ShardCalls {
  readonly tag: string
  protected readonly engine: Engine
  protected readonly owner: ShardOwner
  protected readonly rules: ShardRules
  private readonly packedRules: Buffer
  private readonly shard: number
  private lastCall: number
  private readonly lastWrites: Record<Line, Promise<unknown>> = { '': Promise.resolve(), '+': Promise.resolve() }
  /** The last call of each line that was answered. */
  private readonly answered: Record<Line, number> = { '': 0, '+': 0 }
  private readonly times = new CallTimes()
  private dequeued: QueuedHost[] = []
  /**
   * Called when the engine has forgotten calls that it had answered, all since this long ago; undefined: since ever. Who can't recover
   * fails.
   */
  onLost: (agoMs: number | undefined) => void = () => {
    throw lost()
  }
  /** Called when hosts were set aside, because their records can't be read. */
  onDamaged: (hosts: number) => void = () => {}

  constructor(engine: Engine, tag: string, shard: number, owner: ShardOwner, rules: ShardRules) {
    this.engine = engine
    this.tag = tag
    this.shard = shard
    this.owner = owner
    this.rules = rules
    this.lastCall = owner.opening * CALLS_PER_OPENING
    this.packedRules = new Packer(128)
      .list(10)
      .text(rules.strategy)
      .number(rules.exploreChance)
      .number(rules.seed | 0)
      .number(rules.leaseMs)
      .number(rules.delayMs)
      .number(rules.retries)
      .number(rules.maxHostsPerDomain)
      .number(rules.perServer)
      .number(rules.serverGapMs)
      .number(owner.revivals)
      .done()
  }

  /** Hosts that left the line of their server without having tried it, since the last call of this. */
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

  /** Runs a script that only reads. */
  protected async read(script: LuaScript, input: Buffer, nowMs: number | undefined): Promise<readonly MsgpackValue[]> {
    const reply = await this.run(script, ['', '', input, ''], nowMs)
    return listOf(reply instanceof LostCalls ? undefined : reply)
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
      const [dequeued, damaged, ...rest] = result === 'WIPING' ? [] : listOf(result)
      if (dequeued !== undefined) {
        this.keepDequeued(listOf(dequeued))
        if (numberOf(damaged) > 0) this.onDamaged(numberOf(damaged))
        return rest
      }
      // Somebody is clearing everything, and may have gone away in the middle of it: help.
      if (result === 'WIPING') await this.wipe(line)
    }
  }

  /** The next call of a line. After a loss nothing was done, and it may be made again: `[]`. */
  private async call(
    line: Line,
    script: LuaScript,
    input: Buffer,
    nowMs: number | undefined,
  ): Promise<MsgpackValue | 'WIPING'> {
    const number = ++this.lastCall
    const reply = await this.run(script, [this.owner.id, `${line}${number}`, input, String(this.answered[line])], nowMs)
    if (reply instanceof LostCalls) {
      const agoMs = this.times.since(reply.known)
      this.answered[''] = 0
      this.answered['+'] = 0
      this.times.forgetAfter(reply.known)
      this.onLost(agoMs)
      return []
    }
    // While everything is being cleared, no call but those that clear is kept.
    if (reply === 'WIPING') return reply
    this.answered[line] = number
    this.times.note(number)
    return reply
  }

  /** One step, or more, of forgetting everything. */
  private async wipe(line: Line): Promise<void> {
    for (let isMore = true; isMore; ) {
      const result = listOf(await this.call(line, SHARD_SCRIPTS.wipe, new Packer(8).list(0).done(), undefined))
      isMore = result.length === 0 || result[2] === 1
    }
  }

  private async run(
    script: LuaScript,
    [owner, call, input, answered]: readonly [string, string, Buffer, string],
    nowMs: number | undefined,
  ): Promise<MsgpackValue | 'WIPING' | LostCalls> {
    const now = nowMs === undefined ? '' : String(nowMs)
    const reply = await this.ran(script, [now, owner, call, this.packedRules, input, answered])
    if (!Buffer.isBuffer(reply)) throw strange(script.name)
    const text = reply.length < 8 ? reply.toString('latin1') : ''
    if (text === 'WIPING') return text
    if (text === 'FENCED') throw fenced()
    // What is packed is a list, and begins otherwise.
    if (reply.toString('latin1', 0, LOST.length) === LOST)
      return new LostCalls(Number(reply.toString('latin1', LOST.length)))
    try {
      return unpack(reply)
    } catch (error) {
      throw strange(script.name, error)
    }
  }

  private async ran(script: LuaScript, args: readonly Argument[]): Promise<Reply> {
    try {
      return await this.engine.run(script, this.tag, args)
    } catch (error) {
      if (error instanceof EscalonaError && error.code === 'FRONTIER_ENGINE_ERROR') throw strange(error.message, error)
      throw error
    }
  }

  private keepDequeued(list: readonly MsgpackValue[]): void {
    for (let k = 0; k + 1 < list.length; k += 2) {
      this.dequeued.push({ server: textOf(list[k]), host: textOf(list[k + 1]), hostShard: this.shard })
    }
  }
}

export function listOf(value: MsgpackValue | 'WIPING' | undefined): readonly MsgpackValue[] {
  if (!Array.isArray(value)) throw strange('a list is missing')
  return value
}

export function numberOf(value: MsgpackValue | undefined): number {
  if (typeof value !== 'number') throw strange('a number is missing')
  return value
}

export function bytesOf(value: MsgpackValue | undefined): Buffer {
  if (!Buffer.isBuffer(value)) throw strange('a text is missing')
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
