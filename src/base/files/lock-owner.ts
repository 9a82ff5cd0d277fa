import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { crc32 } from 'node:zlib'

/**
 * Who holds a lock, as its file says:
 *
 * | key | meaning |
 * |---|---|
 * | `boot` | this start of the kernel (`/proc/sys/kernel/random/boot_id`); empty where there is no /proc |
 * | `namespaces` | of process numbers and of time, as /proc names them |
 * | `pid`, `start` | number of the process, and when it began, in ticks of that kernel |
 * | `host` | name of the machine or container, for messages |
 * | `token` | drawn for this lock |
 * | `tookOver` | `yes` when an earlier owner may still have files of the folder open |
 * | `beat` | grows for as long as the owner runs; ten digits, the last thing in the file |
 */
export interface LockOwner {
  readonly boot: string
  readonly namespaces: string
  readonly pid: number
  readonly start: string
  readonly host: string
  readonly token: string
  readonly tookOver: boolean
}

/** `unseen`: nothing that this process can see decides it. */
export type OwnerState = 'runs' | 'gone' | 'unseen'

const BEAT_DIGITS = 10

export function ourselves(token: string, tookOver: boolean): LockOwner {
  const { pid } = process
  return { boot: bootId(), namespaces: namespaces(), pid, start: startOf(pid), host: hostname(), token, tookOver }
}

export function ownerText(owner: LockOwner): string {
  const { boot, namespaces, pid, start, host, token, tookOver } = owner
  const lines = { boot, namespaces, pid, start, host, token, tookOver: tookOver ? 'yes' : 'no' }
  const text = Object.entries(lines).map(([key, value]) => `${key} ${value}\n`)
  return `${text.join('')}beat `
}

export function beatText(beat: number): string {
  return String(beat).padStart(BEAT_DIGITS, '0')
}

/** Undefined when this isn't the text of a lock. */
export function ownerIn(text: string): LockOwner | undefined {
  const lines = new Map(text.split('\n').map(line => [line.split(' ', 1)[0]!, line.slice(line.indexOf(' ') + 1)]))
  const value = (key: string) => lines.get(key) ?? ''
  const pid = Number(value('pid'))
  if (!lines.has('beat') || !Number.isSafeInteger(pid) || pid <= 0) return undefined
  const [boot, namespaces, start, host, token] = ['boot', 'namespaces', 'start', 'host', 'token'].map(value)
  const tookOver = value('tookOver') === 'yes'
  return { boot: boot!, namespaces: namespaces!, pid, start: start!, host: host!, token: token!, tookOver }
}

/**
 * A process number means something only to its kernel and namespace; everywhere else, and for processes that /proc hides (`hidepid`), the answer is
 * `unseen`. A number that was given again is recognised by its start, counted from the boot as the namespace of time has it.
 */
export function stateOf(owner: LockOwner): OwnerState {
  const { boot, pid, start } = owner
  if (boot === '' || start === '' || boot !== bootId() || owner.namespaces !== namespaces()) return 'unseen'
  const seen = processStat(pid)
  if (seen === undefined) return exists(pid) ? 'unseen' : 'gone'
  // A process that no parent has waited for is dead (Z, X), and writes nothing.
  return seen.start !== start || /[ZX]/i.test(seen.state) ? 'gone' : 'runs'
}

/** For the name of a file: number, start, and a checksum of boot and namespaces. */
export function processMark(): string {
  return `${process.pid}-${startOf(process.pid) || 0}-${kernelSum()}`
}

/** False for a process that can't be seen from here, or may run. */
export function isGone(mark: string): boolean {
  const [, pid = '', start = '', sum] = /^(\d+)-(\d+)-([\da-f]+)$/.exec(mark) ?? []
  if (sum !== kernelSum()) return false
  const here = { boot: bootId(), namespaces: namespaces(), host: '', token: '', tookOver: false }
  return stateOf({ ...here, pid: Number(pid), start }) === 'gone'
}

function kernelSum(): string {
  return crc32(`${bootId()} ${namespaces()}`).toString(16)
}

function bootId(): string {
  return read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
}

function namespaces(): string {
  const [pid, time] = ['pid', 'time'].map(kind => read(() => readlinkSync(`/proc/self/ns/${kind}`)))
  return `${pid} ${time}`
}

function startOf(pid: number): string {
  return processStat(pid)?.start ?? ''
}

/** If it is that of our own namespace, and shows the process. */
function processStat(pid: number): { readonly state: string; readonly start: string } | undefined {
  if (read(() => readlinkSync('/proc/self')) !== String(process.pid)) return undefined
  const text = read(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  // The name, in brackets, may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return fields.length < 20 ? undefined : { state: fields[0]!, start: fields[19]! }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

function read(from: () => string): string {
  try {
    return from()
  } catch {
    return ''
  }
}
