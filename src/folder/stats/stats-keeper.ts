import type { Clock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
import { reasonOf } from '../../base/system-error.ts'
import { catalogue } from '../../base/words/language.ts'
import type { CrawlHappening } from '../../settings/events.ts'
import type { FailuresFile } from '../failures-file.ts'
import type { Stats } from './stats.ts'
import { writeStats } from './stats-file.ts'

/** How often statistics are saved when something has happened, and otherwise. */
const EVERY_MS = 1000
const IDLE_EVERY_MS = 5000

const words = catalogue({
  en: {
    unwritable: (why: string) => `cannot write the statistics: ${why}; fix that, then run the same command to continue`,
  },
  pt: {
    unwritable: (why: string) =>
      `não foi possível gravar as estatísticas: ${why}; resolva isso e execute o mesmo comando para continuar`,
  },
})

/** Counts what happens in a run, and saves the statistics in the crawl's folder from time to time. */
export class StatsKeeper {
  readonly stats: Stats
  private readonly folder: { readonly path: string; readonly failures: Pick<FailuresFile, 'bytes'> }
  private readonly clock: Clock
  private readonly startMs: number
  private readonly earlierWorkMs: number
  private savedAtMs: number
  private isUnsaved = true
  private timer: NodeJS.Timeout | undefined

  /** The run begins now. */
  constructor(stats: Stats, folder: StatsKeeper['folder'], clock: Clock) {
    this.stats = stats
    this.folder = folder
    this.clock = clock
    this.startMs = clock()
    this.savedAtMs = this.startMs
    this.earlierWorkMs = stats.workMs
  }

  record(happened: CrawlHappening, atMs: number): void {
    this.stats.workMs = this.workMsAt(atMs)
    this.stats.record(happened, this.stats.workMs)
    this.isUnsaved = true
  }

  /** How long all runs have worked so far. */
  workMsAt(atMs: number): number {
    return this.earlierWorkMs + atMs - this.startMs
  }

  /** Saves from time to time from now on. */
  start(onFailure: (error: EscalonaError) => void): void {
    this.timer = setInterval(() => {
      try {
        this.saveIfDue()
      } catch (error) {
        onFailure(new EscalonaError('CRAWL_UNWRITABLE', words().unwritable(reasonOf(error)), { cause: error }))
      }
    }, EVERY_MS)
  }

  stop(): void {
    clearInterval(this.timer)
  }

  /** Brings the statistics up to date, for somebody else to save them. */
  stamp(atMs: number): void {
    this.stats.workMs = this.workMsAt(atMs)
    this.stats.failuresBytes = this.folder.failures.bytes
  }

  save(atMs: number): void {
    this.stamp(atMs)
    this.isUnsaved = false
    this.savedAtMs = atMs
    writeStats(this.folder.path, this.stats)
  }

  private saveIfDue(): void {
    const atMs = this.clock()
    if (this.isUnsaved || atMs - this.savedAtMs >= IDLE_EVERY_MS) this.save(atMs)
  }
}
