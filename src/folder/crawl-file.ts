import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { EscalonaError } from '../base/errors.ts'
import { replaceFile } from '../base/files/whole-file.ts'
import { uniqueName } from '../base/random.ts'
import { hasShape, parsedAs, type StoredShape } from '../base/structures/json-shape.ts'
import { whyOf } from '../base/system-error.ts'
import type { EndedBecause } from '../settings/events.ts'
import type { NamedSettings } from '../settings/setting-texts.ts'

export const CRAWL_FILE = 'crawl.json'
const FORMAT = 2
const SHARED_FORMAT = 3
/** How many runs are kept: the first one and the newest. */
const MOST_RUNS = 100
/** How many seeds a run lists; `seeds.jsonl` has all of them. */
export const MOST_NAMED_SEEDS = 100

/** The contents of `crawl.json`: what a folder says about its crawl, whichever engine its frontier runs on. */
export interface CrawlFile {
  readonly format: number
  readonly id: string
  /** When its first run began, in ISO 8601. */
  readonly startedAt: string
  /** Oldest first: the first run and the newest ones. Empty until the first run is recorded. */
  readonly runs: readonly CrawlRun[]
  /** How many runs after the first are no longer listed. */
  readonly forgottenRuns: number
  /** The next visit of every page is planned; missing in a crawl that never revisited. */
  readonly revisits?: true
  /** The frontier that this folder shares with others; missing: it is in the folder. */
  readonly frontier?: SharedPlace
}

/** Where a frontier that machines share is, and who this folder is among them. */
export interface SharedPlace {
  /** `redis://HOST:PORT/NAME`, without a password. */
  readonly where: string
  readonly crawler: string
}

/** One run of a crawl, as `crawl.json` keeps it. */
export interface CrawlRun {
  readonly startedAt: string
  /** Missing while the run lasts, and if it was killed. */
  readonly endedAt?: string
  readonly because?: EndedBecause
  readonly version: string
  /** Seeds added in this run: the first 100, and how many there were. */
  readonly seeds: readonly string[]
  readonly seedCount: number
  /** All settings given in this run or an earlier one; the others had their defaults. */
  readonly settings: NamedSettings
  readonly hostSettings: Readonly<Record<string, NamedHostSettings>>
  /** Which secrets were given, without their values: `Cookie for example.org`. */
  readonly secrets: readonly string[]
  /** When the run began: the number of seeds and their redirects, and the size of `failures.jsonl` in bytes. */
  readonly knownSeeds: number
  readonly failuresBytes: number
  /** Links that its settings bring back are not all back in the queue yet. */
  readonly isOpening?: true
  /** A person paused the crawl, in this run or an earlier one, and has not resumed it. */
  readonly isPaused?: true
  /** If `max-depth` was changed while the run lasted: the largest one. */
  readonly deepest?: string
}

const RUN: { readonly [Name in keyof CrawlRun as undefined extends CrawlRun[Name] ? `${Name}?` : Name]: StoredShape } =
  {
    startedAt: 'string',
    'endedAt?': 'string',
    'because?': 'string',
    version: 'string',
    seeds: ['string'],
    seedCount: 'number',
    settings: {},
    hostSettings: { '*': {} },
    secrets: ['string'],
    knownSeeds: 'number',
    failuresBytes: 'number',
    'isOpening?': 'boolean',
    'isPaused?': 'boolean',
    'deepest?': 'string',
  }

const FILE: StoredShape = {
  ...{ format: 'number', id: 'string', startedAt: 'string', runs: [RUN], forgottenRuns: 'number' },
  ...{ 'revisits?': 'boolean', 'frontier?': { where: 'string', crawler: 'string' } },
}

/** Settings of a single host as `crawl.json` keeps them, without secrets. */
export interface NamedHostSettings {
  readonly delay?: string
  readonly limit?: string
}

/** Whether this folder holds a crawl, of any version: an early one may have left only a frontier. */
export function isCrawlFolder(path: string): boolean {
  return existsSync(join(path, CRAWL_FILE)) || existsSync(join(path, 'frontier'))
}

