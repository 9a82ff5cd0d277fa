import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { syncFolder } from '../../../base/files/whole-file.ts'
import { unfinished } from '../../dump-words.ts'
import { words } from '../memory/words.ts'
import { damaged, otherFormat } from './damaged.ts'
import { HEADER_BYTES, segmentPath } from './segment-files.ts'

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
      throw damaged(path, 0, words().fileMissing)
    }
    return undefined
  }
  const [, text, format, low, high, sum] =
    /^(escalona frontier (\d+) (\S+) (\S+)) (\d+)\n$/.exec(readFileSync(path, 'utf8')) ?? []
  if (text === undefined || crc32(text) !== Number(sum)) throw damaged(path, 0, words().wrongChecksum)
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
