import { SHARD_SCRIPTS as SCRIPTS } from '../engine/scripts.ts'
import type { Admission, Admitted, Applicant, OpenToken, QueuedHost, Released, ReleasedToken, Woken } from './moves.ts'
import { type MsgpackValue, Packer } from './pack.ts'
import { listOf, numberOf, numbersOf, textOf } from './shard-calls.ts'
import { ShardViews } from './shard-views.ts'

const MOST_AT_ONCE = 128
const CLASSES = { auxiliary: 'j', proven: 'a', unproven: 'f' } as const
const HOW = { unasked: 0, answer: 1, trouble: 2, silence: 3, gone: 4, expired: 5 } as const

/** What a shard knows of the servers that belong to it. */
export class ShardServers extends ShardViews {
  /** Who may go to its server now, and when the others may try again. Hosts in a line are let in one after the other. */
  async admit(list: readonly Applicant[], nowMs?: number): Promise<Admitted> {
    const admissions: Admission[] = []
    const wake: Woken[] = []
    for (let from = 0; from < list.length; from += MOST_AT_ONCE) {
      const some = list.slice(from, from + MOST_AT_ONCE)
      const out = new Packer(some.length * 64 + 8).list(some.length * 4)
      for (const { server, host, hostShard, token, class: kind } of some) {
        out.text(server).text(`${hostShard}:${host}`).number(token).text(CLASSES[kind])
      }
      const [answers, woken] = await this.write(SCRIPTS.admit, out.done(), nowMs)
      const numbers = numbersOf(answers)
      for (let k = 0; k < numbers.length; k += 2) {
        const laterMs = numbers[k]!
        admissions.push(laterMs < 0 ? { isGranted: true } : { isGranted: false, laterMs, isDown: numbers[k + 1] === 1 })
      }
      wake.push(...wokenOf(woken))
    }
    return { admissions, wake }
  }

  /** Tickets at servers are closed. */
  async release(list: readonly ReleasedToken[], nowMs?: number): Promise<Released> {
    const isDown: boolean[] = []
    const wake: Woken[] = []
    for (let from = 0; from < list.length; from += MOST_AT_ONCE) {
      const some = list.slice(from, from + MOST_AT_ONCE)
      const out = new Packer(some.length * 32 + 8).list(some.length * 3)
      for (const { server, token, how } of some) out.text(server).number(token).number(HOW[how])
      const [down, woken] = await this.write(SCRIPTS.release, out.done(), nowMs)
      isDown.push(...numbersOf(down).map(one => one === 1))
      wake.push(...wokenOf(woken))
    }
    return { wake, isDown }
  }

  /**
   * Before the leases of these tickets, their tokens are renewed. `lost`: indexes of those that ran out, and whose servers
   * have no room any more.
   */
  async renewTokens(list: readonly OpenToken[], nowMs?: number): Promise<{ wake: Woken[]; lost: number[] }> {
    const wake: Woken[] = []
    const lost: number[] = []
    for (let from = 0; from < list.length; from += MOST_AT_ONCE) {
      const some = list.slice(from, from + MOST_AT_ONCE)
      const out = new Packer(some.length * 32 + 8).list(some.length * 2)
      for (const { server, token } of some) out.text(server).number(token)
      const [woken, late] = await this.write(SCRIPTS.renewTokens, out.done(), nowMs)
      wake.push(...wokenOf(woken))
      lost.push(...numbersOf(late).map(place => from + place))
    }
    return { wake, lost }
  }

  /** These hosts no longer stand in line. */
  async leaveLine(list: readonly QueuedHost[], nowMs?: number): Promise<{ wake: Woken[] }> {
    const wake: Woken[] = []
    for (let from = 0; from < list.length; from += MOST_AT_ONCE) {
      const some = list.slice(from, from + MOST_AT_ONCE)
      const out = new Packer(some.length * 48 + 8).list(some.length * 2)
      for (const { server, host, hostShard } of some) out.text(server).text(`${hostShard}:${host}`)
      wake.push(...wokenOf((await this.write(SCRIPTS.leaveLine, out.done(), nowMs))[0]))
    }
    return { wake }
  }
}

/** {SHARD:HOST, in ms, its server is down (0 or 1), …} */
export function wokenOf(value: MsgpackValue | undefined): Woken[] {
  const list = listOf(value)
  const woken: Woken[] = []
  for (let k = 0; k < list.length; k += 3) {
    const text = textOf(list[k])
    const colon = text.indexOf(':')
    woken.push({
      ...{ host: text.slice(colon + 1), hostShard: Number(text.slice(0, colon)) },
      ...{ inMs: numberOf(list[k + 1]), isServerDown: list[k + 2] === 1 },
    })
  }
  return woken
}
