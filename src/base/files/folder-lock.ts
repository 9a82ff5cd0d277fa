import {
  closeSync,
  fstatSync,
  ftruncateSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock, wallClock } from '../clock.ts'
import { EscalonaError } from '../errors.ts'
import { message, said } from '../messages/message.ts'
import { uniqueName } from '../random.ts'
import { beatText, type LockOwner, type OwnerState, ourselves, ownerIn, ownerText, stateOf } from './lock-owner.ts'
import { writeAll } from './write-all.ts'

type Codes = 'FOLDER' | 'FRONTIER' | 'CRAWL' | 'SEARCH'

export interface LockOptions {
  /** How the codes of its errors begin: `FOLDER` by default, for `FOLDER_LOCKED` and, when it was taken over, `FOLDER_LOST`. */
  readonly codes?: Codes
  /** Default: 2 s. */
  readonly beatMs?: number
  /** How long an owner that can't be seen may be silent; several times `beatMs` of all others. Default: 10 s. */
  readonly waitMs?: number
  /** Called before waiting for `waitMs`. */
  readonly onWait?: (message: string) => void
}

const BEAT_MS = 2_000
const WAIT_MS = 10_000
/** Looks at an owner that can't be seen are counted, not timed: a newcomer may be held up itself. */
const LOOKS = 20

/**
 * Keeps a folder for one process. Locks are numbered files, `lock-00000001` and so on, that name their owner; the highest one counts. The next
 * number is made when the owner is known to be gone, or, if it can't be seen from here (another container, another machine), when it has shown no
 * sign of life for a while. Making a file that must not exist is one step for the file system, and the highest number is removed only by the owner
 * of the next: so of many that come at once, one gets the folder. The next owner removes the former owner's file first, so an owner that was only
 * frozen finds out at its next `check`, before it writes. See docs/decisions/0011.
 */
export class FolderLock {
  /**
   * An earlier owner was silent, but not seen to be dead: a write of its may still come. So the files that it had open are begun anew, or replaced
   * by copies.
   */
  readonly tookOver: boolean
  private readonly folder: string
  private readonly path: string
  private readonly fd: number
  /** Not given again while the file is open. */
  private readonly ino: number
  private readonly codes: Codes
  private readonly beatMs: number
  private readonly beatAt: number
  private beats = 0
  private beatenAtMs = systemClock()
  /** Until then the folder can't have been taken over. By two clocks: one stops while the computer sleeps, one may jump. */
  private sureUntilMs = 0
  private sureUntilWallMs = 0
  private readonly timer: NodeJS.Timeout
  private isReleased = false

  private constructor(folder: string, made: MadeLock, { codes = 'FOLDER', beatMs = BEAT_MS }: LockOptions) {
    this.folder = folder
    this.path = made.path
    this.fd = made.fd
    this.ino = fstatSync(made.fd).ino
    this.tookOver = made.owner.tookOver
    this.beatAt = Buffer.byteLength(ownerText(made.owner))
    this.codes = codes
    this.beatMs = beatMs
    this.timer = setInterval(() => this.isOurs() && this.beat(), beatMs).unref()
  }

  /** Waits only for an owner that can't be seen from here. */
  static async acquire(folder: string, options: LockOptions = {}): Promise<FolderLock> {
    for (;;) {
      const { highest, text } = highestLock(folder)
      // Its owner gave way to the next.
      if (text === undefined) continue
      const owner = ownerIn(text)
      // An empty lock was released.
      const state = text === '' ? 'gone' : owner === undefined ? 'unseen' : stateOf(owner)
      if (state === 'runs') throw locked(folder, owner, options)
      if (state === 'unseen') {
        const seen = await watch(folder, highest, text, options)
        if (seen === 'beats') throw locked(folder, owner, options)
        if (seen === 'changed hands') continue
      }
      // A former owner that is frozen still is when its successor crashes.
      const made = make(folder, highest + 1, state === 'unseen' || owner?.tookOver === true)
      if (made !== undefined) return new FolderLock(folder, made, options)
    }
  }

  /** Throws unless the folder is still ours. To be called before every write, and now and then in long work without writes: it also shows that we run. */
  readonly check = (): void => {
    const nowMs = systemClock()
    if (nowMs < this.sureUntilMs && wallClock() < this.sureUntilWallMs) return
    if (!this.isOurs()) {
      throw new EscalonaError(`${this.codes}_LOST`, { folder: this.folder })
    }
    if (nowMs - this.beatenAtMs >= this.beatMs) this.beat()
  }

