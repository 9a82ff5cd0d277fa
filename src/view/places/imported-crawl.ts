import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unixClock } from '../../base/clock.ts'
import { version } from '../../base/version.ts'
import { addRun, MOST_NAMED_SEEDS, openCrawlFile } from '../../folder/crawl-file.ts'
import { SEEDS_FILE, seedLine } from '../../folder/seeds-file.ts'
import type { CrawlPart } from '../../frontier/dump-files.ts'
import { readTerms } from '../../run/machines/terms.ts'

/**
 * Makes a folder whose frontier was imported the folder of a crawl: with the settings and seeds of the dump, as if a first run
 * had ended when the dump was made.
 */
export async function writeImportedCrawl(folder: string, crawl: CrawlPart, madeAt: string): Promise<void> {
  const { settings, hostSettings } = readTerms(crawl.settings, folder)
  const lines: string[] = []
  for await (const line of crawl.seeds) lines.push(line)
  const seeds = lines.flatMap(seedIn)
  writeFileSync(join(folder, SEEDS_FILE), lines.map(line => `${line}\n`).join(''), { flush: true })
  addRun(folder, openCrawlFile(folder, unixClock()), {
    ...{ startedAt: madeAt, endedAt: madeAt, because: 'stopped', version: version() },
    ...{ seeds: seeds.slice(0, MOST_NAMED_SEEDS), seedCount: seeds.length, settings, hostSettings, secrets: [] },
    ...{ knownSeeds: lines.length, failuresBytes: 0 },
  })
}

/** The URL of a seed that was given; nothing for one that a seed redirected to. */
function seedIn(line: string): string[] {
  const seed = seedLine(line)
  return seed !== undefined && seed.from === undefined ? [seed.url] : []
}
