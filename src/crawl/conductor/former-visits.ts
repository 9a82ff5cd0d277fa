import type { PageLine, PagesFile } from '../../archive/pages-file.ts'
import { readRecord } from '../../archive/read.ts'
import type { Archived } from '../../archive/scan.ts'
import { httpOf } from '../../archive/warc-record.ts'
import type { Extracted } from '../../extract/extract.ts'
import type { FormerVisit, Frontier, Link } from '../../frontier/frontier.ts'
import type { LinkRules } from '../worker/link-rules.ts'
import { extractedFrom, linksOf } from '../worker/visit.ts'
import type { FilterLink } from './filtered-links.ts'
import { writeNote } from './link-note.ts'

export interface FormerRooms {
  /** The crawl's folder. */
  readonly crawl: string
  readonly frontier: Pick<Frontier, 'explain' | 'settleFormer' | 'offer'>
  readonly pages: PagesFile
  readonly agent: string
  readonly rules: LinkRules
  readonly filterLink?: FilterLink | undefined
}

const AT_ONCE = 100
/** Offered at a time; see `packLinks`. */
const LINKS_AT_ONCE = 1000

/**
 * Pages that an earlier run archived and could not settle any more, because it was killed: they lie in the newest files and
 * still wait in the frontier. They are not fetched again: lines that are missing in `pages.jsonl` are written, and the frontier
 * hears of them. `recent`: the newest answers in the archive.
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
  const links = followed(page, rooms)
  const most = links.length - (links.length % LINKS_AT_ONCE)
  for (let at = 0; at < most; at += LINKS_AT_ONCE) await rooms.frontier.offer(links.slice(at, at + LINKS_AT_ONCE))
  const visit: FormerVisit = { url: page.url, isPage: true, links: links.slice(most) }
  await rooms.frontier.settleFormer([visit])
}

function followed(page: Archived, { crawl, agent, rules, filterLink }: FormerRooms): Link[] {
  const { url } = page
  const hops = page.hops + 1
  const note = writeNote({ from: url })
  return linksOf(page, readBack(page, crawl, agent).found, rules)
    .links.filter(({ href }) => filterLink?.({ url: href, from: url, hops }) ?? true)
    .map(({ href, depth }) => ({ url: href, pathDepth: depth, hops, note }))
}

/** Writes the lines that are missing: the crash came before them, or a power cut lost them. */
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
  const { headers, body } = httpOf(readRecord(crawl, file, offset))
  return { found: extractedFrom({ url, headers, body }, agent), bytes: body.length }
}
