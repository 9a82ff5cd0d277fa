import type { Socket } from 'node:net'

/** Longer than all heads that undici accepts before an answer. */
const MOST_BYTES = 128 << 10

/**
 * Keeps the first bytes that come after a request, since undici does not say the HTTP version of an answer. They are seen where
 * undici reads them from the socket, and are views, not copies.
 */
export class AnswerStart {
  private pieces: Buffer[] | undefined
  private length = 0

  /** Begins to look at what is read from this socket. */
  watch(socket: Socket): void {
    const read = socket.read.bind(socket)
    socket.read = size => {
      const piece: unknown = read(size)
      if (this.pieces !== undefined && Buffer.isBuffer(piece)) this.keep(piece)
      return piece
    }
  }

  /** A request is sent: what comes now is its answer. */
  begin(): void {
    this.pieces = []
    this.length = 0
  }

  /** The version in the status line of the answer, whose head is there: `1.0`, `1.1`. Nothing more is kept. */
  version(): string {
    const { pieces = [] } = this
    this.pieces = undefined
    const start = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
    for (let at = 0; at < start.length; ) {
      const [line, version, status] = STATUS_LINE.exec(start.toString('latin1', at, at + 32)) ?? []
      if (line === undefined) break
      // RFC 9110 15.2: any number of interim answers may come before.
      if (!status!.startsWith('1')) return version!
      const end = start.indexOf('\r\n\r\n', at)
      if (end < 0) break
      at = end + 4
    }
    return '1.1'
  }

  private keep(piece: Buffer): void {
    if (this.length > MOST_BYTES) return
    this.pieces!.push(piece)
    this.length += piece.length
  }
}

const STATUS_LINE = /^[\r\n]*HTTP\/(\d\.\d) (\d{3})/
