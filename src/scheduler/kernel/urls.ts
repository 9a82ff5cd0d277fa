// The URLs that are waiting or have left, found by their texts; see url-store.ts beside this folder.
import { copy, isSame } from './bytes'
import {
  ARRIVALS,
  ARRIVED,
  DEPTH,
  FREE_SLOT,
  GONE,
  GONE_BITS,
  HELD_BYTES,
  HOST,
  LAST_SLOT,
  LENGTH,
  PLACE_BYTES,
  placeOf,
  READ_AHEAD,
  SLOT,
  SLOTS,
  TEXTS_END,
  textOf,
  URL_HASH,
  URL_INDEX,
  URL_PLACES,
  WAITING,
} from './layout'

/** A slot is two words: where the text stands; then its depth, as far as that fits into a byte, and its length. */
const SLOT_BITS: usize = 3
export const LENGTH_MASK: u32 = 0x00ff_ffff
export const MOST_DEPTH: u32 = 255

export function slotAt(slot: u32): usize {
  return load<usize>(SLOTS) + ((slot as usize) << SLOT_BITS)
}

/**
 * Adds the URLs of a batch that are not waiting already, and notes their arrival: (slot, host). Leaves each one's slot
 * in its column; 0 for the others. What is to be compared is read ahead.
 */
export function add(batch: usize, rows: i32): void {
  const end = (rows as usize) << 2
  readAhead(batch, end)
  let textsEnd = load<usize>(TEXTS_END)
  let arrival = load<usize>(ARRIVALS) + (load<usize>(ARRIVED) << 3)
  const firstArrival = arrival
  for (let row: usize = 0; row < end; row += 4) {
    const text = textOf(batch, row)
    const length = load<usize>(batch + row, LENGTH)
    const hash = load<u32>(batch + row, URL_HASH)
    const place = search(hash, text, length)
    let slot = load<u32>(place, 4)
    if (slot === 0) {
      slot = newSlot()
      const depth = min<u32>(load<u32>(batch + row, DEPTH), MOST_DEPTH)
      store<usize>(slotAt(slot), textsEnd)
      store<u32>(slotAt(slot), (depth << 24) | (length as u32), 4)
      copy(text, textsEnd, length)
      textsEnd += length
      store<u32>(place, hash)
      store<u32>(place, slot, 4)
    } else if (!comeBack(slot, length)) {
      store<u32>(batch + row, 0, SLOT)
      continue
    }
    store<u32>(batch + row, slot, SLOT)
    store<u32>(arrival, slot)
    store<u32>(arrival, load<u32>(batch + row, HOST), 4)
    arrival += 8
  }
  const arrived = (arrival - firstArrival) >> 3
  store<usize>(ARRIVED, load<usize>(ARRIVED) + arrived)
  store<usize>(WAITING, load<usize>(WAITING) + arrived)
  store<usize>(HELD_BYTES, load<usize>(HELD_BYTES) + textsEnd - load<usize>(TEXTS_END))
  store<usize>(TEXTS_END, textsEnd)
}

function readAhead(batch: usize, end: usize): void {
  const index = load<usize>(URL_INDEX)
  const places = load<u32>(URL_PLACES)
  for (let row: usize = 0; row < end; row += 4) {
    const hash = load<u32>(batch + row, URL_HASH)
    const place = placeOf(index, places, hash)
    store<u32>(batch + row, load<u32>(place) === hash ? load<u32>(place, 4) : 0, SLOT)
  }
  let sum = 0
  for (let row: usize = 0; row < end; row += 4) {
    const slot = load<u32>(batch + row, SLOT)
    if (slot !== 0) sum += load<u8>(load<usize>(slotAt(slot)))
  }
  store<i32>(READ_AHEAD, sum)
}

/** The place of the URL with this text; a free one when it is not known. */
function search(hash: u32, text: usize, length: usize): usize {
  const index = load<usize>(URL_INDEX)
  const places = load<u32>(URL_PLACES)
  const end = index + (places as usize) * PLACE_BYTES
  let place = placeOf(index, places, hash)
  while (load<u32>(place, 4) !== 0 && !(load<u32>(place) === hash && hasText(load<u32>(place, 4), text, length))) {
    place += PLACE_BYTES
    if (place === end) place = index
  }
  return place
}

function hasText(slot: u32, text: usize, length: usize): bool {
  const at = slotAt(slot)
  return ((load<u32>(at, 4) & LENGTH_MASK) as usize) === length && isSame(load<usize>(at), text, length)
}

function newSlot(): u32 {
  const free = load<u32>(FREE_SLOT)
  if (free !== 0) {
    store<u32>(FREE_SLOT, load<u32>(slotAt(free)))
    return free
  }
  const slot = load<u32>(LAST_SLOT) + 1
  store<u32>(LAST_SLOT, slot)
  return slot
}

function goneWord(slot: u32): usize {
  return load<usize>(GONE_BITS) + (((slot >> 5) << 2) as usize)
}

function isGone(slot: u32): bool {
  return ((load<u32>(goneWord(slot)) >> (slot & 31)) & 1) === 1
}

/** A URL that is known and has left its list waits again; false when it never left. */
function comeBack(slot: u32, length: usize): bool {
  if (!isGone(slot)) return false
  store<u32>(goneWord(slot), load<u32>(goneWord(slot)) & ~(1 << (slot & 31)))
  store<usize>(HELD_BYTES, load<usize>(HELD_BYTES) + length)
  store<u32>(GONE, load<u32>(GONE) - 1)
  return true
}

/** These URLs have left their lists. Their texts can be read until the next URL is added. */
export function leave(slots: usize, count: i32): void {
  let bytes: usize = 0
  for (let i: usize = 0; i < (count as usize) << 2; i += 4) {
    const slot = load<u32>(slots + i)
    bytes += (load<u32>(slotAt(slot), 4) & LENGTH_MASK) as usize
    store<u32>(goneWord(slot), load<u32>(goneWord(slot)) | (1 << (slot & 31)))
  }
  store<usize>(HELD_BYTES, load<usize>(HELD_BYTES) - bytes)
  store<u32>(WAITING, load<u32>(WAITING) - count)
  store<u32>(GONE, load<u32>(GONE) + count)
}

/** Puts the ids of an index into a new one, which is empty: all of them, or those that are not gone. Returns how many. */
export function rehash(from: usize, fromPlaces: u32, to: usize, toPlaces: u32, isSweeping: bool): u32 {
  const fromEnd = from + (fromPlaces as usize) * PLACE_BYTES
  const toEnd = to + (toPlaces as usize) * PLACE_BYTES
  let kept: u32 = 0
  for (let at = from; at < fromEnd; at += PLACE_BYTES) {
    const id = load<u32>(at, 4)
    if (id === 0 || (isSweeping && isGone(id))) continue
    const hash = load<u32>(at)
    let place = placeOf(to, toPlaces, hash)
    while (load<u32>(place, 4) !== 0) {
      place += PLACE_BYTES
      if (place === toEnd) place = to
    }
    store<u32>(place, hash)
    store<u32>(place, id, 4)
    kept++
  }
  return kept
}
