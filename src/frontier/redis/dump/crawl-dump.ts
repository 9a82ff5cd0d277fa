import { EscalonaError } from '../../../base/errors.ts'
import { message } from '../../../base/messages/message.ts'
import { uniqueName } from '../../../base/random.ts'
import { hostOf } from '../../../url/host-of.ts'
import { ALL_PARTS, type Dump, type DumpHead, type DumpRecord, doneIn, linksIn } from '../../dump.ts'
import { damagedDump, notEmpty, unfinished } from '../../dump-errors.ts'
import { type FrontierSettings, settingsOf } from '../../options.ts'
import { type RestoreOptions, type RestoreTarget, restoreDump } from '../../restore-dump.ts'
import { CrawlBook, GONE_MS, isAtWork } from '../crawl-book.ts'
import {
  type CrawlStructure,
  checkUsable,
  crawlKeys,
  DEFAULT_SHARDS,
  FORMAT,
  readStructure,
} from '../crawl-structure.ts'
import { Engine } from '../engine/engine.ts'
import { CRAWL_SCRIPTS, script } from '../engine/scripts.ts'
import { shownWhere, type Where } from '../engine/where.ts'
import { countsOf } from '../looking.ts'
import { grouped, inShards } from '../session.ts'
import { crawlTag, HostShards, shardTags } from '../shard/host-shards.ts'
import { listOf, numberOf } from '../shard/replies.ts'
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
  readonly book: CrawlBook
  private readonly engine: Engine
  private readonly where: Where
  private readonly tag: string

  private constructor(engine: Engine, where: Where) {
    this.engine = engine
    this.where = where
    this.tag = crawlTag(where.name)
    this.book = new CrawlBook(engine, where.name)
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
    const shards = this.shards(structure)
    const { known, hosts, auxiliaries, turnedAway } = await countsOf(shards)
    const head = { fingerprintSeed, parts, known, hosts, auxiliaries, turnedAway }
    return { head, records: this.records(structure, head, shards, options) }
  }

  private async *records(
    structure: CrawlStructure,
    head: DumpHead,
    shards: readonly ShardDump[],
    { delayMs = 0, nowMs }: DumpOptions,
  ): AsyncGenerator<readonly DumpRecord[]> {
    const now = await shards[0]!.now(nowMs)
    let [known, hosts] = [0, 0]
    const all = [
      ...shards.map(shard => shard.records(now, delayMs)),
      ...shards.map((shard, n) => shard.done(n)),
      ...shards.map(shard => shard.planned()),
    ]
    for (const records of all) {
      for await (const some of records) {
        for (const record of some) {
          known += linksIn(record)
          if (record.kind === 'host') hosts++
        }
        yield some
      }
    }
    for (const shard of shards) await shard.leave()
    await this.checkUnused()
    const after = await this.structure()
    const isWhole = known >= head.known && hosts === head.hosts && (await countsOf(shards)).known === head.known
    if (!isWhole || after?.revivals !== structure.revivals || after.isUnfinished)
      throw new EscalonaError('FRONTIER_CHANGED', { name: this.where.name })
  }

  /**
   * Fills a name that is new or empty. Until it is whole, the name says that it is unfinished and can't be opened. `beforeEnd`
   * is called when only that is left to do.
   */
  async restore(
    dump: Dump,
    options: DumpOptions & RestoreOptions & { beforeEnd?(book: CrawlBook): Promise<void> },
  ): Promise<void> {
    const { retries = settingsOf({}).retries, beforeEnd } = options
    const before = await this.structure()
    if (before !== undefined) await this.checkEmpty(before)
    const { parts } = dump.head
    const wanted = before?.shards ?? this.where.shards ?? DEFAULT_SHARDS
    if (parts !== ALL_PARTS && parts % wanted !== 0)
      throw new EscalonaError('DUMP_OTHER_SHARDS', { parts, shards: wanted })
    const shards = this.shards(await this.begin(dump.head), { retries })
    await restoreDump(dump, targetOf(shards, dump.head, options), options)
    const { pages } = await countsOf(shards)
    await this.engine.run(CRAWL_SCRIPTS.fence, this.tag, [IMPORTED, '0', String(pages), 'put'])
    await beforeEnd?.(this.book)
    for (const shard of shards) await shard.leave()
    await this.engine.ask(this.tag, ['HDEL', this.tag + crawlKeys.counters, 'importing'], true)
  }

  /** Removes everything, even what was imported only in part. */
  async remove(structure: CrawlStructure): Promise<void> {
    const counters = this.tag + crawlKeys.counters
    const openings = numberOf(await this.engine.ask(this.tag, ['HINCRBY', counters, 'openings', '1'], true))
    // What is removed in part can't be used.
    await this.engine.ask(this.tag, ['HSET', counters, 'importing', '0'], true)
    for (const shard of this.shards({ ...structure, openings })) await shard.remove()
    const keys = Object.values(crawlKeys).map(key => this.tag + key)
    await this.engine.ask(this.tag, ['UNLINK', ...keys], true)
  }

  close(): Promise<void> {
    return this.engine.close()
  }

  private shards(structure: CrawlStructure, options: { retries?: number } = {}): ShardDump[] {
    const { shards, revivals, fingerprintSeed, openings: opening } = structure
    // Of its own each time: an export writes too, if only what a client left unfinished.
    const owner = { id: `dump:${uniqueName()}`, opening, revivals }
    const rules = { ...settingsOf(options), fingerprintSeed }
    return shardTags(this.where.name, shards).map((tag, n) => new ShardDump(this.engine, tag, n, owner, rules))
  }

  private async checkUnused(): Promise<void> {
    const alive = await this.crawlersAlive()
    if (alive > 0) throw new EscalonaError('FRONTIER_IN_USE', { where: shownWhere(this.where), crawlers: alive })
  }

  private async checkEmpty(structure: CrawlStructure): Promise<void> {
    const { where } = this
    checkUsable(structure, where)
    const { hosts, known } = await countsOf(this.shards(structure))
    if (hosts + known > 0) throw notEmpty(shownWhere(where))
  }

  private async begin({ fingerprintSeed }: DumpHead): Promise<CrawlStructure> {
    const { where } = this
    const given = [FORMAT, where.shards ?? 0, DEFAULT_SHARDS, ...fingerprintSeed, GONE_MS].map(String)
    const answer = listOf(await this.engine.run(beginImport, this.tag, given)).map(numberOf)
    const [what = 0, shards = 0, openings = 0, revivals = 0] = answer
    if (what === -3) throw new EscalonaError('FRONTIER_IN_USE', { where: shownWhere(where), crawlers: shards })
    if (what === -5) throw unfinished(shownWhere(where))
    if (what !== 1) throw notEmpty(shownWhere(where))
    return { shards, fingerprintSeed, openings, revivals, isUnfinished: true }
  }
}

