import { EscalonaError } from '../../../base/errors.ts'
import type { DumpHead, DumpRecord } from '../../dump.ts'
import { notEmpty, unfinished } from '../../dump-words.ts'
import { type Settings, settingsOf } from '../../settings.ts'
import { EngineBook, GONE_MS, isAtWork } from '../crawl-book.ts'
import { crawlKeys } from '../crawl-keys.ts'
import { crawlScripts } from '../crawl-scripts.ts'
import { type CrawlStructure, DEFAULT_SHARDS, FORMAT, readStructure } from '../crawl-structure.ts'
import { words } from '../engine/crawl-words.ts'
import { Engine } from '../engine/engine.ts'
import { shownWhere, type Where } from '../engine/where.ts'
import { listOf, numberOf } from '../shard/replies.ts'
import { crawlTag, shardTags } from '../shard/tags.ts'
import { dumpRedis } from './dump.ts'
import { dumpScripts } from './dump-scripts.ts'
import { checkParts, restoreRedis } from './restore.ts'
import { ShardDump } from './shard-dump.ts'

/** The crawler that imported pages are counted for. */
const IMPORTED = 'imported'

/** What a dump, or an import, has to know besides the frontier. */
export interface DumpOptions extends Partial<Pick<Settings, 'delayMs' | 'retries'>> {
  /** For tests: now, in milliseconds since 1970; default: the engine's time. */
  readonly nowMs?: number
}

/** A crawl in Redis or Valkey, as a whole: to be exported, imported or removed, while no crawler works on it. */
export class CrawlDump {
  readonly book: EngineBook
  private readonly engine: Engine
  private readonly where: Where
  private readonly tag: string

  private constructor(engine: Engine, where: Where) {
    this.engine = engine
    this.where = where
    this.tag = crawlTag(where.name)
    this.book = new EngineBook(engine, where.name)
  }

  static async open(where: Where, onTrouble?: (message: string) => void): Promise<CrawlDump> {
    return new CrawlDump(await Engine.open({ where, onTrouble }), where)
  }

  /** Undefined: there is no crawl of this name. */
  structure(): Promise<CrawlStructure | undefined> {
    return readStructure(this.engine, this.where.name)
  }

  /** How many crawlers work on it. */
  async crawlersAlive(): Promise<number> {
    return (await this.book.crawlers()).filter(isAtWork).length
  }

  /** The whole frontier. Somebody who opens it as a crawler meanwhile is an error at the end: then the dump is not whole. */
  async *dump(structure: CrawlStructure, { delayMs = 0, nowMs }: DumpOptions): AsyncGenerator<DumpRecord> {
    const { fingerprintSeed } = structure
    if (structure.isUnfinished) throw unfinished(shownWhere(this.where))
    await this.checkUnused()
    const shards = this.shards(structure, structure.openings, {})
    const changed = () => new EscalonaError('FRONTIER_CHANGED', words().changed(this.where.name))
    yield* dumpRedis({ shards, fingerprintSeed, delayMs, changed, ...(nowMs !== undefined && { nowMs }) })
    await this.checkUnused()
    const after = await this.structure()
    if (after?.revivals !== structure.revivals || after.isUnfinished) throw changed()
  }

  /**
   * Fills a name that is new or empty. Until it is whole, the name says that it is unfinished and can't be opened. `beforeEnd`
   * is called when only that is left to do.
   */
  async restore(
    head: Pick<DumpHead, 'fingerprintSeed' | 'parts' | 'pages'>,
    records: AsyncIterable<DumpRecord>,
    options: DumpOptions & { readonly dump: string; beforeEnd?(book: EngineBook): Promise<void> },
  ): Promise<void> {
    const { dump, nowMs, retries = settingsOf({}).retries, beforeEnd } = options
    const before = await this.structure()
    if (before !== undefined) await this.checkEmpty(before)
    checkParts(head.parts, before?.shards ?? this.where.shards ?? DEFAULT_SHARDS)
    const { structure, opening } = await this.begin(head)
    const shards = this.shards(structure, opening, { retries })
    await restoreRedis({ shards, dump, retries, ...(nowMs !== undefined && { nowMs }) }, records)
    await this.engine.run(crawlScripts.bury, this.tag, [IMPORTED, '0', String(head.pages), 'put'])
    await beforeEnd?.(this.book)
    for (const shard of shards) await shard.leave()
    await this.engine.ask(this.tag, ['HDEL', this.tag + crawlKeys.counters, 'importing'], true)
  }

  /** Removes everything, even what was imported only in part. */
  async remove(structure: CrawlStructure): Promise<void> {
    const counters = this.tag + crawlKeys.counters
    const opening = numberOf(await this.engine.ask(this.tag, ['HINCRBY', counters, 'openings', '1'], true))
    // What is removed in part can't be used.
    await this.engine.ask(this.tag, ['HSET', counters, 'importing', '0'], true)
    for (const shard of this.shards(structure, opening, {})) await shard.remove()
    const keys = Object.values(crawlKeys).map(key => this.tag + key)
    await this.engine.ask(this.tag, ['UNLINK', ...keys], true)
  }

  close(): Promise<void> {
    return this.engine.close()
  }

  private shards(structure: CrawlStructure, opening: number, options: { retries?: number }): ShardDump[] {
    const { shards, revivals, fingerprintSeed } = structure
    const owner = { id: `dump:${opening}`, opening, revivals }
    const rules = { ...settingsOf(options), fingerprintSeed }
    return shardTags(this.where.name, shards).map((tag, n) => new ShardDump(this.engine, tag, n, owner, rules))
  }

  private async checkUnused(): Promise<void> {
    const alive = await this.crawlersAlive()
    if (alive > 0) throw new EscalonaError('FRONTIER_IN_USE', words().inUse(shownWhere(this.where), alive))
  }

  private async checkEmpty(structure: CrawlStructure): Promise<void> {
    const { where } = this
    if (structure.isUnfinished) throw unfinished(shownWhere(where))
    if (where.shards !== undefined && where.shards !== structure.shards)
      throw new EscalonaError('FRONTIER_OTHER_SHARDS', words().otherShards(where.name, structure.shards, where.shards))
    const heads = await Promise.all(this.shards(structure, structure.openings, {}).map(shard => shard.head()))
    if (heads.some(({ hosts, known }) => hosts + known > 0)) throw notEmpty(shownWhere(where))
  }

  private async begin(
    head: Pick<DumpHead, 'fingerprintSeed'>,
  ): Promise<{ readonly structure: CrawlStructure; readonly opening: number }> {
    const { where } = this
    const [low, high] = head.fingerprintSeed
    const given = [FORMAT, where.shards ?? 0, DEFAULT_SHARDS, low, high, GONE_MS].map(String)
    const answer = listOf(await this.engine.run(dumpScripts.beginImport, this.tag, given)).map(numberOf)
    const [what = 0, shards = 0, opening = 0, revivals = 0] = answer
    if (what === -3) throw new EscalonaError('FRONTIER_IN_USE', words().inUse(shownWhere(where), shards))
    if (what === -5) throw unfinished(shownWhere(where))
    if (what !== 1) throw notEmpty(shownWhere(where))
    const structure = { shards, fingerprintSeed: head.fingerprintSeed, openings: opening, revivals, isUnfinished: true }
    return { structure, opening }
  }
}
