import { systemClock } from '../../base/clock.ts'
import { printable } from '../../base/words/printable.ts'
import { readCount, shownDecimal } from '../../base/words/quantity.ts'
import { type ExportOptions, type ExportSummary, exportTable, MOST_EXPORT_WORKERS } from '../../export/export-table.ts'
import { FORMATS, type FormatName, TABLES } from '../../export/tables.ts'
import type { Command } from '../commands.ts'
import { checkedChoice, onlyFolder } from '../look/look-arguments.ts'
import { openOutput } from '../terminal/open-output.ts'
import { type OptionRows, optionLines, readArguments } from '../terminal/option-table.ts'
import { say } from '../terminal/say.ts'
import { useWords } from '../terminal/use-words.ts'
import { WorkBar } from '../terminal/work-bar.ts'
import { wrongUse } from '../terminal/wrong-use.ts'
import { placeInCrawl } from './crawl-output.ts'
import { exportWords } from './export-words.ts'

const OPTIONS = {
  table: { value: 'T', choices: TABLES },
  format: { value: 'F', choices: FORMATS },
  text: {},
  output: { short: 'o', value: 'F', names: 'file' },
  workers: { value: 'N' },
  quiet: { short: 'q' },
} as const satisfies OptionRows

const SEE = 'escalona export --help'
const BY_ENDING: readonly (readonly [ending: RegExp, format: FormatName])[] = [
  [/\.(?:jsonl|ndjson)$/i, 'jsonl'],
  [/\.csv$/i, 'csv'],
  [/\.parquet$/i, 'parquet'],
  [/\.wet(?:\.gz)?$/i, 'wet'],
]

/** `escalona export DIR`: the archive as a table. */
export const EXPORT: Command = { run: exportCommand, help: exportHelp, options: OPTIONS, names: 'folder' }

function exportHelp(): string {
  const { head, options, rest } = exportWords()
  return head + optionLines(OPTIONS, options) + rest
}

async function exportCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS, SEE)
  const folder = onlyFolder(positionals, SEE)
  const path = values.output ?? '-'
  if (path === '') throw wrongUse(useWords().outputHasNoName, SEE)
  const format = formatOf(values.format, path)
  const isBinary = format === 'parquet' || format === 'wet'
  if (path === '-' && isBinary && process.stdout.isTTY) throw wrongUse(exportWords().binary(format), SEE)
  if (placeInCrawl(path, folder) !== undefined)
    throw wrongUse(exportWords().insideCrawl(printable(path), printable(folder)), SEE)
  const options = {
    table: checkedChoice('--table', values.table ?? 'pages', TABLES, SEE),
    format,
    text: values.text ?? false,
    ...(values.workers !== undefined && { workers: workersOf(values.workers) }),
  }
  const startMs = systemClock()
  const isQuiet = values.quiet ?? false
  const summary = await written(folder, path, options, new WorkBar(isQuiet, startMs))
  const { rows, visits, unread, firstUnread = '' } = summary
  const seconds = shownDecimal((systemClock() - startMs) / 1000, 2)
  if (!isQuiet) say('info', exportWords().done(rows, visits, format, seconds))
  if (unread > 0) say('warn', exportWords().unread(unread, firstUnread))
  return unread > 0 ? 1 : 0
}

async function written(folder: string, path: string, options: ExportOptions, bar: WorkBar): Promise<ExportSummary> {
  const { output, signals } = openOutput(path)
  try {
    const summary = await exportTable(folder, bytes => output.write(bytes), {
      ...options,
      onProgress: share => bar.show(systemClock(), share, exportWords().reading),
    })
    output.commit()
    return summary
  } finally {
    bar.hide()
    output.abandon()
    signals.close()
  }
}

function formatOf(given: string | undefined, path: string): FormatName {
  if (given !== undefined) return checkedChoice('--format', given, FORMATS, SEE)
  return BY_ENDING.find(([ending]) => ending.test(path))?.[1] ?? 'jsonl'
}

function workersOf(text: string): number {
  const workers = readCount(text)
  if (workers !== undefined && workers >= 1 && workers <= MOST_EXPORT_WORKERS) return workers
  throw wrongUse(exportWords().badWorkers(printable(text), MOST_EXPORT_WORKERS), SEE)
}