/** Empty shards of a crawl that no crawler works on. Memory does not grow with what they get. */
function targetOf(
  shards: readonly ShardDump[],
  head: DumpHead,
  { nowMs, dump }: DumpOptions & RestoreOptions,
): RestoreTarget {
  const hosts = new HostShards(shards.length)
  /** Counted in the first shard that gets a host. */
  let turnedAway = [head.turnedAway['max-hosts'], head.turnedAway['domain-hosts'], head.turnedAway['page-hosts']]
  return {
    async server(some) {
      const groups = grouped(some, ({ server }) => hosts.ofServer(server))
      await inShards({ shards }, groups, (shard, list) => shard.restoreServers(list, nowMs))
    },

    async host(some) {
      const groups = grouped(some, ({ host }) => hosts.of(host).shard)
      await inShards({ shards }, groups, async (shard, list) => {
        const away = turnedAway
        turnedAway = [0, 0, 0]
        const records = list.map(record => ({ record, place: hosts.of(record.host) }))
        const twice = await shard.restoreHosts(records, away, nowMs)
        if (twice > 0) throw damagedDump(dump, message('dump/wrong-order'))
      })
    },

    async link(some) {
      const links = some.map(({ link, attempts = 0 }) => {
        return { link: { ...link, attempts }, host: hosts.of(hostOf(link.url)), group: 0 }
      })
      const groups = grouped(links, ({ host }) => host.shard)
      await inShards({ shards }, groups, (shard, list) => shard.offer(list, nowMs))
    },

    async note(some) {
      const groups = grouped(some, ({ host }) => hosts.of(host).shard)
      await inShards({ shards }, groups, async (shard, list) => {
        for (const { host, key, bytes, forMs } of list)
          await shard.note(host, key, Buffer.from(bytes, 'base64'), forMs, nowMs)
      })
    },

    async done(some) {
      const links = some.flatMap(record => [...doneIn(record)])
      const groups = grouped(links, ({ part }) => part % shards.length)
      await inShards({ shards }, groups, (shard, list) => shard.restoreDone(list))
    },

    async planned(some) {
      const visits = some.map(({ visit, ...rest }) => ({ ...visit, ...rest, host: hosts.of(hostOf(visit.url)) }))
      const groups = grouped(visits, ({ host }) => host.shard)
      await inShards({ shards }, groups, async (shard, list) => {
        const planned = await shard.plan(list, false, nowMs)
        if (planned < list.length) throw damagedDump(dump, message('dump/wrong-order'))
      })
    },

    counts: () => countsOf(shards),
  }
}
