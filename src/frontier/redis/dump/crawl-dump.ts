import { EscalonaError } from '../../../base/errors.ts'
import { uniqueName } from '../../../base/random.ts'
import { hostOf } from '../../../url/host-of.ts'
import { ALL_PARTS, type Dump, type DumpHead, type DumpRecord, doneIn, linksIn } from '../../dump.ts'
import { damagedDump, dumpWords, notEmpty, unfinished } from '../../dump-words.ts'
import type { FrontierCounts } from '../../frontier.ts'
import { type FrontierSettings, settingsOf } from '../../options.ts'
import { type RestoreOptions, type RestoreTarget, restoreDump } from '../../restore-dump.ts'
import { EngineBook, GONE_MS, isAtWork } from '../crawl-book.ts'
import { crawlKeys } from '../crawl-keys.ts'
import { crawlScripts } from '../crawl-scripts.ts'
import { type CrawlStructure, DEFAULT_SHARDS, FORMAT, readStructure } from '../crawl-structure.ts'
import { words } from '../engine/crawl-words.ts'
import { Engine } from '../engine/engine.ts'
import { script } from '../engine/scripts.ts'
import { shownWhere, type Where } from '../engine/where.ts'
import { countsOf } from '../looking.ts'
import { grouped } from '../session.ts'
import { HostShards } from '../shard/host-places.ts'
import { listOf, numberOf } from '../shard/replies.ts'
import { crawlTag, shardTags } from '../shard/tags.ts'
import { ShardDump } from './shard-dump.ts'

/** The crawler that imported pages are counted for. */
const IMPORTED = 'imported'
const beginImport = script('crawl/begin-import')

/** What a dump, or an import, has to know besides the frontier. */
export interface DumpOptions extends Partial<Pick<FrontierSettings, 'delayMs' | 'retries'>> {
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

  /** The whole frontier. If a crawler opens it meanwhile, that is an error at the end: then the dump is not whole. */
  async dump(structure: CrawlStructure, options: DumpOptions): Promise<Dump> {
    const { fingerprintSeed, shards: parts } = structure
    if (structure.isUnfinished) throw unfinished(shownWhere(this.where))
    await this.checkUnused()
    const shards = this.shards(structure, structure.openings, {})
    const { known, hosts, auxiliaries, turnedAway } = await countsIn(shards)
    const head = { fingerprintSeed, parts, known, hosts, auxiliaries, turnedAway }
    return { head, records: this.records(structure, head, shards, options) }
  }

  private async *records(
    structure: CrawlStructure,
    head: DumpHead,
    shards: readonly ShardDump[],
    { delayMs = 0, nowMs }: DumpOptions,
  ): AsyncGenerator<DumpRecord> {
    const now = await shards[0]!.now(nowMs)
    let [known, hosts] = [0, 0]
    const all = [...shards.map(shard => shard.records(now, delayMs)), ...shards.map((shard, n) => shard.done(n))]
    for (const records of all) {
      for await (const record of records) {
        known += linksIn(record)
        if (record.kind === 'host') hosts++
        yield record
      }
    }
    for (const shard of shards) await shard.leave()
    await this.checkUnused()
    const after = await this.structure()
    const isWhole = known >= head.known && hosts === head.hosts && (await countsIn(shards)).known === head.known
    if (!isWhole || after?.revivals !== structure.revivals || after.isUnfinished)
      throw new EscalonaError('FRONTIER_CHANGED', words().changed(this.where.name))
  }

