import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { writeAll } from '../../../base/files/write-all.ts'
import { message } from '../../../base/messages/message.ts'
import { ByteReader } from '../../../base/structures/byte-reader.ts'
import { ByteWriter } from '../../../base/structures/byte-writer.ts'
import { damaged } from '../memory/damaged.ts'
import type { HostId } from '../memory/hosts.ts'

/** The part of a link that never changes after it was first seen. */
export interface LinkEntry {
  /** The halves of its fingerprint. */
  low: number
  high: number
  host: HostId
  rank: number
  /** Where its text is. */
  segment: number
  at: number
}

/** Where the part of a link that never changes is written, once. Without a folder: nowhere. */
export interface Ledger {
  add(entry: Readonly<LinkEntry>): void
  /** All links are forgotten. */
  restart(): void
}

export const NO_LEDGER: Ledger = { add() {}, restart() {} }

/** How far a ledger has come: its number, its bytes, and their CRC-32. */
export interface LedgerMark {
  readonly number: number
  readonly bytes: number
  readonly crc: number
}

const WRITTEN_AT_ONCE = 1 << 18
/** Two words, a byte, and five varints. */
const MOST_ENTRY_BYTES = 48

/**
 * The part of the snapshots that only grows: all links in the order of their numbers. A snapshot itself holds only what
 * changes, and says how much of this file belongs to it; anything after that does not count and is overwritten.
 *
 * A link is the halves of its fingerprint (32 bits each), host, rank (a byte), and how far after the text of the link
 * before its own text is; 0 when that is in another segment: then follow how many segments further, and where in it.
 * Numbers are varints unless a unit says otherwise. When all links are forgotten, a file with the next number begins.
 */
export class LedgerFile implements Ledger {
  private readonly folder: string
  private readonly out = new ByteWriter(WRITTEN_AT_ONCE * 2)
  private fd: number | undefined
  private number = 1
  private bytes = 0
  private crc = 0
  private lastSegment = 0
  private lastAt = 0
  private nextTry = WRITTEN_AT_ONCE

  constructor(folder: string) {
    this.folder = folder
  }

  add({ low, high, host, rank, segment, at }: LinkEntry): void {
    const { out } = this
    const further = segment - this.lastSegment
    out.u32(low)
    out.u32(high)
    out.varint(host)
    out.u8(rank)
    if (further === 0) out.varint(at - this.lastAt)
    else {
      out.varint(0)
      out.varint(further)
      out.varint(at)
    }
    this.lastSegment = segment
    this.lastAt = at
    if (out.length >= this.nextTry) this.tryWrite()
  }

  restart(): void {
    this.close()
    this.out.clear()
    this.continueAfter({ number: this.number + 1, bytes: 0, crc: 0 }, 0, 0)
  }

  /** Writes everything so far; see {@link makeSafe}. */
  mark(): LedgerMark {
    this.write()
    return { number: this.number, bytes: this.bytes, crc: this.crc }
  }

  /** Resolves when everything up to a mark is safe. */
  async makeSafe({ number, bytes }: LedgerMark): Promise<void> {
    if (bytes > 0) await syncPath(this.path(number), 'r+')
    await syncPath(this.folder, 'r')
  }

  /** Passes the first `count` links to `onLink`, which gets the same object every time; later links are added after them. */
  read(mark: LedgerMark, count: number, onLink: (entry: Readonly<LinkEntry>) => void): void {
    const entry: LinkEntry = { low: 0, high: 0, host: 0, rank: 0, segment: 0, at: 0 }
    if (mark.bytes > 0) this.readFile(mark, count, entry, onLink)
    this.continueAfter(mark, entry.segment, entry.at)
  }

  /** Removes the files before this one, which no snapshot refers to any more. */
  dropBefore(mark: LedgerMark): void {
    for (const name of readdirSync(this.folder)) {
      const digits = /^links-(\d{8})\.bin$/.exec(name)?.[1]
      if (digits !== undefined && Number(digits) < mark.number) rmSync(join(this.folder, name))
    }
  }

  close(): void {
    if (this.fd !== undefined) closeSync(this.fd)
    this.fd = undefined
  }

