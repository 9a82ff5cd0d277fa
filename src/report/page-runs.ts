// The crawl itself: its runs with their seeds and settings, and what it takes on the disk.
import { shownBytes, shownCount } from '../base/words/quantity.ts'
import { emptyPanel, note, panel, section, share, table } from './page-pieces.ts'
import { shownSpan } from './page-time.ts'
import type { Report } from './report.ts'
import { words } from './report-words.ts'
import { changedSettings, type ReportRun } from './runs.ts'

export function runsSection(report: Report): string {
  const told = words()
  const { runs, earlierRuns } = report
  const shown = runs.map((run, place) => {
    const number = place === 0 ? 1 : place + 1 + earlierRuns
    return runPanel(run, runs[place - 1], number, place === runs.length - 1 && report.endedBecause === undefined)
  })
  if (earlierRuns > 0) shown.splice(1, 0, emptyPanel(told.runs, told.runsLeftOut(shownCount(earlierRuns))))
  if (shown.length === 0) shown.push(emptyPanel(told.runs, told.runsUnknown))
  return section(told.theCrawl, [...shown, diskPanel(report)])
}

function runPanel(run: ReportRun, before: ReportRun | undefined, number: number, isNow: boolean): string {
  const told = words()
  const ended = Object.hasOwn(told.ended, run.because ?? '')
    ? told.ended[run.because as keyof typeof told.ended]
    : isNow
      ? told.isRunning
      : told.wasKilled
  const about = `${shownSpan(run.startedAt, run.endedAt)}. ${ended} ${told.versionOf(run.version)}.`
  const inside = before === undefined ? seedsOf(run) + settingsOf(run) : differences(before, run)
  return panel(told.run(shownCount(number)), note(about) + inside)
}

function seedsOf({ seeds }: ReportRun): string {
  const told = words()
  const more = seeds.count - seeds.first.length
  const rows = [...seeds.first.map(url => [url]), ...(more > 0 ? [[told.listedIn(shownCount(more))]] : [])]
  return table([told.seed(seeds.count, shownCount(seeds.count))], rows, 'words')
}

function settingsOf({ settings }: ReportRun): string {
  const told = words()
  const rows = Object.entries(settings)
  const { setting, now } = told.columns
  return rows.length === 0 ? note(told.defaults) : table([setting, now], rows, 'settings')
}

function differences(before: ReportRun, run: ReportRun): string {
  const told = words()
  const changes = changedSettings(before, run)
  if (changes.length === 0 && run.seeds.count === 0) return note(told.sameSettings)
  const rows = changes.map(({ name, before, now }) => [name, before ?? told.notGiven, now ?? told.notGiven])
  const { setting, before: then, now } = told.columns
  const settings = rows.length === 0 ? '' : table([setting, then, now], rows, 'settings')
  return (run.seeds.count === 0 ? note(told.sameSeeds) : seedsOf(run)) + settings
}

function diskPanel({ disk }: Report): string {
  const told = words()
  if (disk === undefined) return emptyPanel(told.disk, told.diskUnknown)
  const kinds = Object.entries(told.diskKinds) as [keyof typeof disk, string][]
  const sum = kinds.reduce((bytes, [kind]) => bytes + disk[kind], 0)
  const rows = kinds.map(([kind, name]) => [name, shownBytes(disk[kind]), share(disk[kind], sum)])
  const { what, bytes, share: part } = told.columns
  return panel(told.disk, table([what, bytes, part], [...rows, [told.sum, shownBytes(sum), share(sum, sum)]]))
}
