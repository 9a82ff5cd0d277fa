import { join } from 'node:path'
import { parsedAs, type StoredShape } from '../base/structures/json-shape.ts'
import { seedUrl } from '../settings/check-options.ts'
import { JsonLinesFile, type JsonLinesOptions, readLines } from './json-lines-file.ts'

export const SEEDS_FILE = 'seeds.jsonl'

/** A line of `seeds.jsonl`: a seed, or a URL that a seed redirected to. */
export interface SeedLine {
  /** Canonical; `sitemap:https://…` for a sitemap. */
  readonly url: string
  /** The URL that redirected here; missing for a seed that was given. */
  readonly from?: string
}

const LINE: StoredShape = { url: 'string', 'from?': 'string' }

export class SeedsFile {
  readonly given: string[] = []
  /** The seeds, and what they redirected to. */
  readonly all = new Set<string>()
  /** The same, with what redirected where. */
  readonly lines: SeedLine[] = []
  private readonly file: JsonLinesFile<SeedLine>

  constructor(crawl: string, options: JsonLinesOptions) {
    this.file = new JsonLinesFile(join(crawl, SEEDS_FILE), LINE, options)
    for (const { line } of this.file.lines()) if (isSeed(line)) this.note(line)
  }

  /** Lines that are already there are skipped. */
  append(lines: readonly SeedLine[]): void {
    const urls = new Set<string>()
    const fresh = lines.filter(({ url }) => !this.all.has(url) && !urls.has(url) && urls.add(url))
    this.file.append(fresh)
    // Only now: lines that could not be written are new the next time.
    for (const line of fresh) this.note(line)
  }

  sync(): Promise<void> {
    return this.file.sync()
  }

  close(): Promise<void> {
    return this.file.close()
  }

  private note(line: SeedLine): void {
    const { url, from } = line
    if (this.all.has(url)) return
    this.all.add(url)
    this.lines.push(line)
    if (from === undefined) this.given.push(url)
  }
}

/** Reads the seeds of a crawl and what they redirected to, without lock or change; empty when there is none. */
export function readSeeds(crawl: string): SeedLine[] {
  return Array.from(readLines(join(crawl, SEEDS_FILE), seedLine), ({ line }) => line)
}

export function seedLine(text: string): SeedLine | undefined {
  const line = parsedAs<SeedLine>(text, LINE)
  return line !== undefined && isSeed(line) ? line : undefined
}

function isSeed({ url }: SeedLine): boolean {
  return typeof seedUrl(url) !== 'string'
}
