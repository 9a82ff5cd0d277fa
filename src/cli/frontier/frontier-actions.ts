// What `escalona frontier` does; loaded when an action is run, and not for help or a mistake.

import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { systemClock } from '../../base/clock.ts'
import { printable, shellWord } from '../../base/words/printable.ts'
import { shownBytes, shownCount, shownDecimal, shownDuration } from '../../base/words/quantity.ts'
import { waterfall } from '../../folder/stats/outcome-counts.ts'
import type { Dump } from '../../frontier/dump.ts'
import { writeDump } from '../../frontier/dump-files.ts'
import { isWhere, parseWhere } from '../../frontier/redis/engine/where.ts'
import { historyLines } from '../../view/history-lines.ts'
import { FolderStore, sourceAt } from '../../view/stores/folder-store.ts'
import type { FrontierStore, StoreStatus } from '../../view/stores/frontier-store.ts'
import { writeReport } from '../crawl/report-writer.ts'
import { shownHistory } from '../look/explain-command.ts'
import { showHosts } from '../look/hosts-command.ts'
import { hostsLine, line, plannedLines, waterfallLines } from '../look/status-command.ts'
import { redisPassword } from '../terminal/arguments.ts'
import { answer, safeJson, say } from '../terminal/say.ts'
import { StopSignals } from '../terminal/signals.ts'
import { wrongUse } from '../terminal/use-words.ts'
import { WorkBar } from '../terminal/work-bar.ts'
import type { ActionArguments, ActionName } from './frontier-command.ts'
import { frontierWords } from './frontier-words.ts'

/** Each returns the exit code. */
export const RUN: Readonly<Record<ActionName, (asked: ActionArguments) => Promise<number>>> = {
  stats: showStats,
  hosts: showPlaceHosts,
  explain: explainUrl,
  export: exportFrontier,
  import: importFrontier,
  report: reportCrawl,
  clear: clearFrontier,
}

export async function placeAt(where: string): Promise<FrontierStore> {
  const password = redisPassword(process.env)
  if (!isWhere(where)) return new FolderStore(where, password)
  const { RedisStore } = await import('../../view/stores/redis-store.ts')
  return new RedisStore(parseWhere(where, password), message => say('warn', message))
}

/** `stats`: what became of all links, and who works on the crawl. */
async function showStats({ place, values }: ActionArguments): Promise<number> {
  const status = await place.status()
  const links = waterfall(status.frontier)
  if (values.json) {
    const { running: _, ...rest } = status
    answer(`${safeJson({ where: place.shown, waterfall: links, ...rest })}\n`)
    return 0
  }
  const { frontier, outlook } = status
  const lines = [place.shown, '', ...waterfallLines(links), '', hostsLine(frontier, outlook), ...moreLines(status)]
  answer(`${lines.join('\n')}\n`)
  return 0
}

function moreLines({ frontier, outlook, crawlers, shards }: StoreStatus): string[] {
  const words = frontierWords()
  const { auxiliaries, turnedAway } = frontier
  const away = Object.entries(turnedAway).filter(([, links]) => links > 0)
  const shown = crawlers?.map(({ id, pages, agoMs }) =>
    words.crawler(
      printable(id),
      shownCount(pages),
      agoMs === undefined ? words.left : words.heard(shownDuration(agoMs)),
    ),
  )
  return [
    ...plannedLines({ frontier, outlook }),
    ...(auxiliaries > 0 ? [line(words.auxiliaries, shownCount(auxiliaries))] : []),
    ...(away.length > 0
      ? [line(words.turnedAway, away.map(([bound, links]) => `${bound} ${shownCount(links)}`).join(', '))]
      : []),
    ...(shards === undefined ? [] : [line(words.shards, shownCount(shards))]),
    ...(shown === undefined
      ? []
      : (shown.length === 0 ? [words.nobody] : shown).map((text, n) => line(n === 0 ? words.crawlers : '', text))),
  ]
}

async function showPlaceHosts({ place, values }: ActionArguments): Promise<number> {
  await showHosts(filter => place.hosts(filter), values)
  return 0
}

async function explainUrl({ place, argument, values }: ActionArguments): Promise<number> {
  const history = await place.explain(argument)
  answer(values.json ? `${safeJson(history)}\n` : `${shownHistory(history.url, historyLines(history)).join('\n')}\n`)
  return 0
}

