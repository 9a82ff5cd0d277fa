import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EscalonaError } from '../base/errors.ts'
import { printable } from '../base/words/printable.ts'
import type { DumpHead } from './dump.ts'
import { damagedDump, dumpWords } from './dump-words.ts'

/**
 * A dump in a folder: `dump.json`, written last, and the files that it names. Each is gzipped lines of JSON (see
 * `dump-lines.ts`): `servers.jsonl.gz`, `hosts.jsonl.gz` (each host, then its links and notes), `planned.jsonl.gz` if
 * there are planned links, `over.jsonl.gz`, and `seeds.jsonl.gz` if it is the dump of a crawl.
 */
export interface DumpManifest {
  readonly format: 'escalona dump'
  /** 2 when there is a file of planned links, which earlier versions do not know. */
  readonly version: 1 | 2
  /** When it was made, in ISO 8601. */
  readonly madeAt: string
  readonly frontier: Omit<DumpHead, 'kind'>
  /** How many hosts and links there are, of all kinds. */
  readonly hosts: number
  readonly links: number
  readonly files: readonly DumpFile[]
  /** What belongs to the crawl rather than to its frontier, if there is one: its settings, and the file with its seeds. */
  readonly crawl?: { readonly settings: string; readonly seeds: DumpFile }
  /** The SHA-256 of all of the above as JSON without spaces. */
  readonly check: string
}

/**
 * What belongs to the crawl rather than to its frontier. These texts mean nothing here; the crawl room makes and reads them.
 */
export interface CrawlPart {
  /** The settings of the crawl. */
  readonly settings: string
  /** Its seeds, one text each, without line feeds. */
  readonly seeds: Iterable<string> | AsyncIterable<string>
}

export interface DumpFile {
  readonly name: string
  readonly records: number
  readonly bytes: number
  /** Of the file as it is, in hexadecimal digits. */
  readonly sha256: string
}

export const MANIFEST = 'dump.json'
export const FORMAT = 'escalona dump'
export const VERSION = 2

export const SEEDS = 'seeds.jsonl.gz'

/** The only file that may be missing. */
export const PLANNED = 'planned.jsonl.gz'

/** The files of a dump, in the order in which they are written and read, and what they hold. */
export const DUMP_FILES = [
  { name: 'servers.jsonl.gz', kinds: ['server'] },
  { name: 'hosts.jsonl.gz', kinds: ['host', 'link', 'note'] },
  { name: PLANNED, kinds: ['planned'] },
  { name: 'over.jsonl.gz', kinds: ['over'] },
] as const

export function checkOf(manifest: Omit<DumpManifest, 'check'>): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex')
}

/** Reads `dump.json`. A folder without one, or with one that is not ours, is an error. */
export function readManifest(folder: string): DumpManifest {
  const path = join(folder, MANIFEST)
  if (!existsSync(path)) throw new EscalonaError('DUMP_MISSING', dumpWords().noDump(printable(folder)))
  const value = parsed(path)
  if (value?.format !== FORMAT) throw damagedDump(path, dumpWords().wrongRecord(1))
  if (typeof value.version === 'number' && value.version > VERSION) {
    throw new EscalonaError('DUMP_DAMAGED', dumpWords().newer(printable(path)))
  }
  if (!isManifest(value)) throw damagedDump(path, dumpWords().wrongRecord(1))
  const { check, ...rest } = value
  if (checkOf(rest) !== check) throw damagedDump(path, dumpWords().wrongChecksum)
  return value
}

function isManifest(value: Partial<DumpManifest>): value is DumpManifest {
  const { frontier, files, crawl, hosts, links } = value
  if (typeof frontier !== 'object' || frontier === null || !Array.isArray(files)) return false
  const { fingerprintSeed, parts, pages, tickets, turns, turnedAway } = frontier
  const counts = [
    hosts,
    links,
    parts,
    pages,
    tickets,
    turnedAway?.['max-hosts'],
    turnedAway?.['domain-hosts'],
    turnedAway?.['page-hosts'],
  ]
  return (
    areWhole(counts) &&
    parts > 0 &&
    Array.isArray(fingerprintSeed) &&
    fingerprintSeed.length === 2 &&
    fingerprintSeed.every(Number.isInteger) &&
    Array.isArray(turns) &&
    turns.length <= 2 &&
    areWhole(turns) &&
    DUMP_FILES.every(({ name }) => isThere(files, name)) &&
    (crawl === undefined || (typeof crawl.settings === 'string' && isFile(crawl.seeds, SEEDS)))
  )
}

/** Whether the manifest has this file, or need not have it. */
function isThere(files: readonly DumpFile[], name: string): boolean {
  const file = files.find(one => one?.name === name)
  return file === undefined ? name === PLANNED : isFile(file, name)
}

function isFile(file: DumpFile | undefined, name: string): boolean {
  return file?.name === name && areWhole([file.bytes, file.records]) && typeof file.sha256 === 'string'
}

function areWhole(numbers: readonly unknown[]): boolean {
  return numbers.every(number => Number.isSafeInteger(number) && Number(number) >= 0)
}

function parsed(path: string): Partial<DumpManifest> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
