import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StatsData } from '../../crawl/stats/stats.ts'

/** The statistics as a crawl last saved them; empty when there are none, or they are damaged. */
export function keptStats(folder: string): Partial<StatsData> {
  for (const name of ['stats.json', 'tally.json']) {
    try {
      return JSON.parse(readFileSync(join(folder, name), 'utf8')) as Partial<StatsData>
    } catch {
      // Missing or incomplete.
    }
  }
  return {}
}
