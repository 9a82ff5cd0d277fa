import { registrableDomain } from '../url/registrable-domain.ts'

/**
 * A 32-bit hash of a host's registrable domain: modulo the number of shards, the shard of the host. It never changes: frontiers
 * and dumps are kept by it. FNV-1a over the UTF-8 bytes, with a final mix (of MurmurHash3), since the lower bits decide.
 */
export function domainHash(host: string): number {
  return hash32(registrableDomain(host))
}

/** The same hash of any name: a server's, for example. */
export function hash32(name: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(name)) hash = Math.imul(hash ^ byte, 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
