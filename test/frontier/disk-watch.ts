// Watches what a process does to its disk, and can hold syncs up. Everything is really done; nothing is pretended.
import fs from 'node:fs'
import fsPromises, { type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'

/** What was done, in order: `write`, `sync`, `rename`, `open`, `remove`, each with the name of the file. */
export interface DiskWatch {
  readonly log: string[]
  /** Files with bytes that no sync has covered. */
  readonly dirty: ReadonlySet<string>
  /** From now on syncs of these files wait for `letGo`, unless they block the event loop. */
  hold(files?: RegExp): void
  /** Lets the syncs go that wait; more may come and wait. Returns how many there were. */
  letGo(): number
  /** Ends holding. */
  endHold(): void
}

/** To be called before the modules are loaded that are watched. */
export async function watchDisk(): Promise<DiskWatch> {
  const log: string[] = []
  const dirty = new Set<string>()
  const names = new Map<number, string>()
  const waiting: (() => void)[] = []
  let held: RegExp | undefined
  const nameOf = (fd: number) => names.get(fd) ?? '?'
  const wrote = (fd: number) => {
    dirty.add(nameOf(fd))
    log.push(`write ${nameOf(fd)}`)
  }
  const synced = (fd: number) => {
    dirty.delete(nameOf(fd))
    log.push(`sync ${nameOf(fd)}`)
  }

  const { openSync, writeSync, fdatasyncSync, fsyncSync, fdatasync } = fs
  fs.openSync = (path, ...rest) => {
    const fd = openSync(path, ...rest)
    names.set(fd, basename(String(path)))
    log.push(`open ${basename(String(path))}${dirty.size > 0 ? ` beside unsynced ${[...dirty].join(' ')}` : ''}`)
    return fd
  }
  fs.writeSync = ((fd: number, ...rest: [never]) => {
    wrote(fd)
    return writeSync(fd, ...rest)
  }) as typeof fs.writeSync
  fs.fdatasyncSync = fd => {
    fdatasyncSync(fd)
    synced(fd)
  }
  fs.fsyncSync = fd => {
    fsyncSync(fd)
    synced(fd)
  }
  const holdable = (fd: number, done: (error: NodeJS.ErrnoException | null) => void) => {
    const before = log.length
    const start = () =>
      fdatasync(fd, error => {
        const name = nameOf(fd)
        // What was written since it began may not be covered.
        if (!log.slice(before).includes(`write ${name}`)) dirty.delete(name)
        log.push(`sync ${name}`)
        done(error)
      })
    if (held?.test(nameOf(fd))) waiting.push(start)
    else start()
  }
  fs.fdatasync = holdable as typeof fs.fdatasync

  const { open, rename, rm } = fsPromises
  const handle = await open(process.execPath, 'r')
  const prototype = Object.getPrototypeOf(handle) as FileHandle
  await handle.close()
  const { write, sync } = prototype
  prototype.write = function (this: FileHandle, ...rest: never[]) {
    wrote(this.fd)
    return write.apply(this, rest as never)
  } as FileHandle['write']
  prototype.sync = async function (this: FileHandle) {
    await sync.call(this)
    synced(this.fd)
  }
  fsPromises.open = async (path, ...rest) => {
    const opened = await open(path, ...rest)
    names.set(opened.fd, basename(String(path)))
    return opened
  }
  fsPromises.rename = async (from, to) => {
    log.push(`rename ${basename(String(from))}`)
    await rename(from, to)
  }
  fsPromises.rm = async (path, options) => {
    log.push(`remove ${basename(String(path))}`)
    await rm(path, options)
  }
  syncBuiltinESMExports()
  return {
    log,
    dirty,
    hold: (files = /./) => {
      held = files
    },
    letGo: () => {
      const gone = waiting.splice(0)
      for (const start of gone) start()
      return gone.length
    },
    endHold: () => {
      held = undefined
      for (const start of waiting.splice(0)) start()
    },
  }
}

/** Whether a promise is settled after some turns of the event loop. */
export async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  promise.then(
    () => (settled = true),
    () => (settled = true),
  )
  for (let n = 0; n < 20; n++) await turn()
  return settled
}
