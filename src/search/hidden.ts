import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { EscalonaError } from '../base/errors.ts'
import { replaceFile } from '../base/files/whole-file.ts'
import { type SegmentLine, searchFolder } from './manifest.ts'

/** Documents of a segment that are not shown: a bit each, the first in the lowest bit of the first byte. */
export type HiddenBits = Uint8Array

export function readHidden(crawl: string, { documents, hidden }: SegmentLine): HiddenBits {
  if (hidden === undefined) return new Uint8Array((documents + 7) >>> 3)
  const bits = readFileSync(join(searchFolder(crawl), hidden.file))
  if (bits.length !== (documents + 7) >>> 3 || crc32(bits) !== hidden.crc) throw new EscalonaError('SEARCH_DAMAGED')
  return bits
}

/** Writes them into a new file; returns the line of the segment with it. */
export function writeHidden(crawl: string, line: SegmentLine, bits: HiddenBits, name: string): SegmentLine {
  const file = `${name}.hidden`
  replaceFile(join(searchFolder(crawl), file), write => write(bits))
  let count = 0
  for (let document = 0; document < line.documents; document++) if (isHidden(bits, document)) count++
  return { ...line, hidden: { file, count, crc: crc32(bits) } }
}

export function isHidden(bits: HiddenBits, document: number): boolean {
  return (bits[document >>> 3]! & (1 << (document & 7))) !== 0
}

export function hide(bits: HiddenBits, document: number): void {
  bits[document >>> 3]! |= 1 << (document & 7)
}
