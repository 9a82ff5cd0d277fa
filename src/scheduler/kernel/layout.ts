// Where things are in the store's memory. store-memory.ts and batch.ts beside this folder say the same in TypeScript.

// The cells at the very beginning: where each table is, how large it is, and how much of it is in use.
export const HOST_INDEX: usize = 0
export const HOST_PLACES: usize = 4
export const HOST_RECORDS: usize = 8
export const HOSTS_KNOWN: usize = 12
export const NAMES_END: usize = 16
export const URL_INDEX: usize = 20
export const URL_PLACES: usize = 24
export const SLOTS: usize = 28
export const LAST_SLOT: usize = 32
export const FREE_SLOT: usize = 36
export const GONE_BITS: usize = 40
export const TEXTS_END: usize = 44
export const ARRIVALS: usize = 48
export const ARRIVED: usize = 52
export const WAITING: usize = 56
export const GONE: usize = 60
export const HELD_BYTES: usize = 64
export const LINES_END: usize = 68
/** What was read ahead goes here, so that no compiler leaves the reading out. */
export const READ_AHEAD: usize = 72

// A batch: the classic kernel's columns, then two that are filled here, then the texts.
export const AT: usize = 0
export const LENGTH: usize = 4096
export const HOST_LENGTH: usize = 8192
export const DEPTH: usize = 12288
export const HOST_HASH: usize = 16384
export const URL_HASH: usize = 20480
export const HOST: usize = 24576
export const SLOT: usize = 28672
export const TEXTS: usize = 32768

/** Where the text of a batch's row stands: the rows' texts follow each other. */
export function textOf(batch: usize, row: usize): usize {
  return batch + TEXTS + load<u32>(batch + row, AT) - load<u32>(batch, AT)
}

/** A place of an index is a hash and an id; the ids start at 1, and 0 marks a free place. */
export const PLACE_BYTES: usize = 8

/** Where the search for a hash begins. Any number of places will do, so a table is as large as it needs to be. */
export function placeOf(index: usize, places: u32, hash: u32): usize {
  return index + (((((hash as u64) * (places as u64)) >> 32) as usize) << 3)
}