  /**
   * Fills a name that is new or empty. Until it is whole, the name says that it is unfinished and can't be opened. `beforeEnd`
   * is called when only that is left to do.
   */
  async restore(
    dump: Dump,
    options: DumpOptions & RestoreOptions & { beforeEnd?(book: EngineBook): Promise<void> },
  ): Promise<void> {
    const { retries = settingsOf({}).retries, beforeEnd } = options
    const before = await this.structure()
    if (before !== undefined) await this.checkEmpty(before)
    const { parts } = dump.head
    const wanted = before?.shards ?? this.where.shards ?? DEFAULT_SHARDS
    if (parts !== ALL_PARTS && parts % wanted !== 0)
      throw new EscalonaError('DUMP_OTHER_SHARDS', dumpWords().parts(parts, wanted))
    const { structure, opening } = await this.begin(dump.head)
    const shards = this.shards(structure, opening, { retries })
    await restoreDump(dump, targetOf(shards, dump.head, options), options)
    const { pages } = await countsIn(shards)
    await this.engine.run(crawlScripts.fence, this.tag, [IMPORTED, '0', String(pages), 'put'])
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
    // Of its own each time: an export writes too, if only what somebody left unfinished.
    const owner = { id: `dump:${uniqueName()}`, opening, revivals }
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
    const { hosts, known } = await countsIn(this.shards(structure, structure.openings, {}))
    if (hosts + known > 0) throw notEmpty(shownWhere(where))
  }

  private async begin(
    head: Pick<DumpHead, 'fingerprintSeed'>,
  ): Promise<{ readonly structure: CrawlStructure; readonly opening: number }> {
    const { where } = this
    const [low, high] = head.fingerprintSeed
    const given = [FORMAT, where.shards ?? 0, DEFAULT_SHARDS, low, high, GONE_MS].map(String)
    const answer = listOf(await this.engine.run(beginImport, this.tag, given)).map(numberOf)
    const [what = 0, shards = 0, opening = 0, revivals = 0] = answer
    if (what === -3) throw new EscalonaError('FRONTIER_IN_USE', words().inUse(shownWhere(where), shards))
    if (what === -5) throw unfinished(shownWhere(where))
    if (what !== 1) throw notEmpty(shownWhere(where))
    const structure = { shards, fingerprintSeed: head.fingerprintSeed, openings: opening, revivals, isUnfinished: true }
    return { structure, opening }
  }
}

function countsIn(shards: readonly ShardDump[]): Promise<FrontierCounts> {
  return countsOf(shards.map(shard => ({ shard })))
}

/** Empty shards of a crawl that no crawler works on. Memory does not grow with what they get. */
function targetOf(
  shards: readonly ShardDump[],
  head: DumpHead,
  { nowMs, dump }: DumpOptions & RestoreOptions,
): RestoreTarget {
  const places = new HostShards(shards.length)
  /** Counted in the first shard that gets a host. */
  let turnedAway = [head.turnedAway['max-hosts'], head.turnedAway['domain-hosts'], head.turnedAway['page-hosts']]
  const each = async <Item>(
    groups: Map<number, Item[]>,
    write: (shard: ShardDump, some: readonly Item[]) => Promise<unknown>,
  ): Promise<void> => {
    await Promise.all([...groups].map(([number, some]) => write(shards[number]!, some)))
  }
  return {
    server(some) {
      const groups = grouped(some, ({ server }) => places.ofServer(server))
      return each(groups, (shard, list) => shard.restoreServers(list, nowMs))
    },

    host(some) {
      const hosts = some.map(record => ({ record, place: places.of(record.host) }))
      return each(
        grouped(hosts, ({ place }) => place.shard),
        async (shard, list) => {
          const away = turnedAway
          turnedAway = [0, 0, 0]
          const twice = await shard.restoreHosts(list, away, nowMs)
          if (twice > 0) throw damagedDump(dump, dumpWords().wrongOrder)
        },
      )
    },

    link(some) {
      const links = some.map(({ link, attempts = 0 }) => {
        return { link: { ...link, attempts }, host: places.of(hostOf(link.url)), group: 0 }
      })
      const groups = grouped(links, ({ host }) => host.shard)
      return each(groups, (shard, list) => shard.offer(list, nowMs))
    },

    note(some) {
      const groups = grouped(some, ({ host }) => places.of(host).shard)
      return each(groups, async (shard, list) => {
        for (const { host, key, bytes, forMs } of list)
          await shard.note(host, key, Buffer.from(bytes, 'base64'), forMs, nowMs)
      })
    },

    done(some) {
      const links = some.flatMap(record => [...doneIn(record)])
      const groups = grouped(links, ({ part }) => part % shards.length)
      return each(groups, (shard, list) => shard.restoreDone(list))
    },

    /** They are done; nothing is visited again here. */
    async planned() {},

    counts: () => countsIn(shards),
  }
}
