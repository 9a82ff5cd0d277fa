import { ByteWriter } from '../base/structures/byte-writer.ts'

/**
 * A segment: an immutable file with the words of some visits.
 *
 *   groups of 32 terms, sorted by their bytes:  their posting lists, one after the other; then their dictionary block:
 *                                                 varint where the first list begins
 *                                                 per term: a byte (bytes shared with the term before, its own bytes; 15: varint of the rest
 *                                                 follows), its own bytes, varint documents, varint bytes of the list and, of a long list,
 *                                                 varint bytes of its first part
 *   index of the blocks:                         per block: varint bytes of its first term, the term, varint bytes from the end of the block
 *                                                 before to this one, varint its own bytes
 *   table of documents:                          lengths, one byte each; keys of URLs, 6 bytes each; varint where the line begins in
 *                                                 pages.jsonl − that of the document before; varint seconds of the visit − that of the
 *                                                 document before, zigzag
 *   foot:                                        64 bytes, see FOOT
 *
 * Numbers are little-endian. Nothing before the index is read when a segment is opened.
 */
export const GROUP_TERMS = 32
export const FOOT_BYTES = 64
/** `ESCSEG` and the version of the format. */
export const MAGIC = Buffer.from('ESCSEG01')
export const KEY_BYTES = 6

/** What the foot says: offsets in bytes, the CRC-32 of all from `indexAt` to the foot, and that of the foot itself. */
export interface SegmentFoot {
  readonly documents: number
  readonly tokens: number
  readonly terms: number
  readonly indexAt: number
  readonly tableAt: number
  readonly footAt: number
  readonly crc: number
}

/** The documents of a segment, in columns; all have `count` entries. */
export interface DocumentTable {
  readonly count: number
  /** Words of all of them. */
  readonly tokens: number
  /** Codes of lengths; see `lengthCode`. */
  readonly lengths: Uint8Array
  /** Keys of their URLs, below 2 ** 48. */
  readonly keys: Float64Array
  /** Where their lines begin in pages.jsonl. */
  readonly lines: Float64Array
  /** Unix time of the visits in seconds. */
  readonly seconds: Float64Array
}

export function tableBytes({ count, lengths, keys, lines, seconds }: DocumentTable): Uint8Array {
  const out = new ByteWriter(count * 12 + 64)
  out.raw(lengths.subarray(0, count))
  for (let i = 0; i < count; i++) {
    out.u32(keys[i]! % 2 ** 32)
    const high = Math.floor(keys[i]! / 2 ** 32)
    out.u8(high & 255)
    out.u8(high >>> 8)
  }
  let [line, second] = [0, 0]
  for (let i = 0; i < count; i++) {
    out.varint(lines[i]! - line)
    const change = seconds[i]! - second
    out.varint(change < 0 ? -2 * change - 1 : 2 * change)
    line = lines[i]!
    second = seconds[i]!
  }
  return out.bytes
}
