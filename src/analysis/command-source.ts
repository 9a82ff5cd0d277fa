import { LF } from '../base/structures/bytes.ts'
import { readCommand, type ScriptCommand } from '../script/commands.ts'
import type { ByteSource } from '../script/script-reader.ts'

const BUFFER_BYTES = 1 << 18
/** A longer line is not a command. */
const LONGEST_COMMAND_BYTES = 1 << 12
const BOM = [0xef, 0xbb, 0xbf]

/** Passes a command file on, one command with its URLs at a time, so that each can be announced when it begins. */
export class CommandSource implements ByteSource {
  private readonly source: ByteSource
  private readonly onCommand: (command: ScriptCommand) => void
  private readonly bytes = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  private at = 0
  private end = 0
  /** URLs of the command that are still to come. */
  private urlsLeft = 0
  /** The part of the next command line that has been passed on. */
  private line: number[] = []
  private isFirstLine = true

  constructor(source: ByteSource, onCommand: (command: ScriptCommand) => void) {
    this.source = source
    this.onCommand = onCommand
  }

  read(buffer: Buffer, offset: number, length: number): number {
    if (this.at === this.end) {
      this.at = 0
      this.end = this.source.read(this.bytes, 0, BUFFER_BYTES)
      if (this.end === 0) this.announce()
    }
    const most = Math.min(length, this.end - this.at)
    const part = this.bytes.subarray(this.at, this.at + most)
    const got = this.urlsLeft > 0 ? this.stepOverUrls(part) : this.stepOverCommand(part)
    part.copy(buffer, offset, 0, got)
    this.at += got
    return got
  }

  private stepOverUrls(part: Buffer): number {
    let end = 0
    while (this.urlsLeft > 0) {
      const lf = part.indexOf(LF, end)
      if (lf < 0) return part.length
      end = lf + 1
      this.urlsLeft--
    }
    return end
  }

  private stepOverCommand(part: Buffer): number {
    const lf = part.indexOf(LF)
    const end = lf < 0 ? part.length : lf
    for (let i = 0; i < end && this.line.length < LONGEST_COMMAND_BYTES; i++) this.line.push(part[i]!)
    if (lf < 0) return end
    this.announce()
    return end + 1
  }

  private announce(): void {
    const hasBom = this.isFirstLine && BOM.every((byte, i) => this.line[i] === byte)
    const line = Buffer.from(hasBom ? this.line.slice(BOM.length) : this.line)
    this.line = []
    this.isFirstLine = false
    if (line.length === LONGEST_COMMAND_BYTES) return
    const command = readCommand(line, 0, line.length)
    if (typeof command !== 'object') return
    if (command.name === 'ADD_URLS') this.urlsLeft = command.n
    this.onCommand(command)
  }
}