/** The names of the crawls in a folder, in alphabetical order. */
export function crawlsIn(parent: string): string[] {
  const isFolder = statSync(parent, { throwIfNoEntry: false })?.isDirectory() === true
  const names = isFolder ? readdirSync(parent) : []
  return names.filter(name => isCrawlName(parent, name)).toSorted()
}

/** Whether this is the name of a folder with a crawl, and not a path. */
export function isCrawlName(parent: string, name: string): boolean {
  return /^[^/\\\0]+$/.test(name) && name !== '.' && name !== '..' && isCrawlFolder(join(parent, name))
}

/** Reads `crawl.json` without changing anything; undefined when there is none. */
export function readCrawlFile(folder: string): CrawlFile | undefined {
  const path = join(folder, CRAWL_FILE)
  const text = readIfThere(path)
  return text === undefined ? undefined : parsed(text, path)
}

export function crawlFileStamp(folder: string): string {
  const found = statSync(join(folder, CRAWL_FILE), { throwIfNoEntry: false })
  return found === undefined ? '' : `${found.ino} ${found.mtimeMs} ${found.size}`
}

/** Reads `crawl.json`, and creates it in a folder that has none. `where`: of a frontier that machines share. */
export function openCrawlFile(folder: string, nowMs: number, where?: string): CrawlFile {
  const found = readCrawlFile(folder)
  if (found !== undefined && (where === undefined || where === found.frontier?.where)) return found
  const startedAt = new Date(nowMs).toISOString()
  const file = found ?? { format: FORMAT, id: uniqueName(), startedAt, runs: [], forgottenRuns: 0 }
  if (where === undefined) return write(folder, file)
  const frontier = { where, crawler: found?.frontier?.crawler ?? uniqueName() }
  return write(folder, { ...file, format: SHARED_FORMAT, frontier })
}

export function addRun(folder: string, file: CrawlFile, run: CrawlRun): CrawlFile {
  const runs = [...file.runs, run]
  const excess = Math.max(0, runs.length - MOST_RUNS)
  runs.splice(1, excess)
  const format = file.frontier === undefined ? FORMAT : SHARED_FORMAT
  return write(folder, { ...file, format, runs, forgottenRuns: file.forgottenRuns + excess })
}

export function beginRevisits(folder: string, file: CrawlFile): CrawlFile {
  return write(folder, { ...file, revisits: true })
}

/** Records something else about the newest run; what is undefined is removed. */
export function amendRun(folder: string, file: CrawlFile, change: RunChange): CrawlFile {
  const newest = Object.entries({ ...file.runs.at(-1)!, ...change }).filter(([, value]) => value !== undefined)
  return write(folder, {
    ...file,
    runs: [...file.runs.slice(0, -1), Object.fromEntries(newest) as unknown as CrawlRun],
  })
}

export type RunChange = { readonly [Name in keyof CrawlRun]?: CrawlRun[Name] | undefined }

function write(folder: string, file: CrawlFile): CrawlFile {
  replaceFile(join(folder, CRAWL_FILE), write => write(Buffer.from(`${JSON.stringify(file, undefined, 2)}\n`)))
  return file
}

function parsed(text: string, path: string): CrawlFile {
  const { format } = parsedAs<{ readonly format: number }>(text, { format: 'number' }) ?? {}
  if (format !== undefined && format !== FORMAT && format !== SHARED_FORMAT)
    throw new EscalonaError('CRAWL_OTHER_FORMAT', { path, format: String(format) })
  const file = parsedAs<CrawlFile>(text, FILE)
  const isShared = file?.format === SHARED_FORMAT
  if (file !== undefined && isShared === (file.frontier !== undefined) && file.runs.every(hasSettings)) return file
  throw new EscalonaError('CRAWL_FILE_DAMAGED', { path })
}

/** A setting is a text, or several. */
function hasSettings({ settings, hostSettings }: CrawlRun): boolean {
  const isText = (value: unknown) => hasShape(value, 'string') || hasShape(value, ['string'])
  return [settings, ...Object.values(hostSettings)].every(named => Object.values(named).every(isText))
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new EscalonaError(
      'CRAWL_FOLDER_UNUSABLE/unreadable',
      { path, why: whyOf(error) },
      {
        cause: error,
      },
    )
  }
}
