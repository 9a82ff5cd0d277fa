// The known hosts, found by name; see hosts.ts beside this folder.
import { copy, isSame } from './bytes'
import {
  HOST,
  HOST_HASH,
  HOST_INDEX,
  HOST_LENGTH,
  HOST_PLACES,
  HOST_RECORDS,
  HOSTS_KNOWN,
  NAMES_END,
  PLACE_BYTES,
  placeOf,
  READ_AHEAD,
  textOf,
} from './layout'

const RECORD_BITS: usize = 7
const RECORD_BYTES: usize = 128
const NAME_AT: usize = 16
const NAME_LENGTH: usize = 20
/** A short name stands in the record itself. */
const NAME: usize = 24
const LONGEST_NAME: usize = 40

/** The bytes of all names of a batch that do not fit into a host's record. */
export function longNameBytes(batch: usize, rows: i32): usize {
  let bytes: usize = 0
  for (let row: usize = 0; row < (rows as usize) << 2; row += 4) {
    const length = load<usize>(batch + row, HOST_LENGTH)
    if (length > LONGEST_NAME) bytes += length
  }
  return bytes
}

/**
 * Finds the host of each row of a batch; hosts that are new become known. Everything is read ahead first, so that the
 * waits for memory overlap: the places where the searches begin, then the records that are named there.
 */
export function know(batch: usize, rows: i32): void {
  const index = load<usize>(HOST_INDEX)
  const places = load<u32>(HOST_PLACES)
  const records = load<usize>(HOST_RECORDS)
  const end = (rows as usize) << 2
  for (let row: usize = 0; row < end; row += 4) {
    const hash = load<u32>(batch + row, HOST_HASH)
    const place = placeOf(index, places, hash)
    store<u32>(batch + row, load<u32>(place) === hash ? load<u32>(place, 4) : 0, HOST)
  }
  let sum = 0
  for (let row: usize = 0; row < end; row += 4) {
    sum += load<i32>(records + (load<usize>(batch + row, HOST) << RECORD_BITS), NAME)
  }
  store<i32>(READ_AHEAD, sum)
  for (let row: usize = 0; row < end; row += 4) {
    const name = textOf(batch, row)
    const length = load<usize>(batch + row, HOST_LENGTH)
    const guess = load<u32>(batch + row, HOST)
    if (guess !== 0 && isNamed(guess, name, length)) continue
    store<u32>(batch + row, findOrAdd(load<u32>(batch + row, HOST_HASH), name, length), HOST)
  }
}

/** The host with this name, or 0. */
export function findHost(hash: u32, name: usize, length: usize): u32 {
  return load<u32>(search(hash, name, length), 4)
}

function findOrAdd(hash: u32, name: usize, length: usize): u32 {
  const place = search(hash, name, length)
  const found = load<u32>(place, 4)
  if (found !== 0) return found
  const host = load<u32>(HOSTS_KNOWN) + 1
  store<u32>(HOSTS_KNOWN, host)
  store<u32>(place, hash)
  store<u32>(place, host, 4)
  const record = recordOf(host)
  for (let i: usize = 0; i < RECORD_BYTES; i += 16) v128.store(record + i, i64x2(0, 0))
  store<usize>(record, length, NAME_LENGTH)
  let at = record + NAME
  if (length > LONGEST_NAME) {
    at = load<usize>(NAMES_END)
    store<usize>(record, at, NAME_AT)
    store<usize>(NAMES_END, at + length)
    copy(name, at, length)
  } else for (let i: usize = 0; i < length; i++) store<u8>(at + i, load<u8>(name + i))
  return host
}

/** The place of the host with this name; a free one when it is not known. */
function search(hash: u32, name: usize, length: usize): usize {
  const index = load<usize>(HOST_INDEX)
  const places = load<u32>(HOST_PLACES)
  const end = index + (places as usize) * PLACE_BYTES
  let place = placeOf(index, places, hash)
  while (load<u32>(place, 4) !== 0 && !(load<u32>(place) === hash && isNamed(load<u32>(place, 4), name, length))) {
    place += PLACE_BYTES
    if (place === end) place = index
  }
  return place
}

function isNamed(host: u32, name: usize, length: usize): bool {
  return nameLength(host) === length && isSame(nameAt(host), name, length)
}

function recordOf(host: u32): usize {
  return load<usize>(HOST_RECORDS) + ((host as usize) << RECORD_BITS)
}

export function nameLength(host: u32): usize {
  return load<usize>(recordOf(host), NAME_LENGTH)
}

export function nameAt(host: u32): usize {
  const record = recordOf(host)
  return nameLength(host) > LONGEST_NAME ? load<usize>(record, NAME_AT) : record + NAME
}
