import { registrableDomain } from '../../../url/registrable-domain.ts'
import { hash32 } from '../../domain-hash.ts'
import { crc16, SLOTS } from '../engine/slot.ts'

/** A host, and where it belongs. */
export interface HostShard {
  readonly name: string
  /** How long its name is. */
  readonly nameBytes: number
  /** Its registrable domain: a part of its name. */
  readonly domain: string
  /** The shard of its domain. */
  readonly shard: number
}

const MOST_KEPT = 100_000

/** Finds the shards of hosts, and remembers those asked for lately. */
export class HostShards {
  private readonly shards: number
  private places = new Map<string, HostShard>()

  constructor(shards: number) {
    this.shards = shards
  }

  of(name: string): HostShard {
    let place = this.places.get(name)
    if (place !== undefined) return place
    const domain = registrableDomain(name)
    place = { name, nameBytes: Buffer.byteLength(name), domain, shard: hash32(domain) % this.shards }
    if (this.places.size >= MOST_KEPT) this.places = new Map()
    this.places.set(name, place)
    return place
  }

  /** The shard that knows a server. */
  ofServer(server: string): number {
    return hash32(server) % this.shards
  }
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_'].map(letter => ({
  letter,
  bytes: Buffer.from(letter),
}))

/** The tag of what concerns the whole crawl. */
export function crawlTag(name: string): string {
  return `{${name}}`
}

/**
 * The tags of a crawl's shards: shard i is in slot ⌊16384 i / shards⌋, so equal ranges of slots hold equal shares. Each is
 * the first that fits in a fixed order: what a crawl's keys are called must never change. No name has a colon, so no other
 * crawl has the same tag.
 */
export function shardTags(name: string, shards: number): string[] {
  const wanted = new Map(Array.from({ length: shards }, (_, i) => [Math.floor((SLOTS * i) / shards), i]))
  const tags = new Array<string>(shards)
  // The CRC of a longer text continues that of a shorter one, so each text costs one step.
  const tryAll = (start: string, crcBefore: number, letters: number): void => {
    for (const { letter, bytes } of LETTERS) {
      const crc = crc16(bytes, crcBefore)
      if (letters > 1) tryAll(start + letter, crc, letters - 1)
      else {
        const shard = wanted.get(crc % SLOTS)
        if (shard !== undefined) tags[shard] = `{${start}${letter}}`
        wanted.delete(crc % SLOTS)
      }
      if (wanted.size === 0) return
    }
  }
  const start = `${name}:`
  for (let letters = 1; wanted.size > 0; letters++) tryAll(start, crc16(Buffer.from(start)), letters)
  return tags
}
