import { ByteReader } from '../../base/byte-reader.ts'
import { sharedKernel } from '../../url/classic.ts'
import { damaged } from './damaged.ts'
import {
  BLOCKED,
  CLEARED,
  CLEARED_REASON,
  DELAYED,
  GIVEN_BACK,
  HOST_CLEARED,
  LENT_OUT,
  OFFERED,
  OUTCOMES,
  RENEWED,
  readLink,
  SETTLED,
  TIED,
} from './events.ts'
import type { Place } from './link-log.ts'
import type { FrontierState } from './state.ts'

/** Makes a change again that stands in the journal; see `events.ts`. */
export function replay(state: FrontierState, payload: Buffer, place: Place): void {
  const from = new ByteReader(payload)
  switch (from.u8()) {
    case OFFERED:
      readNew(state, from, place)
      break
    case LENT_OUT:
      readLent(state, from, place)
      break
    case SETTLED:
      for (let left = from.varint(); left > 0; left--) {
        state.finish(from.varint(), OUTCOMES[from.u8()]!, from.text(), from.f64())
        readNew(state, from, place)
      }
      break
    case GIVEN_BACK:
      for (let left = from.varint(); left > 0; left--) state.giveBack(from.varint(), from.f64())
      break
    case RENEWED: {
      const dueMs = from.f64()
      for (let left = from.varint(); left > 0; left--) state.renew(from.varint(), dueMs)
      break
    }
    case DELAYED:
      state.delay(from.text(), from.f64())
      break
    case BLOCKED:
      state.block(from.text(), from.f64())
      break
    case TIED:
      state.tie(Array.from({ length: from.varint() }, () => from.text()))
      break
    case HOST_CLEARED:
      state.clearHost(from.text(), CLEARED_REASON)
      break
    case CLEARED:
      state.clear()
      break
    default:
      throw damaged(state.nameOf(place.segment), place.at, 'a newer version wrote it')
  }
}

function readNew(state: FrontierState, from: ByteReader, place: Place): void {
  for (let left = from.u32(); left > 0; left--) {
    const at = place.at + from.at
    const link = readLink(from)
    if (link === undefined) throw damaged(state.nameOf(place.segment), at, 'a link is not what was offered')
    const { depth, url } = link
    if (state.find(url) !== 0) throw damaged(state.nameOf(place.segment), at, 'a link is new twice')
    state.addFound(sharedKernel.start + url.length, depth, place.segment, at)
  }
}

function readLent(state: FrontierState, from: ByteReader, place: Place): void {
  const takenMs = from.f64()
  const dueMs = from.f64()
  for (let left = from.varint(); left > 0; left--) state.giveBack(from.varint(), 0)
  while (!from.isAtEnd) {
    const ticketId = from.varint()
    const link = from.varint()
    const host = from.varint()
    const depth = from.u8()
    const attempt = from.varint()
    if (state.takeFirst(host) !== link) {
      throw damaged(state.nameOf(place.segment), place.at, 'it does not fit what was before')
    }
    state.lend({ ticketId, link, host, depth, attempt, takenMs, dueMs })
  }
}
