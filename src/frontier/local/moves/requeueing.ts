import type { ByteWriter } from '../../../base/structures/byte-writer.ts'
import type { Link } from '../../frontier.ts'
import type { LinkTexts } from '../journal/link-texts.ts'
import type { HostId } from '../memory/hosts.ts'
import { type LinkId, REFUSED } from '../memory/links.ts'
import { LookupKey } from '../memory/lookup-key.ts'
import type { FrontierState } from '../state/state.ts'

/** Makes refused links wait again, and records it; see `events.ts`. */
export class Requeueing {
  private readonly state: FrontierState
  private readonly texts: LinkTexts
  private readonly out: ByteWriter
  private readonly key = new LookupKey()

  constructor(state: FrontierState, texts: LinkTexts, out: ByteWriter) {
    this.state = state
    this.texts = texts
    this.out = out
  }

  /** Returns how many were refused. All are read before anything changes: a damaged text stops the call. */
  requeue(links: readonly Link[]): number {
    const { state, out } = this
    const found = new Map<LinkId, { host: HostId; depth: number }>()
    for (const { url, kind = 'page' } of links) {
      const link = kind === 'page' ? state.find(url, this.key) : 0
      if (link === 0 || state.links.state(link) !== REFUSED || found.has(link)) continue
      // It goes back to the list of its first offer, even if another depth is given now.
      found.set(link, { host: state.hosts.find(this.key), depth: this.texts.read(link).pathDepth })
    }
    out.varint(found.size)
    for (const [link, { host, depth }] of found) {
      out.varint(link)
      out.varint(host)
      out.u8(depth)
      state.requeue(link, host, depth)
    }
    return found.size
  }
}
