import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'

export const INDEX_NAME = 'index.cdx.gz'
/** How many lines a block has, as other writers of WACZ do it. */
const BLOCK_LINES = 1024

/**
 * The index of a WACZ: sorted CDXJ lines in gzip blocks, and a second index that names the first line of each block, so that a
 * reader fetches two small pieces to find a page. The second one is kept in memory: a line per 1,024 answers.
 */
export class IndexBlocks {
  private readonly starts: string[] = [`!meta 0 ${JSON.stringify({ format: 'cdxj-gzip-1.0', filename: INDEX_NAME })}\n`]
  private offset = 0;

  /** The blocks of these lines, which are ASCII. */
  *blocks(lines: Iterable<string>): Generator<Buffer, void, undefined> {
    let block: string[] = []
    for (const line of lines) {
      if (block.push(line) < BLOCK_LINES) continue
      yield this.packed(block)
      block = []
    }
    if (block.length > 0) yield this.packed(block)
  }

  /** The second index; whole after all blocks have been made. */
  idx(): Buffer {
    return Buffer.from(this.starts.join(''), 'latin1')
  }

  private packed(block: readonly string[]): Buffer {
    const bytes = gzipSync(Buffer.from(`${block.join('\n')}\n`, 'latin1'))
    const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
    const [first = ''] = block
    const place = { offset: this.offset, length: bytes.length, digest, filename: INDEX_NAME }
    this.starts.push(`${first.slice(0, first.indexOf('{"'))}${JSON.stringify(place)}\n`)
    this.offset += bytes.length
    return bytes
  }
}
