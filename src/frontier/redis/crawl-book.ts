import { crawlKeys } from './crawl-structure.ts'
import { BEAT_MS, BEATS_TO_GONE, othersOf } from './crawlers.ts'
import { type Argument, Engine, type Reply } from './engine/engine.ts'
import { CRAWL_SCRIPTS } from './engine/scripts.ts'
import type { Where } from './engine/where.ts'
import { crawlTag } from './shard/host-shards.ts'
import { fieldsOf, listOf, numberOf, textIn, textOf } from './shard/replies.ts'

/** A crawler, as the others see it. */
export interface CrawlerView {
  readonly id: string
  /** Pages that it has done, as it last reported. */
  readonly pages: number
  /** How long ago it last reported; undefined: it has left. */
  readonly agoMs: number | undefined
}

/** A crawler that did not report for this long is gone. */
export const GONE_MS = BEAT_MS * BEATS_TO_GONE

/** Whether a crawler works on the crawl now. */
export function isAtWork({ agoMs }: CrawlerView): boolean {
  return agoMs !== undefined && agoMs < GONE_MS
}

/** Opens the book of a crawl for a client that isn't a crawler (yet), on connections of its own. Creates nothing. */
export async function openCrawlBook(
  where: Where,
  onTrouble?: (message: string) => void,
): Promise<CrawlBook & { close(): Promise<void> }> {
  const engine = await Engine.open({ where, onTrouble })
  return Object.assign(new CrawlBook(engine, where.name), { close: () => engine.close() })
}

const LINES_AT_ONCE = 500

/** What is kept for a crawl as a whole, beside its frontier: its settings, its seeds, and the crawlers that work on it. */
export class CrawlBook {
  private readonly engine: Engine
  private readonly tag: string

  constructor(engine: Engine, name: string) {
    this.engine = engine
    this.tag = crawlTag(name)
  }

  /** The settings of the crawl; undefined: none were written yet. */
  async settings(): Promise<string | undefined> {
    return textIn(await this.read('GET', 'settings'))
  }

  /** Writes the settings, unless there are some already. Returns those that hold now. */
  async writeSettings(text: string): Promise<string> {
    await this.write('SET', 'settings', text, 'NX')
    return textOf(await this.read('GET', 'settings'))
  }

  /** Replaces the settings if they still are `before`. Returns whether they were. */
  async replaceSettings(before: string, text: string): Promise<boolean> {
    return numberOf(await this.engine.run(CRAWL_SCRIPTS.swap, this.tag, [before, text])) === 1
  }

  /** Whether all seeds of the beginning were offered. */
  async isSeeded(): Promise<boolean> {
    return textIn(await this.read('HGET', 'counters', 'seeded')) !== undefined
  }

  async markSeeded(): Promise<void> {
    await this.write('HSET', 'counters', 'seeded', '1')
  }

  /** The seeds, from this one on (0: the first), in the order in which they were added. */
  async seeds(from: number): Promise<readonly string[]> {
    return listOf(await this.read('LRANGE', 'seeds', String(from), '-1')).map(textOf)
  }

  /** Adds seeds at the end. In trouble some may be added twice. */
  async addSeeds(lines: readonly string[]): Promise<void> {
    for (let at = 0; at < lines.length; at += LINES_AT_ONCE) {
      await this.write('RPUSH', 'seeds', ...lines.slice(at, at + LINES_AT_ONCE))
    }
  }

  /** Keeps the statistics of a crawler, in place of its former ones. */
  async writeTally(crawler: string, text: string): Promise<void> {
    await this.write('HSET', 'tallies', crawler, text)
  }

  /** The statistics of every crawler that ever wrote some, by its id. */
  async tallies(): Promise<ReadonlyMap<string, string>> {
    const fields = fieldsOf(await this.read('HGETALL', 'tallies'))
    return new Map([...fields].map(([crawler, tally]) => [crawler, tally.toString()]))
  }

  /** Every crawler that ever worked on this crawl. */
  async crawlers(): Promise<readonly CrawlerView[]> {
    const looking = ['', '0', '0', '0', '0', '0', '-1', '0', 'beat', '0']
    const [, , , , , ...list] = listOf(await this.engine.run(CRAWL_SCRIPTS.permit, this.tag, looking))
    return othersOf(list).map(({ id, pages, agoMs, hasLeft }) => ({ id, pages, agoMs: hasLeft ? undefined : agoMs }))
  }

  private read(command: string, key: keyof typeof crawlKeys, ...rest: Argument[]): Promise<Reply> {
    return this.engine.ask(this.tag, [command, this.tag + crawlKeys[key], ...rest])
  }

  private write(command: string, key: keyof typeof crawlKeys, ...rest: Argument[]): Promise<Reply> {
    return this.engine.ask(this.tag, [command, this.tag + crawlKeys[key], ...rest], true)
  }
}
