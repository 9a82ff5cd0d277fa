import type { ByteWriter } from '../../../base/structures/byte-writer.ts'
import type { Link } from '../../frontier.ts'
import { CLEARED_REASON } from '../journal/events.ts'
import type { LinkTexts } from '../journal/link-texts.ts'
import type { HostId } from '../memory/hosts.ts'
import { type LinkId, REFUSED } from '../memory/links.ts'
import type { FrontierState } from '../state/state.ts'
import type { Views } from '../views.ts'
import { forgetAll } from './settling.ts'

// What becomes of links other than by a ticket, written to `out` as `events.ts` says.

/** Links that are forgotten in one step: a few milliseconds' work. */
const FORGOTTEN_AT_ONCE = 1000

/** Makes refused links wait again; returns how many. All are read before anything changes: a damaged text stops the call. */
export function requeue(state: FrontierState, texts: LinkTexts, links: readonly Link[], out: ByteWriter): number {
  const found = new Map<LinkId, { host: HostId; rank: number }>()
  for (const { url, kind = 'page' } of links) {
    const link = kind === 'page' ? state.find(url) : 0
    if (link === 0 || state.links.state(link) !== REFUSED || found.has(link)) continue
    // It goes back to the list of its first offer, even if another rank is given now.
    found.set(link, { host: state.hosts.find(state.key), rank: texts.read(link).rank })
  }
  out.varint(found.size)
  for (const [link, { host, rank }] of found) {
    out.varint(link)
    out.varint(host)
    out.u8(rank)
    state.requeue(link, host, rank)
  }
  return found.size
}

/** Forgets the first links of a known host, `most` or fewer; `onCleared` gets them before. Returns how many there were. */
export function clearFirst(
  state: FrontierState,
  views: Views,
  host: string,
  most: number,
  onCleared: (links: readonly Link[]) => void,
  out: ByteWriter,
): number {
  const { items } = views.waiting(host, { limit: Math.max(1, Math.min(most, FORGOTTEN_AT_ONCE)) })
  onCleared(items)
  out.text(host)
  out.varint(items.length)
  forgetAll(state, state.hostNamed(host), CLEARED_REASON, items.length)
  return items.length
}
