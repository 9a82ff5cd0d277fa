import { shownBytes, shownCount } from '../base/words/quantity.ts'
import { emptyPanel, note, panel, section, share, shownSpan, table } from './page-pieces.ts'
import type { Report, ReportRun } from './report.ts'
import { words } from './report-words.ts'

// The crawl itself: its runs with their seeds and settings, and what it takes on the disk.

export function runsSection(report: Report): string {
  const texts = words()
  const { runs, earlierRuns } = report
  const shown = runs.map((run, place) => {
    const number = place === 0 ? 1 : place + 1 + earlierRuns
    return runPanel(run, runs[place - 1], number, place === runs.length - 1 && report.endedBecause === undefined)
  })
  if (earlierRuns > 0) shown.splice(1, 0, emptyPanel(texts.runs, texts.runsLeftOut(shownCount(earlierRuns))))
  if (shown.length === 0) shown.push(emptyPanel(texts.runs, texts.runsUnknown))
  return section(texts.theCrawl, [...shown, diskPanel(report)])
}

function runPanel(run: ReportRun, before: ReportRun | undefined, number: number, isNow: boolean): string {
  const texts = words()
  const ended = Object.hasOwn(texts.ended, run.because ?? '')
    ? texts.ended[run.because as keyof typeof texts.ended]
    : isNow
      ? texts.isRunning
      : texts.wasKilled
  const about = `${shownSpan(run.startedAt, run.endedAt)}. ${ended} ${texts.versionOf(run.version)}.`
  const inside = before === undefined ? seedsOf(run) + settingsOf(run) : differences(before, run)
  return panel(texts.run(shownCount(number)), note(about) + inside)
}

function seedsOf({ seeds }: ReportRun): string {
  const texts = words()
  const more = seeds.count - seeds.first.length
  const rows = [...seeds.first.map(url => [url]), ...(more > 0 ? [[texts.listedIn(shownCount(more))]] : [])]
  return table([texts.seed(seeds.count)], rows, 'words')
}

function settingsOf({ settings }: ReportRun): string {
  const texts = words()
  const rows = Object.entries(settings)
  const { setting, now } = texts.columns
  return rows.length === 0 ? note(texts.defaults) : table([setting, now], rows, 'settings')
}

function differences(before: ReportRun, run: ReportRun): string {
  const texts = words()
  const changes = changedSettings(before, run)
  if (changes.length === 0 && run.seeds.count === 0) return note(texts.sameSettings)
  const rows = changes.map(({ name, before, now }) => [name, before ?? texts.notGiven, now ?? texts.notGiven])
  const { setting, before: then, now } = texts.columns
  const settings = rows.length === 0 ? '' : table([setting, then, now], rows, 'settings')
  return (run.seeds.count === 0 ? note(texts.sameSeeds) : seedsOf(run)) + settings
}

function diskPanel({ disk }: Report): string {
  const texts = words()
  if (disk === undefined) return emptyPanel(texts.disk, texts.diskUnknown)
  const kinds = Object.entries(texts.diskKinds) as [keyof typeof disk, string][]
  const sum = kinds.reduce((bytes, [kind]) => bytes + disk[kind], 0)
  const rows = kinds.map(([kind, name]) => [name, shownBytes(disk[kind]), share(disk[kind], sum)])
  const { what, bytes, share: part } = texts.columns
  return panel(texts.disk, table([what, bytes, part], [...rows, [texts.sum, shownBytes(sum), share(sum, sum)]]))
}

/** A setting that a run changed, and its value in the run before. */
interface RunChange {
  readonly name: string
  /** Undefined: the default. */
  readonly before: string | undefined
  readonly now: string | undefined
}

function changedSettings(before: ReportRun, now: ReportRun): RunChange[] {
  const names = [...new Set([...Object.keys(before.settings), ...Object.keys(now.settings)])]
  return names
    .map(name => ({ name, before: before.settings[name], now: now.settings[name] }))
    .filter(change => change.before !== change.now)
}
