// The order in which all that arrived leaves, made in bulk: by depth, then by host, each time by counting and placing, so
// that what is equal stays in the order of its arrival; then, if the hosts take turns, spread over the turns.
import { ARRIVALS, ARRIVED } from './layout'
import { LENGTH_MASK, MOST_DEPTH, slotAt } from './urls'

const SLASH: u8 = 0x2f
const QUESTION: u8 = 0x3f

/** Of all URLs that arrived, the greatest depth. */
export function greatestDepth(): u32 {
  let deepest: u32 = 0
  const end = load<usize>(ARRIVALS) + (load<usize>(ARRIVED) << 3)
  for (let at = load<usize>(ARRIVALS); at < end; at += 8) deepest = max(deepest, depthOf(load<u32>(at)))
  return deepest
}

/** The number of slashes before the query: rule 6 of the classic rules. */
export function depthOf(slot: u32): u32 {
  const word = load<u32>(slotAt(slot), 4)
  if (word >> 24 < MOST_DEPTH) return word >> 24
  const text = load<usize>(slotAt(slot))
  let depth: u32 = 0
  for (let i: u32 = 0; i < (word & LENGTH_MASK) && load<u8>(text + i) !== QUESTION; i++) {
    if (load<u8>(text + i) === SLASH) depth++
  }
  return depth
}

/** Places all arrivals by depth, as (slot, host). `starts` has `depths` cells of 0. */
export function placeByDepth(starts: usize, depths: u32, to: usize): void {
  const from = load<usize>(ARRIVALS)
  const end = from + (load<usize>(ARRIVED) << 3)
  for (let at = from; at < end; at += 8) count(starts, depthOf(load<u32>(at)))
  countsToStarts(starts, depths)
  for (let at = from; at < end; at += 8) {
    store<u64>(to + (next(starts, depthOf(load<u32>(at))) << 3), load<u64>(at))
  }
}

/** Places so many (slot, host) by host, as slots. `ends` has `hosts` + 1 cells of 0; afterwards, where each host's end. */
export function placeByHost(from: usize, arrived: usize, ends: usize, hosts: u32, to: usize): void {
  const end = from + (arrived << 3)
  for (let at = from; at < end; at += 8) count(ends, load<u32>(at, 4))
  countsToStarts(ends, hosts + 1)
  for (let at = from; at < end; at += 8) store<u32>(to + (next(ends, load<u32>(at, 4)) << 2), load<u32>(at))
}

/** How many URLs the largest host has, by the ends of all. */
export function largestHost(ends: usize, hosts: u32): u32 {
  let largest: u32 = 0
  for (let host: u32 = 1; host <= hosts; host++) largest = max(largest, sizeOf(ends, host))
  return largest
}

/**
 * Spreads slots, placed by host, over turns. In a turn every host that takes part gives one, in their order from `first`
 * on. Either all take part in the first turn, and later those that have any left; or in the first turn only the largest
 * hosts, and in each later one also those that are as large as these still are. `starts` has `largest` + 1 cells of 0.
 * Returns the host that comes last.
 */
export function spread(
  slots: usize,
  ends: usize,
  hosts: u32,
  first: u32,
  starts: usize,
  largest: u32,
  isBySize: bool,
  to: usize,
): u32 {
  for (let host: u32 = 1; host <= hosts; host++) count(starts, sizeOf(ends, host))
  // So many hosts have at least so many URLs: the size of a turn.
  for (let size = largest; size > 1; size--) {
    store<u32>(cell(starts, size - 1), load<u32>(cell(starts, size - 1)) + load<u32>(cell(starts, size)))
  }
  store<u32>(starts, 0)
  let start: u32 = 0
  for (let turn: u32 = 1; turn <= largest; turn++) {
    const at = cell(starts, isBySize ? largest + 1 - turn : turn)
    const size = load<u32>(at)
    store<u32>(at, start)
    start += size
  }
  let last: u32 = 0
  for (let n: u32 = 0; n < hosts; n++) {
    const host = first + n <= hosts ? first + n : first + n - hosts
    const size = sizeOf(ends, host)
    if (size === largest) last = host
    let from = slots + ((load<usize>(cell(ends, host)) - size) << 2)
    for (let k: u32 = 1; k <= size; k++, from += 4) {
      store<u32>(to + (next(starts, isBySize ? size + 1 - k : k) << 2), load<u32>(from))
    }
  }
  return last
}

function cell(cells: usize, n: u32): usize {
  return cells + ((n as usize) << 2)
}

function sizeOf(ends: usize, host: u32): u32 {
  return load<u32>(cell(ends, host)) - load<u32>(cell(ends, host - 1))
}

function count(counts: usize, n: u32): void {
  store<u32>(cell(counts, n), load<u32>(cell(counts, n)) + 1)
}

function countsToStarts(counts: usize, length: u32): void {
  let start: u32 = 0
  for (let n: u32 = 0; n < length; n++) {
    const size = load<u32>(cell(counts, n))
    store<u32>(cell(counts, n), start)
    start += size
  }
}

/** Where the next one of these goes. */
function next(starts: usize, n: u32): usize {
  const at = load<u32>(cell(starts, n))
  store<u32>(cell(starts, n), at + 1)
  return at as usize
}
