import { parsePageLine } from '../archive/pages-file.ts'
import { unpredictableSeed } from '../base/random.ts'
import { seededHash } from '../base/structures/hash-index.ts'
import { readLines } from '../folder/json-lines-file.ts'
import type { Visit } from './visits.ts'

const [SEED, CHECK_SEED] = unpredictableSeed()
/** In the line of a visit that was not the first one. A quote inside of a title or URL has a backslash before it. */
const AGAIN = /"change":"(?!new")/

/**
 * Reads `pages.jsonl` up to `size` once, and returns whether a visit, whose line ends at `end`, is the newest of a page that is
 * not gone. Only pages that were visited again take memory, about 50 bytes each.
 */
export function newestVisits(path: string, size: number): (visit: Visit, end: number) => boolean {
  const newest = new Map<number, number>()
  const parse = (text: string) => (AGAIN.test(text) ? parsePageLine(text) : undefined)
  for (const { line, end } of readLines(path, parse)) {
    if (end > size) break
    newest.set(keyOf(line.url), end)
  }
  if (newest.size === 0) return () => true
  return ({ url, change }, end) => change !== 'gone' && (newest.get(keyOf(url)) ?? end) === end
}

/** A number of 53 bits that no other URL is likely to have, nor can be made to have. */
function keyOf(url: string): number {
  const bytes = Buffer.from(url)
  const check = seededHash(CHECK_SEED, bytes, 0, bytes.length) >>> 11
  return (seededHash(SEED, bytes, 0, bytes.length) >>> 0) * 2 ** 21 + check
}
