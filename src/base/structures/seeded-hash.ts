/** A hash of 32 bits of the bytes from `start` to below `end`. With a seed that nobody can guess, nobody can make texts collide. */
export function seededHash(seed: number, bytes: Uint8Array, start: number, end: number): number {
  let hash = seed
  for (let at = start; at < end; at++) {
    hash = Math.imul(hash ^ bytes[at]!, 0x01000193)
    hash ^= hash >>> 15
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
