import { crc16, SLOTS } from './slot.ts'

/** Of 64 letters, two reach about a quarter of all slots and three reach all. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_'

/** The tag of what concerns the whole crawl. */
export function crawlTag(name: string): string {
  return `{${name}}`
}

/**
 * The tags of a crawl's shards: shard i lies in slot ⌊16384 i / shards⌋, so equal ranges of slots hold equal shares. Each is
 * the first that fits in a fixed order: what a crawl's keys are called must never change.
 */
export function shardTags(name: string, shards: number): string[] {
  const wanted = new Map(Array.from({ length: shards }, (_, i) => [Math.floor((SLOTS * i) / shards), i]))
  const tags = new Array<string>(shards)
  for (const suffix of suffixes()) {
    const crc = crc16(Buffer.from(suffix), crc16(Buffer.from(`${name}.`)))
    const shard = wanted.get(crc % SLOTS)
    if (shard === undefined) continue
    wanted.delete(crc % SLOTS)
    tags[shard] = `{${name}.${suffix}}`
    if (wanted.size === 0) break
  }
  return tags
}

/** Shorter ones first. */
function* suffixes(): Generator<string> {
  for (let shorter = ['']; ; ) {
    const longer = shorter.flatMap(start => [...LETTERS].map(letter => start + letter))
    yield* longer
    shorter = longer
  }
}
