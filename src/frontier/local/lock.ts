import { linkSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EscalonaError } from '../../base/errors.ts'
import { uniqueName } from '../../base/random.ts'

/**
 * Keeps a folder for one process. Locks are numbered files, `lock-00000001` and so on, that name their owner; the highest
 * one counts. It is held by a process that still runs, or it is free, and then whoever makes the next number has it.
 *
 * Making a file that must not exist is one step for the file system, and the highest number is never removed but by the
 * owner of the next: so of many that come at once, one gets the folder, however slow the others are.
 */
export class FolderLock {
  private readonly folder: string
  private readonly number: number

  constructor(folder: string) {
    this.folder = folder
    for (;;) {
      const highest = lockNumbers(folder).at(-1) ?? 0
      const owner = highest === 0 ? undefined : ownerOf(lockPath(folder, highest))
      if (owner !== undefined) {
        const message = `${folder} is in use by process ${owner}; wait for it to end, or choose another folder`
        throw new EscalonaError('FRONTIER_LOCKED', message)
      }
      if (!this.make(highest + 1)) continue
      const numbers = lockNumbers(folder)
      this.number = highest + 1
      if (numbers.at(-1) === this.number) {
        for (const number of numbers) if (number < this.number) rmSync(lockPath(folder, number), { force: true })
        return
      }
      // Somebody was two steps ahead.
      rmSync(lockPath(folder, this.number), { force: true })
    }
  }

  release(): void {
    // An empty lock names nobody. This works on a full disk, too.
    truncateSync(lockPath(this.folder, this.number))
  }

  /** Makes a lock with our name in it; false when somebody else has. */
  private make(number: number): boolean {
    const path = join(this.folder, `.lock-${uniqueName()}.tmp`)
    try {
      writeFileSync(path, `${process.pid} ${startOf(process.pid)}`)
      linkSync(path, lockPath(this.folder, number))
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw error
    } finally {
      rmSync(path, { force: true })
    }
  }
}

/** The process that holds a lock, if it still runs. */
function ownerOf(path: string): number | undefined {
  try {
    const text = readFileSync(path, 'utf8')
    const [pid, start] = text.split(' ')
    return start !== undefined && startOf(Number(pid)) === start ? Number(pid) : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** When a process began, so that another one with its number is told apart; empty when it does not run. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return isRunning(pid) ? 'unknown' : ''
  }
}

/** Where there is no /proc. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
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
