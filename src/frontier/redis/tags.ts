import { crc16, SLOTS } from './slot.ts'

/** Of 64 letters, two reach about a quarter of all slots and three reach all. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_'

const LETTER_BYTES = [...LETTERS].map(letter => Buffer.from(letter))

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
  const start = crc16(Buffer.from(`${name}.`))
  for (let length = 1; wanted.size > 0; length++) search('', start, length)
  return tags

  /** Tries all suffixes with this beginning and so many more letters, in order. */
  function search(begun: string, crc: number, more: number): void {
    for (const [n, letter] of LETTER_BYTES.entries()) {
      if (wanted.size === 0) return
      const longer = crc16(letter, crc)
      if (more > 1) search(begun + LETTERS[n], longer, more - 1)
      else {
        const shard = wanted.get(longer % SLOTS)
        if (shard === undefined) continue
        wanted.delete(longer % SLOTS)
        tags[shard] = `{${name}.${begun}${LETTERS[n]}}`
      }
    }
  }
}
