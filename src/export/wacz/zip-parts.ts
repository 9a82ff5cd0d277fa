import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** One file of a ZIP. */
export interface ZipPart {
  readonly path: string
  /** In bytes, where it is known beforehand: from 4 GiB on, the local header must be that of ZIP64. */
  readonly size?: number
  /** What is compressed already is stored as it is, so that a reader can fetch a piece of it. */
  readonly isDeflated: boolean
  /** Called when the parts before it are written. */
  content(): Iterable<Uint8Array> | AsyncIterable<Uint8Array>
}

/** A part that has been written. */
export interface Written {
  readonly path: string
  /** Before compression. */
  readonly bytes: number
  /** Of the content, in hexadecimal. */
  readonly sha256: string
}

/**
 * Writes parts into a ZIP, one after the other, each read once and with only a piece of it in memory. `onWritten` is called
 * after the content of a part has been read, before that of the next one. Returns the size of the ZIP.
 */
export async function writeZip(
  parts: readonly ZipPart[],
  mtime: Date,
  write: (bytes: Uint8Array) => void,
  onWritten: (part: Written) => void,
): Promise<number> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (error: Error) => output.destroy(error))
  for (const part of parts) {
    const { path, isDeflated, size } = part
    const options = { mtime, compress: isDeflated, ...(size !== undefined && { size }) }
    zip.addReadStreamLazy(path, options, done => {
      const stream = Readable.from(hashed(part, onWritten), { objectMode: false })
      stream.on('error', (error: Error) => output.destroy(error))
      done(null, stream)
    })
  }
  zip.end()
  let bytes = 0
  for await (const chunk of output as AsyncIterable<Uint8Array>) {
    write(chunk)
    bytes += chunk.length
  }
  return bytes
}

async function* hashed(part: ZipPart, onWritten: (part: Written) => void): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of part.content()) {
    hash.update(chunk)
    bytes += chunk.length
    yield chunk
  }
  onWritten({ path: part.path, bytes, sha256: hash.digest('hex') })
}
