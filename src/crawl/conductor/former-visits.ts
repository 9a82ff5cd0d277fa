import type { Change, PageLine, PagesFile } from '../../archive/pages-file.ts'
import { readWhole } from '../../archive/read-whole.ts'
import type { Archived, Place } from '../../archive/scan.ts'
import { type Visit, visitsOf } from '../../archive/visits-of.ts'
import type { Extracted } from '../../extract/extract.ts'
import type { Again, FormerVisit, Frontier, Link } from '../../frontier/frontier.ts'
import { type KnownAnswer, validatorsOf } from '../worker/former-answer.ts'
import { packLinks } from '../worker/job.ts'
import { knownFrom, storedTextDigest } from '../worker/read-former.ts'
import { extractedFrom, followed, linksOf } from '../worker/visit.ts'
import { FilteredLinks, type LinkJudges } from './filtered-links.ts'
import { readNote, readPageNote } from './link-note.ts'
import type { RevisitPlan } from './revisit-plan.ts'

export interface FormerRooms extends LinkJudges {
  /** The crawl's folder. */
  readonly crawl: string
  readonly frontier: Pick<Frontier, 'explain' | 'link' | 'settleFormer' | 'offer'>
  readonly pages: PagesFile
  readonly agent: string
  /** When pages are visited again; undefined: no next visit is planned. */
  readonly plan?: RevisitPlan | undefined
}

const AT_ONCE = 100
/** Links offered at a time; see `packLinks`. */
const LINKS_AT_ONCE = 1000

/**
 * Settles pages that a killed run archived but did not settle: they are in the newest files and still wait in the frontier, or
 * their next visit is still the one that was made. They are not fetched again; missing lines in `pages.jsonl` are written, and
 * the frontier settles them. `recent`: the newest answers in the archive.
 */
export async function settleFormerVisits(recent: readonly Archived[], rooms: FormerRooms): Promise<void> {
  const pages = recent.filter(({ isPage }) => isPage)
  await completeLines(pages, rooms)
  for (let at = 0; at < pages.length; at += AT_ONCE) {
    const some = pages.slice(at, at + AT_ONCE)
    const explained = await rooms.frontier.explain(some.map(({ url }) => url))
    for (const [i, page] of some.entries()) {
      const one = explained[i]!
      if (one.state === 'waiting') await settle(page, rooms, undefined)
      else if (one.state === 'done' && one.againInMs !== undefined) await settleAgain(page, rooms)
    }
  }
}

/** Settles a visit again, unless it was settled. */
async function settleAgain(page: Archived, rooms: FormerRooms): Promise<void> {
  const view = await rooms.frontier.link(page.url)
  if (view?.again !== undefined && view.again.visitedAtMs < page.dateMs) await settle(page, rooms, view.note)
}

async function settle(page: Archived, rooms: FormerRooms, note: string | undefined): Promise<void> {
  const found = readBack(page, rooms)
  const links = offered(page, found, rooms)
  const most = links.length - (links.length % LINKS_AT_ONCE)
  for (let at = 0; at < most; at += LINKS_AT_ONCE) await rooms.frontier.offer(links.slice(at, at + LINKS_AT_ONCE))
  const again = rooms.plan && nextVisit(page, found, rooms, rooms.plan, note)
  const { url, dateMs } = page
  const visit: FormerVisit = { url, isPage: true, links: links.slice(most), dateMs, ...(again && { again }) }
  await rooms.frontier.settleFormer([visit])
}

/** `note`: of the link, if this was a visit again. */
function nextVisit(page: Archived, found: ReadBack, rooms: FormerRooms, plan: RevisitPlan, note?: string): Again {
  const { url, hops, dateMs } = page
  const link = { url, hops, from: readNote(note).from }
  const state = note === undefined ? undefined : readPageNote(url, note)
  const line = lineOf(page, found, rooms)
  const known = knownOf(page, found)
  if (state !== undefined && page.status === 304) return plan.again(link, plan.notModified(state, known))
  const { title, bytes, tokens, linksOut } = line
  const answer = { place: placeOf(known.original), known, facts: { title, bytes, tokens, linksOut } }
  if (state === undefined) return plan.again(link, plan.first(answer, dateMs))
  return plan.again(link, plan.received(state, answer, line.change === 'changed', dateMs))
}

