/**
 * The rules of one robots.txt for one crawler, in bytes that are read as they are. All numbers are 32 bits, little-endian,
 * unless said otherwise; the block may begin at any address.
 *
 * | what        | where, in bytes    | each                                                                           |
 * |-------------|--------------------|--------------------------------------------------------------------------------|
 * | head        | 0                  | magic, version, length of the block, number of decisions, of prefixes, of wildcards, bytes of texts, number of sitemaps; Crawl-delay (64-bit float; NaN: none) |
 * | decisions   | 40                 | `line * 2 + allowed`, from the rule that wins over all others to the weakest    |
 * | prefixes    | after decisions    | see {@link PREFIX}; sorted by their octets                                      |
 * | wildcards   | after prefixes     | see {@link WILDCARD}; by prefix, then from the strongest to the weakest         |
 * | texts       | after wildcards    | octets of prefixes and wildcards                                                |
 * | sitemaps    | after texts        | length, UTF-8                                                                   |
 *
 * A *prefix* is a rule's path up to its first star. A rule's *rank* is the place of its decision: the lowest that matches
 * decides.
 */
export const MAGIC = 0x5242_5345 // ESBR
export const VERSION = 1

export const HEAD = {
  magic: 0,
  version: 4,
  length: 8,
  decisions: 12,
  prefixes: 16,
  wildcards: 20,
  textBytes: 24,
  sitemaps: 28,
  crawlDelay: 32,
  bytes: 40,
} as const

export const PREFIX = {
  text: 0,
  length: 4,
  /** The longest other prefix that this one begins with, which comes before it; or {@link NONE}. */
  parent: 8,
  /** Of the rules that match whatever begins with this prefix, its parents' among them. */
  rank: 12,
  /** The rank of the rule that matches this and nothing longer (`/x$`). */
  wholeRank: 16,
  /** The first of its wildcards; they end where those of the next prefix begin. */
  wildcards: 20,
  bytes: 24,
} as const

export const WILDCARD = {
  rank: 0,
  /** Into the texts: what follows the first star, further stars included. */
  text: 4,
  /** `length * 2 + 1` when the path has to end with the last part, `length * 2` otherwise. */
  length: 8,
  /** Of a piece that every matching path has. */
  gram: 12,
  bytes: 16,
} as const

export const NONE = 0xffff_ffff

export const STAR = 0x2a

/** Paths are sieved by pieces of these lengths before they are compared with wildcards. A piece is a number, its first octet lowest. */
export const GRAM_LENGTHS = [4, 2, 1] as const
export const GRAM_HASHES = 1 << 16

export function hashed(gram: number): number {
  return Math.imul(gram, 0x9e3779b1) >>> 16
}
