import { closeSync, fstatSync, openSync, readSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ByteInput, openInput } from '../base/files/byte-input.ts'
import { writeAll } from '../base/files/write-all.ts'
import { uniqueName } from '../base/random.ts'
import { AccessMaps, type IdMap, type PhaseBand } from './access-map.ts'
import { type AccessSink, LogParser } from './log-parser.ts'
import { LogRanges } from './log-ranges.ts'
import { StackDistances, type StackResult } from './stack-distances.ts'

export interface Analysis {
  readonly accesses: number
  /** Whether the log has its last line. */
  readonly isWhole: boolean
  /** Words are numbered from this address. */
  readonly lowestAddress: number
  readonly highestAddress: number
  /** The stack distances of each phase and id that occurs, in ascending order. */
  readonly stacks: readonly StackResult[]
  /** One map per id that occurs, in ascending order. */
  readonly maps: readonly IdMap[]
  readonly bands: readonly PhaseBand[]
}

/** Reads a log twice: for its ranges, then for everything else. Pauses now and then, yielding the share that is done. */
export function* analyze(log: LogFile): Generator<number, Analysis, void> {
  const ranges = new LogRanges()
  const { accesses, isWhole } = yield* part(log, ranges, 0)
  const distances = new StackDistances(ranges.lowest)
  const maps = new AccessMaps(accesses, ranges)
  yield* part(log, both(distances, maps), 0.5)
  return {
    accesses,
    isWhole,
    lowestAddress: ranges.lowest,
    highestAddress: ranges.highest,
    stacks: distances.results(),
    maps: maps.maps(),
    bands: maps.bands(),
  }
}

/** One of the two passes. */
function* part(log: LogFile, sink: AccessSink, from: number) {
  const reading = log.read(sink)
  for (;;) {
    const { done, value } = reading.next()
    if (done) return value
    yield from + value / log.bytes / 2
  }
}

function both(one: AccessSink, other: AccessSink): AccessSink {
  return {
    access(kind, phase, id, address, bytes) {
      one.access(kind, phase, id, address, bytes)
      other.access(kind, phase, id, address, bytes)
    },
  }
}

const BUFFER_BYTES = 1 << 20

/** A log that can be read more than once. Input from a pipe is kept in an unnamed temporary file. */
export class LogFile {
  readonly bytes: number
  private readonly fd: number

  private constructor(fd: number) {
    this.fd = fd
    this.bytes = fstatSync(fd).size
  }

  /** Opens a file, or standard input for `-`. */
  static async open(path: string): Promise<LogFile> {
    const input = openInput(path)
    try {
      return new LogFile(input.bytes === undefined || path === '-' ? await kept(input) : openSync(path, 'r'))
    } finally {
      input.close()
    }
  }

  /** Reads all of it once and passes each access to `sink`; pauses now and then, yielding how many bytes are done. */
  *read(sink: AccessSink): Generator<number, LogParser, void> {
    const parser = new LogParser(sink)
    const buffer = Buffer.allocUnsafe(BUFFER_BYTES)
    let left = 0
    for (let at = 0; ; ) {
      const got = readSync(this.fd, buffer, left, BUFFER_BYTES - left, at)
      if (got === 0) {
        parser.end(buffer.subarray(0, left))
        return parser
      }
      at += got
      const used = parser.feed(buffer, left + got)
      buffer.copyWithin(0, used, left + got)
      left = left + got - used
      yield at
    }
  }

  close(): void {
    closeSync(this.fd)
  }
}

async function kept(input: ByteInput): Promise<number> {
  const path = join(tmpdir(), `escalona-${uniqueName()}.tmp`)
  const fd = openSync(path, 'wx+')
  unlinkSync(path)
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES)
  for (;;) {
    await input.ready()
    const got = input.read(buffer, 0, BUFFER_BYTES)
    if (got === 0) return fd
    writeAll(fd, buffer.subarray(0, got))
  }
}