function knownOf(
  { url, file, offset, length, recordId, date, payloadDigest, original }: Archived,
  found: ReadBack,
): KnownAnswer {
  return {
    original: original ?? { file, offset, length, recordId, url, date, payloadDigest },
    validators: found.validators,
    textDigest: found.extracted.textDigest,
    isWhole: found.isWhole,
  }
}

function offered(page: Archived, { extracted }: ReadBack, { rules, held, filterLink }: FormerRooms): Link[] {
  const ruled = linksOf(page, extracted, rules)
  const links = packLinks([...ruled.links.map(followed), ...ruled.held])
  const found = new FilteredLinks(links, {}, { from: page.url, hops: page.hops + 1 }, { rules, held, filterLink })
  return [...(found.inBatches().links ?? [])].flat()
}

/** Writes missing lines: the crash came before them, or a power cut lost them. */
async function completeLines(pages: readonly Archived[], rooms: FormerRooms): Promise<void> {
  const missing = pages.filter(page => !rooms.pages.isKnown(page))
  if (missing.length === 0) return
  rooms.pages.append(missing.map(page => lineOf(page, readBack(page, rooms), rooms)))
  await rooms.pages.sync()
}

function lineOf(page: Archived, { extracted, bytes, validators }: ReadBack, rooms: FormerRooms): PageLine {
  const { url, status, hops, dateMs, file, offset, length, payloadDigest, original } = page
  const linksOut = linksOf(page, extracted, rooms.rules).links.length
  const { title, tokens, textDigest } = extracted
  return {
    ...{ url, status, title, bytes, tokens, hops, linksOut, dateMs },
    change: rooms.plan === undefined ? 'new' : changeOf(page, textDigest, rooms),
    ...validators,
    digest: payloadDigest,
    ...(textDigest !== undefined && { textDigest }),
    ...(original !== undefined && { original: placeOf(original) }),
    ...{ file, offset, length },
  }
}

/** What a visit found, by what the archive holds from before. */
function changeOf(page: Archived, textDigest: string | undefined, { crawl }: FormerRooms): Change {
  const { url, file, offset, original } = page
  const visits = visitsOf(crawl, url)
  const at = visits.findIndex(visit => visit.file === file && visit.offset === offset)
  const before = visits.slice(0, Math.max(at, 0)).filter(isPage)
  if (before.length === 0) return 'new'
  if (page.status === 304 || before.some(visit => original?.file === visit.file && original.offset === visit.offset))
    return 'same'
  const full = before.findLast(({ kind }) => kind === 'response')
  return full !== undefined && storedTextDigest(crawl, url, full) === textDigest ? 'same' : 'changed'
}

function isPage({ kind, status }: Visit): boolean {
  return kind === 'revisit' || (status >= 200 && status < 300)
}

interface ReadBack {
  readonly extracted: Extracted
  readonly bytes: number
  readonly validators: KnownAnswer['validators']
  readonly isWhole: boolean
}

/** The page as it was: the body of a revisit is that of its original. */
function readBack(page: Archived, { crawl, agent, plan }: FormerRooms): ReadBack {
  const { url, original } = page
  const { message } = readWhole(crawl, page)
  const { headers, body } = message
  const extracted = extractedFrom({ url, headers, body }, agent, { textDigest: plan !== undefined })
  const isWhole = knownFrom(crawl, original ?? page)?.isWhole ?? false
  return { extracted, bytes: body.length, validators: validatorsOf(headers), isWhole }
}

function placeOf({ file, offset, length }: Place): Place {
  return { file, offset, length }
}
