import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { SyncedMark } from '../../../base/files/synced-mark.ts'
import { syncFolder } from '../../../base/files/whole-file.ts'
import { message } from '../../../base/messages/message.ts'
import { unfinished } from '../../dump-errors.ts'
import { damaged, otherFormat } from '../memory/damaged.ts'
import type { LogPosition } from './link-log.ts'

/**
 * A segment begins with 16 bytes: `ESCJ`, version (16 bits), the last 16 bits of the CRC-32 of the other fields, its number,
 * and how long the segment before it was when this one began (32 bits each; 0: there was none). Then come frames: see
 * `frames.ts`. Bytes of a segment beyond the length that the next one names don't count: a process that had lost the folder
 * wrote them.
 */
const MAGIC = Buffer.from('ESCJ')
const VERSION = 3
const VERSION_AT = 4
const CHECK_AT = 6
export const HEADER_BYTES = 16
const BEFORE_AT = 12

/** Called with each payload of a journal and its position. */
export type OnPayload = (payload: Buffer, position: LogPosition) => void

export function segmentPath(folder: string, segment: number): string {
  return join(folder, segmentName(segment))
}

export function segmentName(segment: number): string {
  return `journal-${String(segment).padStart(8, '0')}.log`
}

export function segmentNumbers(folder: string): number[] {
  return readdirSync(folder)
    .map(numberIn)
    .filter(number => number > 0)
    .sort((a, b) => a - b)
}

/** 0 when this is not the name of a segment. */
function numberIn(name: string): number {
  return Number(/^journal-(\d{8})\.log$/.exec(name)?.[1] ?? 0)
}

/** How far a journal was acknowledged: in this segment, up to this many bytes, and all of the segments before it. */
export interface Acknowledged {
  readonly segment: number
  readonly bytes: number
  /** Of the frontier: see {@link idOf}. */
  readonly frontierId: number
}

export type Seed = readonly [number, number]

/** What tells a frontier from others, by the seed of its fingerprints. */
export function idOf(seed: Seed): number {
  return crc32(seed.join(' '))
}

export function markPath(folder: string): string {
  return join(folder, 'synced')
}

/**
 * A mark that is not there, or not sound, is an error: without it there is no telling whether the journal is all that there was. A
 * witness counts if it says more; one of another frontier is an error.
 */
export function acknowledgedIn(folder: string, witness?: string): Acknowledged {
  const path = markPath(folder)
  const own = acknowledgedBy(path)
  if (own === undefined)
    throw damaged(path, 0, existsSync(path) ? message('local/wrong-checksum') : message('local/file-missing'))
  const other = witness === undefined ? undefined : acknowledgedBy(witness)
  if (other !== undefined && other.frontierId !== own.frontierId)
    throw damaged(path, 0, message('local/another-frontier'))
  const isMore = other !== undefined && (other.segment - own.segment || other.bytes - own.bytes) > 0
  return isMore ? other : own
}

function acknowledgedBy(path: string): Acknowledged | undefined {
  const synced = new SyncedMark(path).read()
  return synced && { segment: numberIn(synced.file), bytes: synced.bytes, frontierId: synced.crc }
}

/**
 * How long the segment before this one was, as its header says; undefined when there is no sound header. A segment of another
 * format is an error.
 */
export function bytesBeforeIn(bytes: Buffer, segment: number, path: string): number | undefined {
  const header = bytes.subarray(0, HEADER_BYTES)
  if (header.length < HEADER_BYTES || !header.subarray(0, VERSION_AT).equals(MAGIC)) return undefined
  const bytesBefore = header.readUInt32LE(BEFORE_AT)
  const ours = headerFor(segment, bytesBefore)
  if (header.equals(ours)) return bytesBefore
  const version = header.readUInt16LE(VERSION_AT)
  const isDamaged = version === VERSION || header.readUInt16LE(CHECK_AT) === ours.readUInt16LE(CHECK_AT)
  if (!isDamaged) throw otherFormat(path, version, VERSION)
  return undefined
}

export function headerFor(segment: number, bytesBefore: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  MAGIC.copy(header)
  header.writeUInt16LE(VERSION, VERSION_AT)
  header.writeUInt32LE(segment, 8)
  header.writeUInt32LE(bytesBefore, BEFORE_AT)
  header.writeUInt16LE(crc32(header) & 0xffff, CHECK_AT)
  return header
}

/** This file says that the folder is being filled by an import, or that one did not end. */
export const IMPORTING = 'importing'

export const SEED_FILE = 'frontier.txt'
const FORMAT = 1

/**
 * `frontier.txt` holds the format and the seed of the fingerprints, which must never change, and its own checksum. It is
 * the last thing that is made when a frontier begins: without it, nothing was ever acknowledged.
 */
export function readSeed(folder: string): [number, number] | undefined {
  if (existsSync(join(folder, IMPORTING))) throw unfinished(folder)
  const path = join(folder, SEED_FILE)
  if (!existsSync(path)) {
    const isBegun = readdirSync(folder).some(name => /^snapshot-.*\.bin$|^journal-(?!00000001).*\.log$/.test(name))
    if (isBegun || sizeOf(segmentPath(folder, 1)) > HEADER_BYTES) {
      throw damaged(path, 0, message('local/file-missing'))
    }
    return undefined
  }
  const [, text, format, low, high, sum] =
    /^(escalona frontier (\d+) (\S+) (\S+)) (\d+)\n$/.exec(readFileSync(path, 'utf8')) ?? []
  if (text === undefined || crc32(text) !== Number(sum)) throw damaged(path, 0, message('local/wrong-checksum'))
  if (Number(format) !== FORMAT) throw otherFormat(path, Number(format), FORMAT)
  return [Number(low), Number(high)]
}

export function writeSeed(folder: string, seed: readonly [number, number]): void {
  const text = `escalona frontier ${FORMAT} ${seed[0]} ${seed[1]}`
  const path = join(folder, SEED_FILE)
  writeFileSync(`${path}.tmp`, `${text} ${crc32(text)}\n`, { flush: true })
  renameSync(`${path}.tmp`, path)
  syncFolder(folder)
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
