import { existsSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type ArchiveFile, archiveFiles, finishedPath, openPath } from '../../archive/names.ts'
import { readRecord } from '../../archive/read.ts'
import { type Archived, scanFile } from '../../archive/scan.ts'
import { httpOf } from '../../archive/warc-record.ts'
import type { Clock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
import { FolderLock } from '../../base/files/folder-lock.ts'
import { syncFolder } from '../../base/files/whole-file.ts'
import { said } from '../../base/messages/message.ts'
import { FilteredLinks, type FilterLink, HeldLinks } from '../../decide/filtered-links.ts'
import { packLinks } from '../../decide/job.ts'
import { type Attachment, readNote, writeNote } from '../../decide/link-note.ts'
import { LinkRanks, type RankLink, rankOfUrl } from '../../decide/link-rank.ts'
import { MOST_REDIRECTS } from '../../decide/policy.ts'
import { RevisitPlan } from '../../decide/revisit-plan.ts'
import { originOf, robotsLink } from '../../decide/robots-gate.ts'
import { type DetectLanguage, languageDetector } from '../../extract/detect-language.ts'
import { hostChangesIn } from '../../folder/actions-file.ts'
import { failureLines, pageLines } from '../../folder/lines-of.ts'
import { readSitemapsFile, writeSitemapsFile } from '../../folder/sitemaps-file.ts'
import type { CrawlFrontier, FrontierCounts, Link } from '../../frontier/frontier.ts'
import { openLocal } from '../../frontier/local/open.ts'
import { LinkRules, linkRuleOptions } from '../../settings/link-rules.ts'
import { agentOf, type CrawlSettings } from '../../settings/settings.ts'
import { registrableDomain } from '../../url/registrable-domain.ts'
import { prepareBase, webUrl } from '../../url/web.ts'
import { redirectOf } from '../../visit/visit.ts'
import { offerSeeds, planFormerPages } from './enqueue.ts'
import { type FormerDeps, formerPages, linksOn } from './former-visits.ts'
import { FRONTIER_FOLDER, openOwnFrontier, WITNESS_FILE } from './open-frontier.ts'
import { ShorterPaths } from './shorter-paths.ts'

export interface RebuildProgress {
  /** Archived pages that were read again, and how many there are. */
  readonly pages: number
  readonly ofPages: number
}

export interface RebuildOptions {
  /** The crawl's folder; its lock is held, and its archive was repaired. */
  readonly crawl: string
  readonly settings: CrawlSettings
  readonly seeds: readonly string[]
  readonly lines: number
  readonly revisits: boolean
  readonly filterLink?: FilterLink | undefined
  readonly rankLink?: RankLink | undefined
  readonly clock: Clock
  fence(): void
  onRepair(message: string): void
  onProgress(progress: RebuildProgress): void
}

const AT_ONCE = 1000
/** Archived pages whose changes may share a sync. */
const PAGES_AT_ONCE = 100

/** Where a frontier is made again until it is whole. */
const UNFINISHED_FOLDER = 'frontier.rebuilding'

/**
 * Makes the frontier of a crawl again, from everything else in its folder: seeds, failures, and the archived answers, whose links
 * are extracted anew. Pages are done, redirects too, and nothing is requested. It is made beside its place; the frontier that was
 * there is renamed. Killed at any moment, it can be run again.
 */
export async function rebuildFrontier(options: RebuildOptions): Promise<void> {
  const { crawl, settings, clock, fence, onRepair } = options
  const unfinished = join(crawl, UNFINISHED_FOLDER)
  fence()
  rmSync(unfinished, { recursive: true, force: true })
  const frontier = await openOwnFrontier(unfinished, settings, { clock, onRepair() {} })
  try {
    const rebuilding = new Rebuilding(frontier, options, await frontier.counts(), await languageDetector(settings))
    await rebuilding.fill()
    const { pages, waiting, refused, refusedFor } = await frontier.counts()
    onRepair(said('run/rebuilt', { pages, links: waiting, refused }))
    if (rebuilding.unread > 0) onRepair(said('run/unread', { pages: rebuilding.unread }))
    const notKept = (refusedFor.noindex ?? 0) + (refusedFor.noarchive ?? 0)
    if (notKept > 0) onRepair(said('run/not-kept', { pages: notKept }))
  } finally {
    await frontier.close()
  }
  // Locations of sitemaps are in no archive: they are read again.
  const { hints } = readSitemapsFile(crawl)
  writeSitemapsFile(crawl, { readAtMs: new Map(), hints })
  await setAside(options)
  renameSync(unfinished, join(crawl, FRONTIER_FOLDER))
  syncFolder(crawl)
}

/** The frontier that was there before, and its witness, get another name. */
async function setAside({ crawl, fence, onRepair }: RebuildOptions): Promise<void> {
  const [former, witness] = [FRONTIER_FOLDER, WITNESS_FILE].map(name => join(crawl, name)) as [string, string]
  fence()
  rmSync(witness, { force: true })
  if (!existsSync(former)) return
  const lock = await FolderLock.acquire(former, { codes: 'FRONTIER' })
  lock.release()
  let number = 1
  while (existsSync(`${former}.damaged-${number}`)) number++
  renameSync(former, `${former}.damaged-${number}`)
  onRepair(said('run/aside', { path: `${former}.damaged-${number}` }))
}

class Rebuilding {
  unread = 0
  private readonly frontier: CrawlFrontier
  private readonly options: RebuildOptions
  private readonly judges: Omit<FormerDeps, 'frontier' | 'pages'>
  private readonly paths: ShorterPaths
  private pages = 0
  /** What is attached to the links of archived pages. */
  private readonly attached = new Map<string, Attachment>()

  constructor(
    frontier: CrawlFrontier,
    options: RebuildOptions,
    counts: FrontierCounts,
    detectLanguage?: DetectLanguage,
  ) {
    const { crawl, settings, seeds, filterLink, rankLink } = options
    this.frontier = frontier
    this.options = options
    this.paths = new ShorterPaths(frontier, true)
    this.judges = {
      crawl,
      agent: agentOf(settings.userAgent),
      detectLanguage,
      rules: new LinkRules(linkRuleOptions(settings, [...seeds]), registrableDomain),
      held: new HeldLinks(frontier, settings.maxHeld, counts),
      ranks: new LinkRanks(settings, rankLink),
      filterLink,
      earlier: formerPages(crawl),
    }
  }

  async fill(): Promise<void> {
    const { crawl, settings, revisits } = this.options
    // Failures come first: a link that is offered as refused stays so when it is found on a page.
    await this.addFailures()
    await offerSeeds(this.frontier, this.options.seeds, this.judges.ranks)
    for (const file of archiveFiles(crawl)) await this.addFile(file)
    await this.addUnread()
    await this.addBlocks()
    if (revisits) await planFormerPages(crawl, this.frontier, new RevisitPlan(settings))
  }

  /** Links that ended without a page. How many links they are away from a seed follows from the page that they were found on. */
  private async addFailures(): Promise<void> {
    const { crawl } = this.options
    const found = await openLocal()
    let some: Link[] = []
    const offerTo = async (frontier: CrawlFrontier, least: number) => {
      if (some.length < least) return
      await frontier.offer(some)
      some = []
    }
    for (const { url, hops, change, label, data } of pageLines(crawl)) {
      if (label !== undefined || data !== undefined) this.attached.set(url, { label, data })
      if (change === 'new') some.push({ url, rank: 0, hops })
      await offerTo(found, AT_ONCE)
    }
    await offerTo(found, 1)
    for (const { url, from, reason } of failureLines(crawl)) {
      const parsed = webUrl(url)
      if (typeof parsed === 'string') continue
      const hops = from === undefined ? 0 : ((await found.link(from))?.hops ?? 0) + 1
      const note = writeNote(from === undefined ? {} : { from })
      some.push({ url, rank: this.judges.ranks.ofUrl(url, hops), hops, note, refused: reason })
      await offerTo(this.frontier, AT_ONCE)
    }
    await offerTo(this.frontier, 1)
    await found.close()
  }

  /** The answers in a WARC file, in their order: what a page links to was found before it was asked for. */
  private async addFile({ name, isOpen }: ArchiveFile): Promise<void> {
    const { crawl, fence } = this.options
    fence()
    let archived: readonly Archived[]
    try {
      archived = isOpen
        ? scanFile(openPath(crawl, name), name, 0).archived
        : scanFile(finishedPath(crawl, name), name).archived
    } catch (error) {
      if (error instanceof EscalonaError && error.code === 'ARCHIVE_DAMAGED') return
      throw error
    }
    let underWay: Promise<void>[] = []
    for (const one of archived) {
      if (one.isPage) underWay.push(this.addPage(one))
      if (underWay.length < PAGES_AT_ONCE && one.isPage) continue
      await Promise.all(underWay)
      underWay = []
      if (!one.isPage) await this.addOther(one)
    }
    await Promise.all(underWay)
  }

  private async addPage(page: Archived): Promise<void> {
    const { url, hops, status, dateMs } = page
    const { ranks } = this.judges
    // The link was offered with the page that it was found on, whose note says how important this one is.
    const note = ranks.needsNotes ? (await this.frontier.link(url))?.note : undefined
    const links = status === 304 ? [] : linksOn(page, this.judges, { of: this.attached.get(url), note })
    const self: Link = { url, rank: rankOfUrl(url), hops }
    const offers: Promise<unknown>[] = [this.frontier.offer([self])]
    for (let at = 0; at < links.length; at += AT_ONCE) offers.push(this.frontier.offer(links.slice(at, at + AT_ONCE)))
    // Links that were held because of an earlier page; this one may be among them, and what is refused is not settled.
    const letIn = this.paths.ahead([[self, ...links]])
    offers.push(letIn.then(() => this.frontier.settleFormer([{ url, isPage: true, links: [], dateMs }])))
    await Promise.all(offers)
    this.options.onProgress({ pages: ++this.pages, ofPages: Math.max(this.pages, this.options.lines) })
  }

  /** A redirect ends its link, and its target is a link of its own. A robots.txt that names sitemaps is asked for again. */
  private async addOther({ url, file, offset, status }: Archived): Promise<void> {
    const { crawl, settings } = this.options
    const isRobots = settings.sitemaps === 'yes' && status === 200 && basename(url) === 'robots.txt'
    const isRedirect = status >= 300 && status < 400
    if (!isRobots && !isRedirect) return
    const { headers, body } = httpOf(readRecord(crawl, file, offset))
    if (isRobots && /^\s*sitemap\s*:/im.test(Buffer.from(body).toString('latin1'))) {
      await this.frontier.offer([robotsLink(originOf(url))])
    }
    const location = redirectOf({ status, headers })
    const link = location === undefined ? undefined : await this.frontier.link(url)
    if (location === undefined || link === undefined || link.reason !== undefined) return
    const target = webUrl(location, prepareBase(url))
    const { rules } = this.judges
    const { hops } = link
    const links: Link[] = []
    const redirects = (readNote(link.note).redirects ?? 0) + 1
    if (typeof target !== 'string' && redirects <= MOST_REDIRECTS) {
      const refused = hops === 0 ? undefined : rules.refusal(target, hops)
      const packed = packLinks([{ url: target.href, pathDepth: target.depth, refused }])
      const page = { note: link.note, isSeed: hops === 0, linksOut: 1 }
      for (const batch of new FilteredLinks(packed, {}, { from: url, hops, redirects, page }, this.judges).batches)
        links.push(...batch)
    }
    await this.frontier.settleFormer([{ url, isPage: false, links }])
  }

  /** Pages whose records are not there: they are done, and their links are not known. */
  private async addUnread(): Promise<void> {
    let some: { readonly url: string; readonly hops: number; readonly dateMs: number }[] = []
    const add = async () => {
      const states = await this.frontier.explain(some.map(({ url }) => url))
      const missing = some.filter((_, n) => states[n]!.state === 'unknown' || states[n]!.state === 'waiting')
      this.unread += missing.length
      await this.frontier.offer(missing.map(({ url, hops }) => ({ url, rank: 0, hops })))
      await this.frontier.settleFormer(missing.map(({ url, dateMs }) => ({ url, isPage: true, links: [], dateMs })))
      some = []
    }
    for (const { url, hops, dateMs, change } of pageLines(this.options.crawl)) {
      if (change === 'new') some.push({ url, hops, dateMs })
      if (some.length >= AT_ONCE) await add()
    }
    await add()
  }

  private async addBlocks(): Promise<void> {
    const nowMs = this.options.clock()
    const blocked = new Map<string, number>()
    for (const { host, change } of hostChangesIn(this.options.crawl)) {
      if (change.blockedUntilMs !== undefined) blocked.set(host, (change.blockedUntilMs ?? 0) - nowMs)
    }
    for (const [host, forMs] of blocked) if (forMs > 0) await this.frontier.hold(host, { forMs })
  }
}
