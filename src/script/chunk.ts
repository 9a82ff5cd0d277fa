import { type Batch, batchBytes, writeBatch } from '../scheduler/batch.ts'
import { type ClassicKernel, LONGEST_LINE_BYTES, REFUSALS } from '../url/classic-kernel.ts'

/** What a part of a command file is. */
type ScriptPart =
  | { readonly kind: 'command'; readonly line: number; readonly text: Buffer }
  /** Lines after ADD_URLS: how many, how many of them were refused and why, and the URLs of the others, if any. */
  | { readonly kind: 'lines'; readonly lines: number; readonly refused: readonly number[]; readonly batch: Batch }
  /** The file ends before the last URL of the ADD_URLS in this line. */
  | { readonly kind: 'cut off'; readonly line: number; readonly urls: number }
  /** A line that ADD_URLS took as a URL and refused, and that looks like a command. */
  | { readonly kind: 'swallowed'; readonly line: number; readonly text: Buffer }

/** A part begins with words that say what it is; what follows them begins at a cache line, and so does the next part. */
const HEAD_BYTES = 64
const KINDS = ['command', 'lines', 'cut off', 'swallowed'] as const
/** A chunk of this size is full. It has room for one part more, which may hold the longest line. */
const FULL_BYTES = 1 << 17
export const CHUNK_BYTES = FULL_BYTES + LONGEST_LINE_BYTES + 1 + (1 << 16)

/** Parts of a command file, read and scanned, in the store's memory: what the reader hands to the scheduler. */
export class ScriptChunk {
  private readonly memory: ArrayBufferLike
  private readonly bytes: Buffer
  private readonly start: number
  private end: number

  /** A chunk in this memory, from an address on. `end` is where it ends when it is filled already. */
  constructor(memory: ArrayBufferLike, start: number, end = start) {
    this.memory = memory
    this.bytes = Buffer.from(memory)
    this.start = start
    this.end = end
  }

  get isFull(): boolean {
    return this.end - this.start >= FULL_BYTES
  }

  get usedTo(): number {
    return this.end
  }

  clear(): void {
    this.end = this.start
  }

  addCommand(line: number, text: Uint8Array, kind: 'command' | 'swallowed' = 'command'): void {
    this.bytes.set(text, this.end + HEAD_BYTES)
    this.add(kind, [line, text.length], text.length)
  }

  /** The lines of the kernel's last scan. */
  addLines(kernel: ClassicKernel, rows: number): void {
    const at = this.end + HEAD_BYTES
    const { textBytes } = rows === 0 ? { textBytes: 0 } : writeBatch(this.bytes, at, kernel, rows)
    const refused = REFUSALS.map(reason => kernel.refused(reason))
    const head = [kernel.lines, rows, textBytes, ...refused]
    this.add('lines', head, rows === 0 ? 0 : batchBytes(kernel, rows))
  }

  addCutOff(line: number, urls: number): void {
    this.add('cut off', [line, urls], 0)
  }

  *parts(): Generator<ScriptPart, void, void> {
    for (let at = this.start; at < this.end; ) {
      const [kind, bytes, first, second, textBytes, ...refused] = this.head(at)
      const body = at + HEAD_BYTES
      at = body + bytes!
      const name = KINDS[kind!]!
      switch (name) {
        case 'command':
        case 'swallowed':
          yield { kind: name, line: first!, text: this.bytes.subarray(body, body + second!) }
          break
        case 'lines':
          yield {
            kind: 'lines',
            lines: first!,
            refused,
            batch: { at: body, rows: second!, textBytes: textBytes! },
          }
          break
        case 'cut off':
          yield { kind: 'cut off', line: first!, urls: second! }
      }
    }
  }

  private add(kind: ScriptPart['kind'], head: readonly number[], bodyBytes: number): void {
    const bytes = Math.ceil(bodyBytes / HEAD_BYTES) * HEAD_BYTES
    this.head(this.end).set([KINDS.indexOf(kind), bytes, ...head])
    this.end += HEAD_BYTES + bytes
  }

  private head(at: number): Uint32Array {
    return new Uint32Array(this.memory, at, 2 + 3 + REFUSALS.length)
  }
}
