import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { syncFolder } from '../../base/files/sync-folder.ts'
import { unfinished } from '../dump-words.ts'
import { damaged } from './damaged.ts'
import { EMPTY_JOURNAL_BYTES } from './segment-files.ts'
import { words } from './words.ts'

/** This file says that the folder is being filled by an import, or that one did not end. */
export const IMPORTING = 'importing'

/**
 * `frontier.txt` holds the version and the seed of the fingerprints, which must never change, and its own checksum. It is
 * the last thing that is made when a frontier begins: without it, nothing was ever acknowledged.
 */
export function readSeed(folder: string): [number, number] | undefined {
  if (existsSync(join(folder, IMPORTING))) throw unfinished(folder)
  const path = join(folder, 'frontier.txt')
  if (!existsSync(path)) {
    const isBegun = readdirSync(folder).some(name => /^snapshot-.*\.bin$|^journal-(?!00000001).*\.log$/.test(name))
    if (isBegun || sizeOf(join(folder, 'journal-00000001.log')) > EMPTY_JOURNAL_BYTES) {
      throw damaged(path, 0, words().fileMissing)
    }
    return undefined
  }
  const parts = /^(escalona frontier 1 (-?\d+) (-?\d+)) (\d+)\n$/.exec(readFileSync(path, 'utf8'))
  const [, text, low, high, sum] = parts ?? []
  if (text === undefined || crc32(text) !== Number(sum)) throw damaged(path, 0, words().wrongChecksum)
  return [Number(low), Number(high)]
}

export function writeSeed(folder: string, seed: readonly [number, number]): void {
  const text = `escalona frontier 1 ${seed[0]} ${seed[1]}`
  const path = join(folder, 'frontier.txt')
  writeFileSync(`${path}.tmp`, `${text} ${crc32(text)}\n`, { flush: true })
  renameSync(`${path}.tmp`, path)
  syncFolder(folder)
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
