import { SHARD_SCRIPTS as SCRIPTS } from '../engine/scripts.ts'
import type { HostShard } from './host-shards.ts'
import type { Admission, Applicant, OpenToken, QueuedHost, ReleasedToken, Woken } from './moves.ts'
import { type MsgpackValue, Packer } from './pack.ts'
import { packDomain } from './pack-links.ts'
import { listOf, numberOf, numbersOf, textOf } from './shard-calls.ts'
import { ShardViews } from './shard-views.ts'

const CLASSES = { auxiliary: 'j', proven: 'a', unproven: 'f' } as const
const HOW = { unasked: 0, answer: 1, trouble: 2, silence: 3, gone: 4, expired: 5 } as const

/** What a shard knows of the servers that belong to it, and is told about single hosts. */
export class ShardServers extends ShardViews {
  /** Which tickets may go to their servers now, and when the others may try again. Hosts in a queue are let in one after the other. */
  async admit(
    list: readonly Applicant[],
    nowMs?: number,
  ): Promise<{ readonly admissions: readonly Admission[]; readonly wake: readonly Woken[] }> {
    const packed = await this.writeList(
      SCRIPTS.admit,
      list,
      4,
      (out, { server, host, hostShard, token, class: kind }) =>
        out.text(server).text(`${hostShard}:${host}`).number(token).text(CLASSES[kind]),
      nowMs,
    )
    const answers = packed.flatMap(({ reply }) => numbersOf(reply[0]))
    const admissions = list.map((_, k): Admission => {
      const laterMs = answers[2 * k]!
      return laterMs < 0 ? { isGranted: true } : { isGranted: false, laterMs, isDown: answers[2 * k + 1] === 1 }
    })
    return { admissions, wake: packed.flatMap(({ reply }) => wokenOf(reply[1])) }
  }

  /** Tickets at servers are closed. `isDown`: for each, whether its server is down now. */
  async release(
    list: readonly ReleasedToken[],
    nowMs?: number,
  ): Promise<{ readonly wake: readonly Woken[]; readonly isDown: readonly boolean[] }> {
    const replies = await this.writeList(
      SCRIPTS.release,
      list,
      3,
      (out, { server, token, how }) => out.text(server).number(token).number(HOW[how]),
      nowMs,
    )
    return {
      wake: replies.flatMap(({ reply }) => wokenOf(reply[1])),
      isDown: replies.flatMap(({ reply }) => numbersOf(reply[0]).map(one => one === 1)),
    }
  }

  /**
   * Before the leases of these tickets, their tokens are renewed. `lost`: indexes of those that ran out, and whose servers
   * have no room any more.
   */
  async renewTokens(
    list: readonly OpenToken[],
    nowMs?: number,
  ): Promise<{ readonly wake: readonly Woken[]; readonly lost: readonly number[] }> {
    const replies = await this.writeList(
      SCRIPTS.renewTokens,
      list,
      2,
      (out, { server, token }) => out.text(server).number(token),
      nowMs,
    )
    return {
      wake: replies.flatMap(({ reply }) => wokenOf(reply[0])),
      lost: replies.flatMap(({ from, reply }) => numbersOf(reply[1]).map(at => from + at)),
    }
  }

  /** These hosts no longer wait in the queues of their servers. Returns the hosts to wake. */
  async leaveQueue(list: readonly QueuedHost[], nowMs?: number): Promise<readonly Woken[]> {
    const replies = await this.writeList(
      SCRIPTS.leaveQueue,
      list,
      2,
      (out, { server, host, hostShard }) => out.text(server).text(`${hostShard}:${host}`),
      nowMs,
    )
    return replies.flatMap(({ reply }) => wokenOf(reply[0]))
  }

  /** `isAnew`: it is released before. Returns whether the host became known. */
  block(host: HostShard, forMs: number, isAnew: boolean, nowMs?: number): Promise<boolean> {
    return this.setHost(host, forMs, isAnew, -1, nowMs)
  }

  /** Returns whether the host became known. */
  setDelay(host: HostShard, delayMs: number, nowMs?: number): Promise<boolean> {
    return this.setHost(host, -1, false, delayMs, nowMs)
  }

  async note(host: string, key: string, bytes: Uint8Array, forMs: number, nowMs?: number): Promise<void> {
    const input = new Packer(bytes.length + 256).list(4).text(host).text(key).raw(bytes).number(forMs).done()
    await this.write(SCRIPTS.note, input, nowMs)
  }

  private async setHost(
    host: HostShard,
    blockMs: number,
    isAnew: boolean,
    delayMs: number,
    nowMs?: number,
  ): Promise<boolean> {
    const out = new Packer(64).list(5).text(host.name)
    packDomain(out, host)
    out.number(blockMs).number(delayMs).number(Number(isAnew))
    const [isNew] = await this.write(SCRIPTS.setHost, out.done(), nowMs)
    return isNew === 1
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
