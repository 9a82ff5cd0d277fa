import { TextDecoder } from 'node:util'
import { gathered } from './gathered-pieces.ts'

/** The bytes of a sitemap as text. Its byte order mark decides the encoding, or else its XML declaration; otherwise it is UTF-8. */
export async function* textPieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  for await (const piece of gathered(pieces)) {
    decoder ??= new TextDecoder(encodingOf(piece))
    yield decoder.decode(piece, { stream: true })
  }
  if (decoder !== undefined) yield decoder.decode()
}

/** `start`: the first bytes, as many as came at once. */
function encodingOf(start: Uint8Array): string {
  const [first, second] = start
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be'
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le'
  const opening = Buffer.from(start.buffer, start.byteOffset, Math.min(start.length, 200)).toString('latin1')
  const [, named] = /^(?:\xef\xbb\xbf)?<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(opening) ?? []
  // It can be read as single bytes, so it is not UTF-16, whatever it says.
  return named === undefined || /^utf-?16/i.test(named) || !isKnown(named) ? 'utf-8' : named
}

function isKnown(label: string): boolean {
  try {
    new TextDecoder(label)
    return true
  } catch {
    return false
  }
}
