import { Details } from './details.ts'
import { Stats, type StatsData } from './stats.ts'
import type { Tally } from './tally.ts'
import { Timeline, type TimelineData } from './timeline.ts'
import { WorkTimes } from './work-times.ts'

/** Adds up the statistics of all machines of a crawl. `domains`: how many registrable domains have pages, over all machines. */
export function mergeStats(tallies: readonly Tally[], nowMs: number, domains: number): Stats {
  const all = tallies.map(({ stats }) => new Stats(nowMs, stats).toJSON())
  const sum = (of: (stats: StatsData) => number) => all.reduce((total, stats) => total + of(stats), 0)
  const counts = (of: (stats: StatsData) => Readonly<Record<string, number>>) => summedByName(all.map(of))
  const lists = (of: (stats: StatsData) => readonly number[]) => summedByPlace(all.map(of))
  const times = new WorkTimes(tallies)
  const details = new Details()
  for (const stats of all) details.merge(stats.details)
  return new Stats(nowMs, {
    ...(all.length > 0 && { startedAtMs: Math.min(...all.map(({ startedAtMs }) => startedAtMs)) }),
    pages: sum(({ pages }) => pages),
    requests: sum(({ requests }) => requests),
    wireBytes: sum(({ wireBytes }) => wireBytes),
    pageBytes: sum(({ pageBytes }) => pageBytes),
    tokens: sum(({ tokens }) => tokens),
    redirects: sum(({ redirects }) => redirects),
    // Every machine notices the same loss.
    losses: Math.max(0, ...all.map(({ losses }) => losses)),
    damagedHosts: sum(({ damagedHosts }) => damagedHosts),
    revisits: counts(({ revisits }) => revisits),
    workMs: times.totalMs,
    statuses: counts(({ statuses }) => statuses),
    again: counts(({ again }) => again),
    failed: counts(({ failed }) => failed),
    refused: counts(({ refused }) => refused),
    refusedLinks: counts(({ refusedLinks }) => refusedLinks),
    sitemaps: counts(({ sitemaps }) => sitemaps),
    sitemapEntries: sum(({ sitemapEntries }) => sitemapEntries),
    hops: lists(({ hops }) => hops),
    tokensAPage: lists(({ tokensAPage }) => tokensAPage),
    bytesAPage: lists(({ bytesAPage }) => bytesAPage),
    answerMs: lists(({ answerMs }) => answerMs),
    timeline: mergedTimeline(
      all.map(({ timeline }) => timeline),
      times,
      domains,
    ),
    details: details.toJSON(),
  })
}

function summedByName(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums = new Map<string, number>()
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts)) sums.set(name, (sums.get(name) ?? 0) + count)
  }
  return Object.fromEntries(sums)
}

function summedByPlace(all: readonly (readonly number[])[]): number[] {
  const length = Math.max(0, ...all.map(list => list.length))
  return Array.from({ length }, (_, at) => all.reduce((sum, list) => sum + (list[at] ?? 0), 0))
}

/** Each machine's amounts at the time at which it worked. A domain that several machines have found counts once. */
function mergedTimeline(all: readonly TimelineData[], times: WorkTimes, domains: number): TimelineData {
  const widthMs = Math.max(0, ...all.map(timeline => timeline.widthMs))
  const merged = new Timeline({ widthMs, pages: [], wireBytes: [], newDomains: [], failures: [] })
  for (const [machine, timeline] of all.entries()) {
    for (const series of ['pages', 'wireBytes', 'newDomains', 'failures'] as const) {
      for (const [at, amount] of timeline[series].entries()) {
        if (amount > 0) merged.add(times.at(machine, (at + 0.5) * timeline.widthMs), series, amount)
      }
    }
  }
  const timeline = merged.toJSON()
  return { ...timeline, newDomains: atMost(timeline.newDomains, domains) }
}

/** The same course, scaled down so that the sum is at most this. */
function atMost(amounts: readonly number[], most: number): number[] {
  const total = amounts.reduce((sum, amount) => sum + amount, 0)
  if (total <= most) return [...amounts]
  let before = 0
  let given = 0
  return amounts.map(amount => {
    before += amount
    const now = Math.round((before / total) * most) - given
    given += now
    return now
  })
}
