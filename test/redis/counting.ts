// A tiny crawl for tests of the engine: each lane counts in its own slot, and every count can be checked afterwards.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine, LuaScript, Reply } from '../../src/frontier/redis/engine/engine.ts'
import { slotOf } from '../../src/frontier/redis/engine/slot.ts'

/** Counts to ARGV[1] unless it has already; what was counted is written down in keys that are not declared. */
const TEXT = `
local tag = string.sub(KEYS[1], 1, -2)
local number = tonumber(ARGV[1])
if number > tonumber(redis.call('HGET', KEYS[1], 'last') or '0') then
  redis.call('HSET', KEYS[1], 'last', number)
  redis.call('RPUSH', tag .. 'list', number)
  redis.call('SADD', tag .. 'set:' .. (number % 8), number)
end
return redis.call('HGET', KEYS[1], 'last')
`

export const COUNT: LuaScript = scriptOf('count', TEXT, true)

export function scriptOf(name: string, text: string, isWrite: boolean): LuaScript {
  return { name, text, sha: createHash('sha1').update(text).digest('hex'), isWrite }
}

type Call = (tag: string, number: number) => Promise<Reply>

/** One lane per tag, each with one call under way. */
export class Counting {
  readonly tags: readonly string[]
  private readonly acknowledged: number[]
  private readonly lanes: Promise<void>[]
  private isOver = false
  private longestMs = 0
  private answers = 0
  private readonly failures: string[] = []

  constructor(engine: Engine, tags: readonly string[], pauseMs = 1, call?: Call) {
    this.tags = tags
    this.acknowledged = tags.map(() => 0)
    const count = call ?? ((tag: string, number: number) => engine.run(COUNT, tag, [String(number)]))
    this.lanes = tags.map(async (tag, lane) => {
      while (!this.isOver) {
        const startMs = performance.now()
        try {
          await count(tag, this.acknowledged[lane]! + 1)
        } catch (error) {
          this.failures.push(`${tag}: ${(error as Error).message}`)
          return
        }
        this.longestMs = Math.max(this.longestMs, performance.now() - startMs)
        this.acknowledged[lane]!++
        this.answers++
        await sleep(pauseMs)
      }
    })
  }

  get total(): number {
    return this.answers
  }

  /** The longest that a call has taken since this was asked last, in milliseconds. */
  longest(): number {
    const ms = this.longestMs
    this.longestMs = 0
    return Math.round(ms)
  }

  async stop(): Promise<void> {
    this.isOver = true
    await Promise.all(this.lanes)
  }

  /** What is wrong with what was counted: nothing lost, doubled or torn is an empty list. */
  async complaints(engine: Engine): Promise<string[]> {
    const found = await Promise.all(
      this.tags.map(async (tag, lane) => {
        const wanted = this.acknowledged[lane]!
        const list = ((await engine.ask(tag, ['LRANGE', `${tag}list`, '0', '-1'])) as readonly Buffer[]).map(Number)
        const last = Number(await engine.ask(tag, ['HGET', `${tag}m`, 'last']))
        const sets = await Promise.all(
          Array.from({ length: 8 }, async (_, i) => Number(await engine.ask(tag, ['SCARD', `${tag}set:${i}`]))),
        )
        const size = sets.reduce((sum, one) => sum + one, 0)
        return [
          last < wanted ? `${tag}: ${wanted - last} lost` : [],
          list.length !== last || size !== last ? `${tag}: torn: ${last}, ${list.length}, ${size}` : [],
          list.some((number, i) => number !== i + 1) ? `${tag}: not in order` : [],
        ].flat()
      }),
    )
    return [...this.failures, ...found.flat()]
  }
}

/** Tags whose slots are spread evenly over the cluster, or lie in a part of it. */
export function tagsIn(count: number, from = 0, to = 16_384): string[] {
  const tags: string[] = []
  for (let n = 0; tags.length < count; n++) {
    const tag = `{count-${n}}`
    const slot = slotOf(tag)
    const step = (to - from) / count
    if (slot >= from + step * tags.length && slot < from + step * (tags.length + 1)) tags.push(tag)
  }
  return tags
}
