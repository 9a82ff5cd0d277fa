import { LAST_RANK } from '../../checks.ts'
import type { Again, Hint } from '../../frontier.ts'
import { SHARD_SCRIPTS as SCRIPTS } from '../engine/scripts.ts'
import type { HostShard } from './host-shards.ts'
import { fingerprintBytes, pageText } from './link-text.ts'
import type { ShardPlan } from './moves.ts'
import { Packer } from './pack.ts'
import { numberOf } from './shard-calls.ts'
import { ShardServers } from './shard-servers.ts'

/** The most visits and hints in one call. */
const MOST_PLANS = 128
const MOST_HINTS = 256

/** What a shard plans: visits of done links. */
export class ShardPlans extends ShardServers {
  /** Plans the next visits of done links, or, anew, of planned ones. Returns how many were. */
  async plan(visits: readonly ShardPlan[], isAnew: boolean, nowMs?: number): Promise<number> {
    let planned = 0
    for (let from = 0; from < visits.length; from += MOST_PLANS) {
      const some = visits.slice(from, from + MOST_PLANS)
      const out = new Packer(some.length * 256).list(1 + some.length * 9).number(Number(isAnew))
      for (const visit of some) {
        const { url, host, visitedAtMs, dueAtMs, gain, note } = visit
        out.text(host.name).raw(fingerprintBytes(url, this.rules.fingerprintSeed))
        out
          .numbers(visitedAtMs, dueAtMs, floatOf(gain), Math.min(visit.rank, LAST_RANK))
          .raw(pageText(visit, host.name))
        if (note === undefined) out.no()
        else out.text(note)
        out.number(Number(visit.isHinted ?? false))
      }
      planned += numberOf((await this.write(SCRIPTS.plan, out.done(), nowMs))[0])
    }
    return planned
  }

  /** Returns how many links are due earlier because of it, at most this many. */
  async hint(
    hints: readonly { readonly hint: Hint; readonly host: HostShard }[],
    most: number,
    nowMs?: number,
  ): Promise<number> {
    let hinted = 0
    for (let from = 0; from < hints.length && hinted < most; from += MOST_HINTS) {
      const some = hints.slice(from, from + MOST_HINTS)
      const out = new Packer(some.length * 64).list(1 + some.length * 4).number(most - hinted)
      for (const { hint, host } of some) {
        const { url, changedAtMs, leastMs = 0 } = hint
        out.text(host.name).raw(fingerprintBytes(url, this.rules.fingerprintSeed)).numbers(changedAtMs, leastMs)
      }
      hinted += numberOf((await this.write(SCRIPTS.hint, out.done(), nowMs))[0])
    }
    return hinted
  }

  /** Whether links that wait count as waiting: not when enough pages are done. */
  async weigh(isFull: boolean, nowMs?: number): Promise<void> {
    const input = new Packer(8).list(1).number(Number(isFull)).done()
    while ((await this.write(SCRIPTS.weigh, input, nowMs))[0] === 1);
  }

  /** The links of a host are not visited again any more, but those that just are. */
  protected async unplan(host: string, nowMs: number | undefined): Promise<void> {
    const input = new Packer(64).list(1).text(host).done()
    while ((await this.write(SCRIPTS.unplan, input, nowMs))[0] === 1);
  }
}

/** Writes the next visit that a settlement asks for. */
export function packAgain(out: Packer, again: Again | undefined): void {
  if (again === undefined) {
    out.number(0)
    return
  }
  const { afterMs, gain, note } = again
  out.list(3).numbers(afterMs, floatOf(gain))
  if (note === undefined) out.no()
  else out.text(note)
}

/** As it is kept; never -0. */
function floatOf(gain: number): number {
  return Math.fround(Math.abs(gain))
}
