const LEAST_BYTES = 16 << 10

/** Puts small pieces together: a sitemap that comes one byte at a time costs no more than any other. */
export async function* gathered(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(LEAST_BYTES)
  let length = 0
  for await (const piece of pieces) {
    if (length + piece.length < LEAST_BYTES) {
      buffer.set(piece, length)
      length += piece.length
      continue
    }
    if (length > 0) yield buffer.slice(0, length)
    length = 0
    yield piece
  }
  if (length > 0) yield buffer.slice(0, length)
}
