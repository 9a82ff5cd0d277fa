import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { EscalonaError } from '../errors.ts'
import { message } from '../messages/message.ts'
import { whyOf } from '../system-error.ts'

const STANDARD_INPUT = 0

export interface ByteInput {
  /** Undefined when unknown. */
  readonly bytes: number | undefined
  readonly bytesRead: number
  /** So that another thread can continue from here; undefined for what isn't a file. */
  readonly place: FilePlace | undefined
  /** Resolves when `read` will have something, or knows that the end is reached. */
  ready(): Promise<void> | undefined
  /** Returns how many bytes it read, 0 at the end. */
  read(buffer: Buffer, offset: number, length: number): number
  close(): void
}

export interface FilePlace {
  readonly path: string
  readonly fd: number
  readonly at: number
}

/** The caller closes the file. */
export function fileInput({ path, fd, at }: FilePlace): { read: ByteInput['read']; readonly bytesRead: number } {
  return new FileInput(path, fd, 0, at)
}

export function openInput(path: string): ByteInput {
  try {
    const fd = path === '-' ? STANDARD_INPUT : openSync(path, 'r')
    const stat = fstatSync(fd)
    if (stat.isDirectory()) {
      if (fd !== STANDARD_INPUT) closeSync(fd)
      throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' })
    }
    if (stat.isFile()) return new FileInput(path, fd, stat.size)
    return new StreamInput(path, path === '-' ? process.stdin : createReadStream(path, { fd }))
  } catch (error) {
    throw unreadable(path, error)
  }
}

/** A regular file never makes the caller wait, so it is read straight into its memory. */
class FileInput implements ByteInput {
  readonly bytes: number
  bytesRead: number
  private readonly path: string
  private readonly fd: number
  private readonly from: number | undefined

  /** Without `from`, it reads from the file's position. */
  constructor(path: string, fd: number, bytes: number, from?: number) {
    this.path = path
    this.fd = fd
    this.bytes = bytes
    this.from = from
    this.bytesRead = from ?? 0
  }

  get place(): FilePlace | undefined {
    return this.fd === STANDARD_INPUT ? undefined : { path: this.path, fd: this.fd, at: this.bytesRead }
  }

  ready(): undefined {
    return undefined
  }

  read(buffer: Buffer, offset: number, length: number): number {
    try {
      const got = readSync(this.fd, buffer, offset, length, this.from === undefined ? null : this.bytesRead)
      this.bytesRead += got
      return got
    } catch (error) {
      throw unreadable(this.path, error)
    }
  }

  close(): void {
    if (this.fd !== STANDARD_INPUT) closeSync(this.fd)
  }
}

/** A pipe or a terminal: waiting for it leaves the event loop free, so that Ctrl-C works. */
class StreamInput implements ByteInput {
  readonly bytes = undefined
  readonly place = undefined
  bytesRead = 0
  private readonly path: string
  private readonly stream: Readable
  private readonly parts: AsyncIterator<Buffer>
  private part: Buffer = Buffer.alloc(0)
  private isAtEnd = false

  constructor(path: string, stream: Readable) {
    this.path = path
    this.stream = stream
    this.parts = stream[Symbol.asyncIterator]()
  }

  async ready(): Promise<void> {
    try {
      while (this.part.length === 0 && !this.isAtEnd) {
        const { done, value } = await this.parts.next()
        if (done) this.isAtEnd = true
        else this.part = value
      }
    } catch (error) {
      throw unreadable(this.path, error)
    }
  }

  read(buffer: Buffer, offset: number, length: number): number {
    const got = this.part.copy(buffer, offset, 0, length)
    this.part = this.part.subarray(got)
    this.bytesRead += got
    return got
  }

  close(): void {
    this.stream.destroy()
  }
}

function unreadable(path: string, error: unknown): EscalonaError {
  const name = path === '-' ? message('file/standard-input') : path
  return new EscalonaError('FILE_UNREADABLE', { name, why: whyOf(error) }, { cause: error })
}
