import { LF } from '../base/structures/bytes.ts'
import type { ClassicKernel } from '../url/classic-kernel.ts'
import type { Chunk } from './chunk.ts'
import { readCommand } from './commands.ts'
import type { Input } from './input.ts'

/** How far a reader is, so that another can go on: the line it read last, and the ADD_URLS that it is in. */
export interface Progress {
  readonly line: number
  readonly adding:
    | { readonly line: number; readonly urls: number; readonly read: number; readonly hasWarned?: boolean }
    | undefined
}

export const AT_START: Progress = { line: 0, adding: undefined }

/** Why a reader pauses: the chunk is full, or it is about to wait for its source. */
export type ReaderPause = 'full' | 'before reading'

/**
 * Reads a command file into chunks: commands as they are written, and the lines after ADD_URLS scanned by the kernel. It looks
 * at a command only to know how many URLs follow; what it means, and what is wrong with it, is not its business.
 */
export class ScriptReader {
  progress: Progress
  private readonly input: Input
  private readonly kernel: ClassicKernel
  private readonly chunk: () => Chunk

  /** `chunk` returns the one to be filled now. */
  constructor(input: Input, kernel: ClassicKernel, chunk: () => Chunk, progress = AT_START) {
    this.input = input
    this.kernel = kernel
    this.chunk = chunk
    this.progress = progress
  }

  /** Reads to the end of the file. */
  *steps(): Generator<ReaderPause, void, void> {
    const { input } = this
    for (;;) {
      if (this.progress.adding !== undefined) yield* this.readUrls()
      const end = input.lineEnd()
      if (end >= 0) {
        this.readLine(end)
        if (this.chunk().isFull) yield 'full'
        continue
      }
      yield 'before reading'
      if (!input.fill()) return
    }
  }

  private readLine(end: number): void {
    const { input } = this
    const line = this.progress.line + 1
    if (line === 1) input.skipBom()
    const command = readCommand(input.bytes, input.at, end)
    if (command !== undefined) this.chunk().addCommand(line, input.bytes.subarray(input.at, end))
    const isAdding = typeof command === 'object' && command.name === 'ADD_URLS' && command.n > 0
    this.progress = { line, adding: isAdding ? { line, urls: command.n, read: 0 } : undefined }
    input.at = end + 1
  }

  /** Reads the URLs of the last ADD_URLS, or what is left of them. */
  private *readUrls(): Generator<ReaderPause, void, void> {
    const { input } = this
    while (this.progress.adding !== undefined) {
      const { line, urls, read } = this.progress.adding
      if (input.lineEnd() >= 0 && this.scan(urls - read) > 0) {
        if (this.chunk().isFull) yield 'full'
        continue
      }
      yield 'before reading'
      if (input.fill()) continue
      this.chunk().addCutOff(line, read)
      this.progress = { ...this.progress, adding: undefined }
    }
  }

  /** Scans as many lines as fit into a batch; returns how many. */
  private scan(most: number): number {
    const { input, kernel } = this
    const rows = kernel.scan(input.at, input.to, most)
    const { lines } = kernel
    if (lines === 0) return 0
    this.chunk().addLines(kernel, rows)
    const from = input.at
    input.at = kernel.next
    const { line, adding } = this.progress
    const read = adding!.read + lines
    const hasWarned = adding!.hasWarned || (kernel.refused('protocol') > 0 && this.warned(from, line + 1))
    this.progress = { line: line + lines, adding: read === adding!.urls ? undefined : { ...adding!, read, hasWarned } }
    return lines
  }

  /** Looks among the lines of the last scan for one that is a command: the number behind ADD_URLS is too large then. */
  private warned(from: number, firstLine: number): boolean {
    const { bytes, at: to } = this.input
    for (let start = from, line = firstLine; start < to; line++) {
      const end = bytes.indexOf(LF, start)
      if (isCapital(bytes[start]!)) {
        const command = readCommand(bytes, start, end)
        if (typeof command === 'object') {
          this.chunk().addCommand(line, Buffer.from(command.name), 'swallowed')
          return true
        }
      }
      start = end + 1
    }
    return false
  }
}

function isCapital(byte: number): boolean {
  return byte >= 0x41 && byte <= 0x5a
}
