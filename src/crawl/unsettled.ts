import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { PageLine, PagesFile } from '../archive/pages-file.ts'
import { readRecord } from '../archive/read.ts'
import type { Archived } from '../archive/scan.ts'
import { httpOf } from '../archive/warc-record.ts'
import { replaceFile } from '../archive/whole-file.ts'
import type { Extracted } from '../extract/extract.ts'
import type { Frontier, Settlement, Ticket } from '../frontier/frontier.ts'
import type { LinkRules } from './link-rules.ts'
import type { FilterLink } from './outcomes.ts'
import { extractedFrom, linksOf } from './visit.ts'

/** Places of pages that were archived and not settled when the last run began, a line each. */
const FILE = 'unsettled.jsonl'

/**
 * Pages that a run archived and could not settle any more, because it was killed. They are not fetched again: their lines
 * in `pages.jsonl` are written at once if they are missing, and when their turn comes they are settled from the archive. A
 * file remembers them until then, however many runs that takes.
 */
export class Unsettled {
  private readonly crawl: string
  private readonly agent: string
  private readonly rules: LinkRules
  private readonly filterLink: FilterLink | undefined
  private readonly pages = new Map<string, Archived>()

  /** `recent`: the newest pages of the archive. Whatever of them is still waiting in the frontier was not settled. */
  constructor(
    crawl: string,
    recent: readonly Archived[],
    frontier: Frontier,
    agent: string,
    rules: LinkRules,
    filterLink?: FilterLink,
  ) {
    this.filterLink = filterLink
    this.crawl = crawl
    this.agent = agent
    this.rules = rules
    for (const page of [...remembered(crawl), ...recent]) {
      if (page.isPage && frontier.explain(page.url).state === 'waiting') this.pages.set(page.url, page)
    }
    const path = join(crawl, FILE)
    const lines = Array.from(this.pages.values(), page => `${JSON.stringify(page)}\n`)
    if (lines.length > 0) replaceFile(path, write => write(Buffer.from(lines.join(''))))
    else rmSync(path, { force: true })
  }

  /** Writes the lines that are missing: the crash came before them, or a power cut lost them. */
  async complete(pages: PagesFile, recent: readonly Archived[]): Promise<void> {
    const missing = recent.filter(page => page.isPage && !pages.isKnown(page))
    if (missing.length === 0) return
    pages.append(missing.map(page => this.lineOf(page)))
    await pages.sync()
  }

  /** How this ticket is settled if its page is one of them. Nobody asks its host for that. */
  settlementOf(ticket: Ticket): Settlement | undefined {
    const page = this.pages.get(ticket.url)
    if (page === undefined) return undefined
    this.pages.delete(ticket.url)
    const hops = ticket.hops + 1
    const found = linksOf(ticket, this.extractedFrom(page).found, this.rules).links
    const links = found
      .filter(({ href }) => this.filterLink?.({ url: href, from: ticket.url, depth: hops }) ?? true)
      .map(({ href, depth }) => ({ url: href, depth, hops }))
    return { ticketId: ticket.id, outcome: { kind: 'done' }, links, delayMs: undefined }
  }

  private lineOf(page: Archived): PageLine {
    const { url, status, hops, dateMs, file, offset, length } = page
    const { found, bytes } = this.extractedFrom(page)
    const linksOut = linksOf({ url, hops }, found, this.rules).links.length
    const { title, tokens } = found
    return { url, status, title, bytes, tokens, hops, linksOut, dateMs, file, offset, length }
  }

  private extractedFrom({ url, file, offset }: Archived): { found: Extracted; bytes: number } {
    const { headers, body } = httpOf(readRecord(this.crawl, file, offset))
    return { found: extractedFrom({ url, headers, body }, this.agent), bytes: body.length }
  }
}

function remembered(crawl: string): Archived[] {
  try {
    const lines = readFileSync(join(crawl, FILE), 'utf8').split('\n')
    return lines.filter(line => line !== '').map(line => JSON.parse(line) as Archived)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
