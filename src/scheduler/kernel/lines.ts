// URLs as lines to be printed.
import { copy } from './bytes'
import { nameAt, nameLength } from './hosts'
import { LINES_END, READ_AHEAD } from './layout'
import { LENGTH_MASK, slotAt } from './urls'

const LF: u8 = 0x0a
/** "http://", and a byte that the text overwrites. */
const SCHEME: u64 = 0x002f_2f3a_7074_7468
const SCHEME_BYTES: usize = 7
const LINE_BYTES: usize = 8
/** Copying may write this much too far. */
const SPARE_BYTES: usize = 16
/** So many texts are read ahead, so that the waits for memory overlap. */
const AHEAD: usize = 64

/** Writes the URLs of these slots as lines from `to` on, as long as they fit before `end`; returns how many. */
export function writeLines(slots: usize, count: i32, to: usize, end: usize): i32 {
  const last = slots + ((count as usize) << 2)
  let at = slots
  let out = to
  while (at < last) {
    const stop = min(last, at + (AHEAD << 2))
    readAhead(at, stop)
    for (; at < stop; at += 4) {
      const slot = slotAt(load<u32>(at))
      const length = (load<u32>(slot, 4) & LENGTH_MASK) as usize
      if (out + length + LINE_BYTES + SPARE_BYTES > end) {
        store<usize>(LINES_END, out)
        return ((at - slots) >> 2) as i32
      }
      store<u64>(out, SCHEME)
      copy(load<usize>(slot), out + SCHEME_BYTES, length)
      out += length + LINE_BYTES
      store<u8>(out - 1, LF)
    }
  }
  store<usize>(LINES_END, out)
  return count
}

function readAhead(from: usize, to: usize): void {
  let sum: u32 = 0
  for (let at = from; at < to; at += 4) {
    const slot = slotAt(load<u32>(at))
    const text = load<usize>(slot)
    sum += (load<u8>(text) + load<u8>(text + (load<u32>(slot, 4) & LENGTH_MASK))) as u32
  }
  store<u32>(READ_AHEAD, sum)
}

/** Writes the names of these hosts as lines, the same way. */
export function writeNames(host: u32, count: i32, to: usize, end: usize): i32 {
  let out = to
  let written = 0
  for (; written < count; written++) {
    const length = nameLength(host + written)
    if (out + length + 1 + SPARE_BYTES > end) break
    copy(nameAt(host + written), out, length)
    out += length + 1
    store<u8>(out - 1, LF)
  }
  store<usize>(LINES_END, out)
  return written
}
