import { isIPv6 } from 'node:net'

/**
 * Puts the addresses of a name in the order in which they are tried. Within a family a hash of name and address decides
 * (rendezvous hashing): DNS servers answer in another order each time, and every crawler should still end up at the same
 * server as long as it exists, while names that share a set of servers spread over it.
 */
export function inOrder(name: string, ips: readonly string[], isV6First: boolean): string[] {
  const rank = new Map(ips.map(ip => [ip, hash(`${name} ${ip}`)]))
  return [...rank.keys()].sort(
    (a, b) =>
      (isIPv6(a) === isV6First ? 0 : 1) - (isIPv6(b) === isV6First ? 0 : 1) ||
      rank.get(a)! - rank.get(b)! ||
      (a < b ? -1 : 1),
  )
}

/** FNV-1a with the finish of MurmurHash3, since FNV alone hardly mixes its last bytes. */
function hash(text: string): number {
  let mixed = 0x811c9dc5
  for (let i = 0; i < text.length; i++) mixed = Math.imul(mixed ^ text.charCodeAt(i), 0x01000193)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