  release(): void {
    if (this.isReleased) return
    this.isReleased = true
    clearInterval(this.timer)
    // An empty lock has no owner. This works on a full disk, too.
    ftruncateSync(this.fd)
    closeSync(this.fd)
  }

  private isOurs(): boolean {
    return statSync(this.path, { throwIfNoEntry: false })?.ino === this.ino
  }

  /**
   * After a sign of life the folder stays ours for `beatMs`, since others wait for several times that; unless there was none for long before:
   * then a newcomer may have decided already, and every check looks.
   */
  private beat(): void {
    const nowMs = systemClock()
    const wasInTime = nowMs - this.beatenAtMs < 2 * this.beatMs
    this.beatenAtMs = nowMs
    try {
      writeSync(this.fd, beatText(++this.beats), this.beatAt)
      this.sureUntilMs = wasInTime ? nowMs + this.beatMs : 0
      this.sureUntilWallMs = wallClock() + this.beatMs
    } catch {
      // A newcomer will take over, and `check` will find out.
      this.sureUntilMs = 0
    }
  }
}

/** `free`: released, or never held. */
export interface LockHolder {
  readonly state: OwnerState | 'free'
  readonly owner: LockOwner | undefined
}

/** Changes nothing. `gone`: the last owner ended without releasing it. */
export function lockHolder(folder: string): LockHolder {
  const { text } = highestLock(folder)
  if (text === undefined || text === '') return { state: 'free', owner: undefined }
  const owner = ownerIn(text)
  return { state: owner === undefined ? 'unseen' : stateOf(owner), owner }
}

interface MadeLock {
  readonly path: string
  readonly fd: number
  readonly owner: LockOwner
}

/** Removes the locks before; undefined when another process was first. */
function make(folder: string, number: number, tookOver: boolean): MadeLock | undefined {
  const token = uniqueName()
  const owner = ourselves(token, tookOver)
  const path = lockPath(folder, number)
  const beside = join(folder, `.lock-${token}.tmp`)
  const fd = openSync(beside, 'wx+')
  let made: MadeLock | undefined
  try {
    writeAll(fd, Buffer.from(ownerText(owner) + beatText(0)))
    if (isLinked(beside, path)) made = isNewest(folder, number) ? { path, fd, owner } : undefined
    return made
  } finally {
    rmSync(beside, { force: true })
    if (made === undefined) closeSync(fd)
  }
}

/** Removes the locks before this one; or this one, when another process was two steps ahead, and returns false. */
function isNewest(folder: string, number: number): boolean {
  const numbers = lockNumbers(folder)
  const isHighest = numbers.at(-1) === number
  try {
    const rest = isHighest ? numbers.slice(0, -1) : [number]
    for (const one of rest) rmSync(lockPath(folder, one), { force: true })
    return isHighest
  } catch (error) {
    // Without this, the folder would be locked for as long as this process runs.
    rmSync(lockPath(folder, number), { force: true })
    throw error
  }
}

function isLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function watch(
  folder: string,
  number: number,
  text: string,
  { waitMs = WAIT_MS, onWait }: LockOptions,
): Promise<'beats' | 'silent' | 'changed hands'> {
  onWait?.(said('file/waiting-for-unseen', { folder, seconds: Math.ceil(waitMs / 1000) }))
  for (let look = 0; look < LOOKS; look++) {
    await sleep(waitMs / LOOKS)
    const now = textAt(lockPath(folder, number))
    if (now === undefined || now === '' || lockNumbers(folder).at(-1) !== number) return 'changed hands'
    if (now !== text) return 'beats'
  }
  return 'silent'
}

function locked(folder: string, owner: LockOwner | undefined, { codes = 'FOLDER' }: LockOptions): EscalonaError {
  const who =
    owner === undefined
      ? message('file/another-process')
      : message('file/process-on', { pid: owner.pid, host: owner.host })
  return new EscalonaError(`${codes}_LOCKED`, { folder, who })
}

/** `text`: empty without a lock, undefined when it is gone meanwhile. */
function highestLock(folder: string): { readonly highest: number; readonly text: string | undefined } {
  const highest = lockNumbers(folder).at(-1) ?? 0
  return { highest, text: highest === 0 ? '' : textAt(lockPath(folder, highest)) }
}

function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function lockPath(folder: string, number: number): string {
  return join(folder, `lock-${String(number).padStart(8, '0')}`)
}

function lockNumbers(folder: string): number[] {
  return readdirSync(folder)
    .map(name => /^lock-(\d{8})$/.exec(name)?.[1])
    .filter(digits => digits !== undefined)
    .map(Number)
    .sort((a, b) => a - b)
}
