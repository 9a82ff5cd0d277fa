import type { PageLine, PagesFile } from '../../archive/pages-file.ts'
import { readWhole } from '../../archive/read-whole.ts'
import type { Archived } from '../../archive/scan.ts'
import type { Extracted } from '../../extract/extract.ts'
import type { FormerVisit, Frontier, Link } from '../../frontier/frontier.ts'
import { packLinks } from '../worker/job.ts'
import { extractedFrom, followed, linksOf } from '../worker/visit.ts'
import { FilteredLinks, type LinkJudges } from './filtered-links.ts'

export interface FormerRooms extends LinkJudges {
  /** The crawl's folder. */
  readonly crawl: string
  readonly frontier: Pick<Frontier, 'explain' | 'settleFormer' | 'offer'>
  readonly pages: PagesFile
  readonly agent: string
}

const AT_ONCE = 100
/** Links offered at a time; see `packLinks`. */
const LINKS_AT_ONCE = 1000

/**
 * Settles pages that a killed run archived but did not settle: they are in the newest files and still wait in the frontier. They
 * are not fetched again; missing lines in `pages.jsonl` are written, and the frontier settles them. `recent`: the newest answers
 * in the archive.
 */
export async function settleFormerVisits(recent: readonly Archived[], rooms: FormerRooms): Promise<void> {
  const pages = recent.filter(({ isPage }) => isPage)
  await completeLines(pages, rooms)
  for (let at = 0; at < pages.length; at += AT_ONCE) {
    const some = pages.slice(at, at + AT_ONCE)
    const explained = await rooms.frontier.explain(some.map(({ url }) => url))
    for (const [i, page] of some.entries()) if (explained[i]!.state === 'waiting') await settle(page, rooms)
  }
}

async function settle(page: Archived, rooms: FormerRooms): Promise<void> {
  const links = offered(page, rooms)
  const most = links.length - (links.length % LINKS_AT_ONCE)
  for (let at = 0; at < most; at += LINKS_AT_ONCE) await rooms.frontier.offer(links.slice(at, at + LINKS_AT_ONCE))
  const visit: FormerVisit = { url: page.url, isPage: true, links: links.slice(most) }
  await rooms.frontier.settleFormer([visit])
}

function offered(page: Archived, { crawl, agent, rules, held, filterLink }: FormerRooms): Link[] {
  const ruled = linksOf(page, readBack(page, crawl, agent).found, rules)
  const links = packLinks([...ruled.links.map(followed), ...ruled.held])
  const found = new FilteredLinks(links, {}, { from: page.url, hops: page.hops + 1 }, { rules, held, filterLink })
  return [...(found.inBatches().links ?? [])].flat()
}

/** Writes missing lines: the crash came before them, or a power cut lost them. */
async function completeLines(pages: readonly Archived[], rooms: FormerRooms): Promise<void> {
  const missing = pages.filter(page => !rooms.pages.isKnown(page))
  if (missing.length === 0) return
  rooms.pages.append(missing.map(page => lineOf(page, rooms)))
  await rooms.pages.sync()
}

function lineOf(page: Archived, { crawl, agent, rules }: FormerRooms): PageLine {
  const { url, status, hops, dateMs, file, offset, length } = page
  const { found, bytes } = readBack(page, crawl, agent)
  const linksOut = linksOf(page, found, rules).links.length
  const { title, tokens } = found
  return { url, status, title, bytes, tokens, hops, linksOut, dateMs, file, offset, length }
}

function readBack({ url, file, offset }: Archived, crawl: string, agent: string): { found: Extracted; bytes: number } {
  const { headers, body } = readWhole(crawl, { file, offset }).message
  return { found: extractedFrom({ url, headers, body }, agent), bytes: body.length }
}