/** `export DIR`: writes the whole frontier to a folder. */
async function exportFrontier({ place, argument: folder, values }: ActionArguments): Promise<number> {
  const words = frontierWords()
  const dump = await place.dump()
  const work = new Work(values.quiet ?? false, dump.head.known, words.exporting)
  try {
    const { signal, onLinks } = work
    const bytes = shownBytes(await writeDump({ folder, signal, onLinks, crawl: dump.crawl }, dump))
    work.done(seconds => words.exported(...countsOf(dump), printable(folder), bytes, seconds))
    return 0
  } catch (error) {
    return work.stopped(error, words.exportStopped)
  } finally {
    work.end()
  }
}

/** `import DIR`: fills a new or empty place from such a folder, or from that of a crawl or a frontier. */
async function importFrontier({ place, argument: folder, values }: ActionArguments): Promise<number> {
  const words = frontierWords()
  const dump = await sourceAt(folder)
  const work = new Work(values.quiet ?? false, dump.head.known, words.importing)
  try {
    const { signal, onLinks } = work
    await place.restore(dump, { signal, onLinks })
    work.done(seconds => words.imported(...countsOf(dump), place.shown, seconds))
    return 0
  } catch (error) {
    const command = `escalona frontier ${shellWord(place.shown)} clear --yes`
    return work.stopped(error, words.importStopped(place.shown, command))
  } finally {
    work.end()
  }
}

function countsOf({ head }: Dump): [string, string] {
  return [shownCount(head.known), shownCount(head.hosts)]
}

/** Long work: shows how far it is, and ends when a signal asks for it. */
class Work {
  readonly signal: AbortSignal
  private readonly stop = new AbortController()
  private readonly signals = new StopSignals(() => this.stop.abort())
  private readonly startMs = systemClock()
  private readonly bar: WorkBar
  private readonly isQuiet: boolean
  private readonly of: number
  private readonly words: (links: string) => string

  constructor(isQuiet: boolean, of: number, words: (links: string) => string) {
    this.signal = this.stop.signal
    this.isQuiet = isQuiet
    this.of = of
    this.words = words
    this.bar = new WorkBar(isQuiet, this.startMs)
  }

  readonly onLinks = (links: number): void => {
    this.bar.show(systemClock(), links / Math.max(1, this.of), this.words(shownCount(links)))
  }

  done(words: (seconds: string) => string): void {
    this.bar.hide()
    if (!this.isQuiet) say('info', words(shownDecimal((systemClock() - this.startMs) / 1000, 1)))
  }

  /** The exit code if a signal ended the work; any other error is thrown. */
  stopped(error: unknown, words: string): number {
    const { exitCode } = this.signals
    if (exitCode === undefined || !this.signal.aborted) throw error
    this.bar.hide()
    say('warn', words)
    return exitCode
  }

  end(): void {
    this.bar.hide()
    this.signals.close()
  }
}

/** `report`: `report.html` and `report.json` about the whole crawl. */
async function reportCrawl({ place, where, values }: ActionArguments): Promise<number> {
  const folder = values.output ?? (isWhere(where) ? '' : where)
  if (folder === '') throw wrongUse(frontierWords().noOutput)
  writeReport(folder, await place.report(), true)
  say('info', frontierWords().reported(printable(join(folder, 'report.html'))))
  return 0
}

/** `clear`: forgets everything, or what waits at one host, after a question. */
async function clearFrontier({ place, values }: ActionArguments): Promise<number> {
  const words = frontierWords()
  const { host, yes, force = false } = values
  const shownHost = host === undefined ? '' : printable(host)
  if (!yes) {
    if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) throw wrongUse(words.sayYes)
    const question = host === undefined ? words.sure(place.shown) : words.sureHost(shownHost, place.shown)
    if (!(await isConfirmed(question))) {
      say('info', words.notCleared)
      return 1
    }
  }
  if (!(await place.clear(host, force))) {
    say('error', words.noSuchHost(shownHost, place.shown))
    return 1
  }
  say('info', host === undefined ? words.cleared(place.shown) : words.hostCleared(shownHost, place.shown))
  return 0
}

async function isConfirmed(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = (await lines.question(question)).trim().toLowerCase()
    return answer === 'yes' || answer === frontierWords().yes
  } finally {
    lines.close()
  }
}
