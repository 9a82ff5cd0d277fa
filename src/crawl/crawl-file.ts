import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EscalonaError } from '../base/errors.ts'
import { replaceFile } from '../base/files/whole-file.ts'
import { uniqueName } from '../base/random.ts'
import { printable } from '../base/words/printable.ts'

export const CRAWL_FILE = 'crawl.json'
const FORMAT = 1

/** What a crawl's folder says about itself, whichever engine its frontier runs on. */
export interface CrawlFile {
  readonly format: number
  /** Tells this crawl apart from every other. */
  readonly id: string
  /** ISO 8601: when its first run began. */
  readonly startedAt: string
}

/** Reads `crawl.json`; makes it in a folder that has none. */
export function openCrawlFile(folder: string, nowMs: number): CrawlFile {
  const path = join(folder, CRAWL_FILE)
  const text = readIfThere(path)
  if (text !== undefined) return parsed(text, path)
  const file: CrawlFile = { format: FORMAT, id: uniqueName(), startedAt: new Date(nowMs).toISOString() }
  replaceFile(path, write => write(Buffer.from(`${JSON.stringify(file, undefined, 2)}\n`)))
  return file
}

function parsed(text: string, path: string): CrawlFile {
  const file = asObject(text)
  if (file?.format === FORMAT && typeof file.id === 'string' && typeof file.startedAt === 'string')
    return file as unknown as CrawlFile
  const isNewer = typeof file?.format === 'number' && file.format > FORMAT
  const message = isNewer
    ? `${printable(path)} was written by a newer version of Escalona; use that version`
    : `${printable(path)} is not what Escalona wrote; put a copy back, or remove it to have it made again`
  throw new EscalonaError('CRAWL_FILE_DAMAGED', message)
}

function asObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
