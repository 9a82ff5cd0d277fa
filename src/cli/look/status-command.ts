import { printable } from '../../base/words/printable.ts'
import { shownBytes, shownCount, shownDecimal, shownDuration } from '../../base/words/quantity.ts'
import { aboutChallenges } from '../../folder/stats/details.ts'
import type { ReasonCounts, Waterfall } from '../../folder/stats/outcome-counts.ts'
import { CrawlView } from '../../view/crawl-view.ts'
import { plannedVisits } from '../../view/process/planned-visits.ts'
import { type CrawlStatus, shownEnding } from '../../view/status.ts'
import type { Command } from '../commands.ts'
import { onlyFolder, redisPassword } from '../terminal/arguments.ts'
import { type OptionRows, readArguments } from '../terminal/option-table.ts'
import { answer, safeJson } from '../terminal/say.ts'
import { useWords } from '../terminal/use-words.ts'
import { statusWords } from './status-words.ts'

/** How many reasons, seeds, values of a setting and runs are shown; the rest are only counted. */
const MOST_REASONS = 5
const MOST_SEEDS = 5
const MOST_VALUES = 3
const MOST_RUNS = 5

const OPTIONS = { json: {} } as const satisfies OptionRows

/** `escalona status DIR`: the state of a crawl. */
export const STATUS: Command = {
  run: statusCommand,
  help: () => ({ ...statusWords(), options: useWords().rowOptions }),
  options: OPTIONS,
  names: 'folder',
}

async function statusCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  const folder = onlyFolder(positionals)
  const crawl = new CrawlView(folder, { frontierPassword: redisPassword(process.env) })
  try {
    const status = await crawl.status()
    answer(values.json ? `${safeJson(status)}\n` : `${statusLines(folder, status).join('\n')}\n`)
    return 0
  } finally {
    await crawl.close()
  }
}

/** What `escalona status` says about a crawl, for people. */
export function statusLines(folder: string, status: CrawlStatus): string[] {
  return [
    `${printable(folder)}: ${stateText(status)}`,
    ...sentence(status),
    '',
    ...waterfallLines(status.waterfall, status.totals.notRemembered),
    '',
    ...sharedLines(status),
    ...factLines(status),
    ...challengeLines(status),
    ...settingLines(status),
    ...seedLines(status),
    ...runLines(status),
  ]
}

/** A fact with its title. */
export function line(title: string, text: string): string {
  const width = widest(Object.values(statusWords().titles), 11)
  return `  ${title.padEnd(width)} ${printable(text)}`
}

/** The width of a column with these titles. */
function widest(titles: readonly string[], least: number): number {
  return Math.max(least, ...titles.map(title => title.length))
}

function stateText({ state, running }: CrawlStatus): string {
  const status = statusWords()
  switch (state.kind) {
    case 'running': {
      const since = running === undefined ? undefined : shownTime(running.sinceMs)
      return status.running(String(state.pid ?? '?'), printable(state.host ?? ''), since)
    }
    case 'unseen':
      return status.unseen(printable(state.host ?? '?'))
    case 'ended':
      if (state.atMs === undefined) return status.notRunning
      return status.ended(shownTime(state.atMs), shownEnding(state.because))
    case 'killed':
      return status.killed
    case 'new':
      return status.notRunning
  }
}

function sentence({ running }: CrawlStatus): string[] {
  if (running === undefined) return []
  const status = statusWords()
  const now = status.now(
    shownCount(running.openRequests),
    shownDecimal(running.pagesPerSecond, 1),
    running.openRequests === 1,
  )
  return [`  ${now}`, ...(running.waitingFor === '' ? [] : [`  ${printable(running.waitingFor)}`])]
}

/** What became of all links. `notRemembered`: links that were only counted. */
export function waterfallLines(waterfall: Waterfall, notRemembered = 0): string[] {
  const status = statusWords()
  const titles = status.waterfall
  const beyond = notRemembered > 0 ? status.notRemembered(shownCount(notRemembered)) : ''
  const { known, archived, redirected, refused, failed, held, waiting, leased } = waterfall
  const width = widest(
    Object.values(titles).map(title => `+ ${title}`),
    14,
  )
  const row = (title: string, count: number, why = '') =>
    `  ${title.padEnd(width)}${shownCount(count).padStart(13)}${why === '' ? '' : `   ${why}`}`
  return [
    row(titles.known, known),
    row(`= ${titles.archived}`, archived),
    row(`+ ${titles.redirected}`, redirected),
    row(`+ ${titles.refused}`, refused.count, reasons(refused)),
    row(`+ ${titles.failed}`, failed.count, reasons(failed)),
    row(`+ ${titles.held}`, held.count, [reasons(held), beyond].filter(text => text !== '').join('; ')),
    row(`+ ${titles.waiting}`, waiting),
    row(`+ ${titles.leased}`, leased),
  ]
}

