import {
  closeSync,
  fchmodSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { EscalonaError } from '../errors.ts'
import { message } from '../messages/message.ts'
import { uniqueName } from '../random.ts'
import { whyOf } from '../system-error.ts'
import { isGone, processMark } from './lock-owner.ts'
import { writeAll, writeAllBehind } from './write-all.ts'

const STANDARD_OUTPUT = 1

/**
 * A file that appears whole or not at all: written beside its place and renamed at the end. What can't be renamed (a device, a pipe, standard
 * output for `-`) is written to directly, or, held back, from a temporary file at the end.
 */
export class OutputFile {
  readonly path: string
  private readonly target: string
  private unfinished: string | undefined
  private readonly isRenamed: boolean
  private readonly isHeldBack: boolean
  private fd: number
  private behind: Promise<EscalonaError | undefined> = Promise.resolve(undefined)

  constructor(path: string, isHeldBack = false) {
    this.path = path
    try {
      const existing = path === '-' ? undefined : statSync(path, { throwIfNoEntry: false })
      if (existing?.isDirectory()) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' })
      this.isRenamed = path !== '-' && (existing === undefined || existing.isFile())
      this.target = this.isRenamed ? leadsTo(path) : path
      if (this.isRenamed) {
        removeLeftovers(dirname(this.target))
        this.unfinished = join(dirname(this.target), temporaryName())
        this.fd = openSync(this.unfinished, 'wx+')
        if (existing !== undefined) fchmodSync(this.fd, existing.mode & 0o777)
      } else this.fd = isHeldBack ? nameless() : this.openTarget()
      this.isHeldBack = isHeldBack && !this.isRenamed
    } catch (error) {
      throw this.unwritable(error)
    }
  }

  /** A sudden end would leave a file beside its place. */
  get isBesideItsPlace(): boolean {
    return this.unfinished !== undefined
  }

  write(bytes: Uint8Array): void {
    try {
      writeAll(this.fd, bytes)
    } catch (error) {
      throw this.unwritable(error)
    }
  }

  /** The bytes must stay as they are until the file is {@link ready}. */
  writeBehind(bytes: Uint8Array): void {
    this.behind = writeAllBehind(this.fd, bytes).then(
      () => undefined,
      error => this.unwritable(error),
    )
  }

  async ready(): Promise<void> {
    const failure = await this.behind
    if (failure !== undefined) throw failure
  }

  /** Whatever became of it. */
  async idle(): Promise<void> {
    await this.behind
  }

  commit(): void {
    try {
      if (this.isRenamed) {
        this.close()
        renameSync(this.unfinished!, this.target)
        this.unfinished = undefined
      } else if (this.isHeldBack) this.copyToTarget()
    } catch (error) {
      throw this.unwritable(error)
    } finally {
      this.abandon()
    }
  }

  /** Does nothing after a commit. */
  abandon(): void {
    this.close()
    if (this.unfinished !== undefined) rmSync(this.unfinished, { force: true })
    this.unfinished = undefined
  }

  private openTarget(): number {
    return this.path === '-' ? STANDARD_OUTPUT : openSync(this.target, 'w')
  }

  private copyToTarget(): void {
    const to = this.openTarget()
    const buffer = Buffer.allocUnsafe(1 << 18)
    for (let at = 0, got = 1; got > 0; at += got) {
      got = readSync(this.fd, buffer, 0, buffer.length, at)
      writeAll(to, buffer.subarray(0, got))
    }
    if (to !== STANDARD_OUTPUT) closeSync(to)
  }

  private close(): void {
    if (this.fd > STANDARD_OUTPUT) closeSync(this.fd)
    this.fd = -1
  }

  private unwritable(error: unknown): EscalonaError {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') {
      return new EscalonaError('FILE_READER_GONE', {}, { cause: error })
    }
    const name = this.path === '-' ? message('file/standard-output') : this.path
    return new EscalonaError('FILE_UNWRITABLE', { name, why: whyOf(error) }, { cause: error })
  }
}

/** Follows symbolic links, so that the file they lead to is replaced and not the link, even if it doesn't exist yet. */
export function leadsTo(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
    return isLink ? leadsTo(resolve(dirname(path), readlinkSync(path))) : path
  }
}

function temporaryName(): string {
  return `.escalona-${processMark()}-${uniqueName()}.tmp`
}

/** Of processes that were killed; those of processes that may run stay. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const mark = /^\.escalona-(\d+-\d+-[\da-f]+)-\w+\.tmp$/.exec(name)?.[1]
    if (mark !== undefined && isGone(mark)) rmSync(join(folder, name), { force: true })
  }
}

/** Gone with the process, whatever happens. */
function nameless(): number {
  const path = join(tmpdir(), temporaryName())
  const fd = openSync(path, 'wx+')
  unlinkSync(path)
  return fd
}
