import type { CrawlFrontier } from '../../src/frontier/frontier.ts'
import { type LocalOptions, openLocal } from '../../src/frontier/local/open.ts'
import { HandClock } from './hand-clock.ts'

/** Where the time of a call is among its arguments. */
const TIME_AT = {
  ...{ take: 1, place: 2, settle: 1, renew: 1, hold: 2, note: 4, noted: 2, settleFormer: 1 },
  ...{ explain: 1, host: 1, hosts: 1, outlook: 0, plan: 1, replan: 1, hint: 2 },
} as const

type Timed<Part> = {
  readonly [Name in keyof Part & keyof typeof TIME_AT]: Part[Name] extends (...given: infer Given) => infer Result
    ? (...given: [...Given, nowMs?: number]) => Result
    : never
}

/** A frontier whose calls may be given their time; without one, the time of its clock holds. */
export type TimedFrontier = CrawlFrontier & Timed<CrawlFrontier> & { readonly isTimed: true }

/** Opens a frontier whose calls may be given their time. */
export async function openTimed(options: LocalOptions = {}, clock = new HandClock()) {
  return timed(await openLocal({ ...options, clock: clock.read }), clock)
}

/** Winds a frontier's clock to the time of a call while the call is made. A frontier reads it before it waits for anything. */
export function timed<Given extends object>(frontier: Given, clock: HandClock): Given & TimedFrontier {
  const wound = new Proxy(frontier, {
    get(whole, name) {
      if (name === 'isTimed') return true
      const member: unknown = Reflect.get(whole, name, whole)
      if (typeof member !== 'function') return member
      const timeAt = TIME_AT[name as keyof typeof TIME_AT]
      return (...given: unknown[]) => {
        const before = clock.nowMs
        const nowMs = timeAt === undefined ? undefined : given[timeAt]
        if (nowMs !== undefined) clock.nowMs = nowMs as number
        try {
          return member.apply(whole, given.slice(0, timeAt))
        } finally {
          clock.nowMs = before
        }
      }
    },
  })
  return wound as Given & TimedFrontier
}