  /** Reads the file twice, piece by piece, since it may be larger than what can be held at once: nothing unsound is passed on. */
  private readFile(mark: LedgerMark, count: number, entry: LinkEntry, onLink: (entry: LinkEntry) => void): void {
    const path = this.path(mark.number)
    const fd = openIfThere(path)
    if (fd === undefined) throw damaged(path, 0, message('local/file-missing'))
    try {
      checkSum(fd, path, mark)
      const pieces = new FilePieces(fd, mark.bytes)
      for (let left = count; left > 0; left--) {
        readEntry(pieces.atLeast(MOST_ENTRY_BYTES), entry)
        onLink(entry)
      }
    } finally {
      closeSync(fd)
    }
  }

  private continueAfter({ number, bytes, crc }: LedgerMark, segment: number, at: number): void {
    this.number = number
    this.bytes = bytes
    this.crc = crc
    this.lastSegment = segment
    this.lastAt = at
  }

  /** Keeps what can't be written now, and tries again later: at the latest when a snapshot needs it. */
  private tryWrite(): void {
    try {
      this.write()
    } catch {
      this.nextTry = this.out.length + WRITTEN_AT_ONCE
    }
  }

  private write(): void {
    if (this.out.length === 0) return
    this.fd ??= openSync(this.path(this.number), constants.O_RDWR | constants.O_CREAT)
    writeAll(this.fd, this.out.bytes, this.bytes)
    this.crc = crc32(this.out.bytes, this.crc)
    this.bytes += this.out.length
    this.out.clear()
    this.nextTry = WRITTEN_AT_ONCE
  }

  private path(number: number): string {
    return join(this.folder, `links-${String(number).padStart(8, '0')}.bin`)
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function checkSum(fd: number, path: string, { bytes, crc }: LedgerMark): void {
  const { size } = fstatSync(fd)
  if (size < bytes) throw damaged(path, size, message('local/end-missing'))
  let sum = 0
  for (const piece of new FilePieces(fd, bytes).all()) sum = crc32(piece, sum)
  if (sum !== crc) throw damaged(path, bytes, message('local/wrong-checksum'))
}

function readEntry(from: ByteReader, entry: LinkEntry): void {
  entry.low = from.i32()
  entry.high = from.i32()
  entry.host = from.varint()
  entry.rank = from.u8()
  const further = from.varint()
  if (further > 0) entry.at += further
  else {
    entry.segment += from.varint()
    entry.at = from.varint()
  }
}

const PIECE_BYTES = 1 << 20

/** Reads the first `bytes` bytes of a file from the beginning, a piece at a time. */
class FilePieces {
  private readonly fd: number
  private readonly bytes: number
  private readonly piece = Buffer.allocUnsafeSlow(PIECE_BYTES)
  private readonly reader = new ByteReader(this.piece, 0, 0)
  /** How much was read of the file, and how much of that is in the piece. */
  private readBytes = 0
  private held = 0

  constructor(fd: number, bytes: number) {
    this.fd = fd
    this.bytes = bytes
  }

  /** All pieces, one after the other; each is valid until the next. */
  *all(): Iterable<Buffer> {
    for (this.fill(0); this.held > 0; this.fill(0)) yield this.piece.subarray(0, this.held)
  }

  /** A reader that continues where it was, with at least this many bytes before its end; fewer at the end of the file. */
  atLeast(bytes: number): ByteReader {
    const { reader } = this
    if (this.held - reader.at < bytes && this.readBytes < this.bytes) {
      this.fill(this.piece.copy(this.piece, 0, reader.at, this.held))
      reader.moveTo(0, this.held)
    }
    return reader
  }

  /** Reads on after the first `kept` bytes of the piece. */
  private fill(kept: number): void {
    const wanted = Math.min(PIECE_BYTES - kept, this.bytes - this.readBytes)
    const got = wanted === 0 ? 0 : readSync(this.fd, this.piece, kept, wanted, this.readBytes)
    this.readBytes += got
    this.held = kept + got
  }
}

/** Resolves when a file, or the names in a folder, are safe. */
export async function syncPath(path: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await open(path, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
