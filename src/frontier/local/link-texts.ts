import { ByteReader } from '../../base/structures/byte-reader.ts'
import { damaged } from './damaged.ts'
import type { LinkLog } from './link-log.ts'
import type { LinkId, Links } from './links.ts'
import { fingerprintLow } from './sought.ts'
import { MOST_LINK_BYTES, readLink, readNote, type WrittenLink } from './written-link.ts'

/** Most links are shorter; a longer one is read in two steps. */
const USUAL_BYTES = 256

/** What was offered, as it was. */
export interface LinkText {
  readonly url: string
  readonly pathDepth: number
  readonly hops: number
  readonly note: string | undefined
}

/** The links' texts, out of the log. What is not what was offered is damage: its fingerprint shows it. */
export class LinkTexts {
  private readonly links: Links
  private readonly log: LinkLog
  private readonly seed: readonly [number, number]
  private readonly scratch = Buffer.allocUnsafeSlow(MOST_LINK_BYTES)
  private readonly usualScratch = this.scratch.subarray(0, USUAL_BYTES)
  private readonly reader = new ByteReader(this.scratch)

  constructor(links: Links, log: LinkLog, seed: readonly [number, number]) {
    this.links = links
    this.log = log
    this.seed = seed
  }

  read(link: LinkId): LinkText {
    const { log } = this
    const segment = this.links.segment(link)
    const at = this.links.at(link)
    const version = log.version(segment)
    const written = this.parse(segment, at, reader => readLink(reader, version))
    // By half of its fingerprint: the other half lies in the index, which a visit need not touch.
    if (written !== undefined && fingerprintLow(written.url, this.seed) === this.links.low(link)) {
      const { depth, hops } = written
      // Before the note is read, into the same bytes.
      const url = written.url.toString()
      const note = written.note === undefined ? undefined : this.noteOf(written.note, segment, at)
      if (note !== undefined || written.note === undefined) return { url, pathDepth: depth, hops, note }
    }
    throw damaged(log.name(segment), at, 'a link is not what was offered')
  }

  private noteOf(note: NonNullable<WrittenLink['note']>, segment: number, at: number): string | undefined {
    if (typeof note === 'string') return note
    return note > at ? undefined : this.parse(segment, at - note, readNote)
  }

  private parse<T>(segment: number, at: number, read: (from: ByteReader) => T): T | undefined {
    const got = this.log.read(segment, at, this.usualScratch)
    const parsed = this.parseFirst(got, read)
    if (parsed !== undefined || got < USUAL_BYTES) return parsed
    return this.parseFirst(this.log.read(segment, at, this.scratch), read)
  }

  private parseFirst<T>(bytes: number, read: (from: ByteReader) => T): T | undefined {
    this.reader.moveTo(0, bytes)
    try {
      return read(this.reader)
    } catch (error) {
      if (error instanceof RangeError) return undefined
      throw error
    }
  }
}
