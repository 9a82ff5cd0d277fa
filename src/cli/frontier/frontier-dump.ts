import { systemClock } from '../../base/clock.ts'
import { printable, shellWord } from '../../base/words/printable.ts'
import { shownBytes, shownCount, shownDecimal } from '../../base/words/quantity.ts'
import type { Dump } from '../../frontier/dump.ts'
import { writeDump } from '../../frontier/dump-files.ts'
import { sourceAt } from '../../view/places/folder-place.ts'
import { say } from '../terminal/say.ts'
import { StopSignals } from '../terminal/stop-signals.ts'
import { WorkBar } from '../terminal/work-bar.ts'
import type { Asked } from './frontier-command.ts'
import { frontierWords } from './frontier-words.ts'

/** `export DIR`: writes the whole frontier to a folder. */
export async function exportFrontier({ place, argument: folder, values }: Asked): Promise<number> {
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
export async function importFrontier({ place, argument: folder, values }: Asked): Promise<number> {
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
