import type { EndedBecause } from '../../folder/crawl-file.ts'
import { surveyHosts } from '../../folder/stats/host-survey.ts'
import { mergeStats, readTally, type Tally } from '../../folder/stats/tally.ts'
import type { RedisFrontier } from '../../frontier/redis/open.ts'
import type { PlaceReport } from './place.ts'

/** The facts of a report about a crawl that machines share: their statistics added up, and one frontier for all of them. */
export async function sharedReport(
  frontier: Pick<RedisFrontier, 'counts' | 'hosts' | 'book'>,
  limit: number,
  isRunning: boolean,
  nowMs: number,
): Promise<PlaceReport> {
  const texts = await frontier.book.tallies()
  const tallies = [...texts.values()].flatMap(text => readTally(text) ?? [])
  const [counts, hosts] = [await frontier.counts(), await surveyHosts(frontier)]
  const runs = tallies.flatMap(tally => tally.runs)
  return {
    stats: mergeStats(tallies, nowMs, hosts.domains),
    file: {
      runs: runs.sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt)),
      forgottenRuns: tallies.reduce((sum, tally) => sum + tally.forgottenRuns, 0),
    },
    limit,
    frontier: counts,
    hosts,
    disk: undefined,
    because: isRunning ? undefined : endOf(tallies),
  }
}

/** Why the machine that ended last did. */
function endOf(tallies: readonly Tally[]): EndedBecause | undefined {
  const ended = tallies.filter(({ endedAt }) => endedAt !== undefined)
  return ended.toSorted((a, b) => Date.parse(b.endedAt!) - Date.parse(a.endedAt!))[0]?.because
}