function sharedLines({ shared, totals, frontier }: CrawlStatus): string[] {
  if (shared === undefined) return []
  const { titles, shared: text, losses: lost } = statusWords()
  const { where, machines } = shared
  const pages = [shownCount(totals.pages), shownCount(frontier.pages)] as const
  const { losses } = totals
  return [
    line(titles.frontier, text(where, shownCount(machines), machines === 1, ...pages)),
    ...(losses > 0 ? [line('', lost(shownCount(losses)))] : []),
  ]
}

function reasons({ reasons: all }: ReasonCounts): string {
  const shown = all.slice(0, MOST_REASONS).map(({ reason, count }) => `${printable(reason)} ${shownCount(count)}`)
  return withMore(shown, all.length - shown.length)
}

function withMore(shown: readonly string[], more: number): string {
  return more > 0 ? `${shown.join(', ')}, ${statusWords().more(shownCount(more))}` : shown.join(', ')
}

function factLines({ frontier, outlook, totals, sitemaps, disk }: CrawlStatus): string[] {
  const status = statusWords()
  const { titles } = status
  const { requests, wireBytes, workMs, pages } = totals
  const rate = workMs > 0 ? status.rate(shownDecimal((pages / workMs) * 1000, 1)) : ''
  const parts = Object.entries(disk).filter(([, bytes]) => bytes > 0)
  const sum = parts.reduce((bytes, [, more]) => bytes + more, 0)
  const kinds = parts.map(([kind, bytes]) => `${status.disk[kind as keyof typeof disk]} ${shownBytes(bytes)}`)
  return [
    hostsLine(frontier, outlook),
    line(titles.work, status.work(shownCount(requests), shownBytes(wireBytes), shownDuration(workMs)) + rate),
    ...(sitemaps.read + sitemaps.notRead > 0 ? [line(titles.sitemaps, sitemapsText(sitemaps))] : []),
    ...plannedLines({ frontier, outlook }),
    line(titles.disk, `${shownBytes(sum)}: ${kinds.join(', ')}`),
  ]
}

function challengeLines({ challengedHosts }: CrawlStatus): string[] {
  const text = aboutChallenges(challengedHosts)
  return text === undefined ? [] : [line(statusWords().titles.challenges, text)]
}

/** How many visits again are planned, if any are. */
export function plannedLines({ frontier, outlook }: Pick<CrawlStatus, 'frontier' | 'outlook'>): string[] {
  return frontier.planned > 0 ? [line(statusWords().titles.again, plannedVisits(frontier, outlook))] : []
}

function sitemapsText({ read, notRead, reasons: why }: CrawlStatus['sitemaps']): string {
  const text = statusWords().sitemaps(shownCount(read), shownCount(notRead), read === 1, notRead === 1)
  return notRead === 0 ? text : `${text}: ${reasons({ count: notRead, reasons: why })}`
}

type Four = [string, string, string, string]

/** How many hosts there are, and how many of them can be asked. */
export function hostsLine(
  { hosts }: CrawlStatus['frontier'],
  { ready, resting, down }: CrawlStatus['outlook'],
): string {
  const status = statusWords()
  return line(status.titles.hosts, status.hosts(...([hosts, ready, resting, down].map(shownCount) as Four)))
}

function settingLines({ settings, runs }: CrawlStatus): string[] {
  const { titles, defaults, unknown } = statusWords()
  const given = Object.entries(settings).map(([name, value]) => `${name} = ${valueText(value)}`)
  if (runs.length === 0) return [line(titles.settings, unknown)]
  return given.length === 0
    ? [line(titles.settings, defaults)]
    : given.map((text, n) => line(n === 0 ? titles.settings : '', text))
}

function valueText(value: string | readonly string[]): string {
  if (typeof value === 'string') return value
  const shown = value.slice(0, MOST_VALUES)
  return withMore(shown, value.length - shown.length)
}

function seedLines({ runs }: CrawlStatus): string[] {
  const seeds = runs.flatMap(run => run.seeds)
  const count = runs.reduce((sum, run) => sum + run.seedCount, 0)
  const shown = seeds.slice(0, MOST_SEEDS)
  const { titles, more } = statusWords()
  const lines = count > shown.length ? [...shown, more(shownCount(count - shown.length))] : shown
  return lines.map((text, n) => line(n === 0 ? titles.seeds : '', text))
}

function runLines({ runs, state }: CrawlStatus): string[] {
  const status = statusWords()
  const hidden = Math.max(0, runs.length - MOST_RUNS)
  const shown = runs.slice(hidden).map((run, n, all) => {
    const began = shownTime(Date.parse(run.startedAt))
    if (run.endedAt !== undefined) {
      const why = shownEnding(run.because)
      return status.run(began, shownTime(Date.parse(run.endedAt)), why)
    }
    return n === all.length - 1 && state.kind === 'running' ? status.runRuns(began) : status.runKilled(began)
  })
  const lines = hidden > 0 ? [status.earlier(shownCount(hidden), hidden === 1), ...shown] : shown
  return lines.map((text, n) => line(n === 0 ? status.titles.runs : '', text))
}

/** `2026-11-15 22:58:01 UTC`. */
function shownTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
