import { SHARD_SCRIPTS as SCRIPTS } from '../engine/scripts.ts'
import type { HostShard } from './host-places.ts'
import { Packer } from './pack.ts'
import { packDomain } from './pack-links.ts'
import { ShardServers } from './shard-servers.ts'

/** What a shard is told about single hosts. */
export class ShardHosts extends ShardServers {
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
