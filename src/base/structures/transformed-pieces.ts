import type { Transform } from 'node:stream'

/**
 * Sends pieces through a stream, such as one of zlib's. Reads only as fast as it is read. Throws what the stream reports. Stopping early ends the
 * stream and `pieces`, too.
 */
export async function* transformed(pieces: AsyncIterable<Uint8Array>, stream: Transform): AsyncGenerator<Uint8Array> {
  void feed(pieces, stream)
  try {
    yield* stream as AsyncIterable<Uint8Array>
  } finally {
    stream.destroy()
  }
}

async function feed(pieces: AsyncIterable<Uint8Array>, stream: Transform): Promise<void> {
  try {
    for await (const piece of pieces) {
      if (stream.destroyed) return
      if (!stream.write(piece)) await room(stream)
    }
    stream.end()
  } catch (error) {
    stream.destroy(error as Error)
  }
}

function room(stream: Transform): Promise<void> {
  return new Promise(resolve => {
    const go = () => {
      stream.off('drain', go)
      stream.off('close', go)
      resolve()
    }
    stream.on('drain', go)
    stream.on('close', go)
  })
}
