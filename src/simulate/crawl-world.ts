import { RecordReader } from '../archive/read.ts'
import { findAnswer } from '../archive/visits-of.ts'
import { EscalonaError } from '../base/errors.ts'
import { originOf } from '../decide/robots-gate.ts'
import { readVisit } from '../export/read-visit.ts'
import { type ExportedVisit, PageLines, visitBatches } from '../export/visits.ts'
import { pageLines } from '../folder/lines-of.ts'
import { readSeeds } from '../folder/seeds-file.ts'
import { parseRobots } from '../robots/robots.ts'
import { hostOf } from '../url/host-of.ts'
import type { WebUrl } from '../url/web.ts'
import { archivedRobots } from '../view/url-history.ts'
import { GraphBuilder } from './graph.ts'
import { type World, worldOfUrls } from './world.ts'

const VISITS_AT_ONCE = 256

/**
 * The world that a crawl has seen: its archived pages, the links among them, its seeds, which hosts have one address, and what
 * `Crawl-delay` they ask `agent` for. A page that was found on one that isn't archived, such as a redirect, is found by the links to that one. Pauses after each batch of pages, with how
 * much is read.
 */
export function* crawlWorld(folder: string, agent: string): Generator<number, World, undefined> {
  const numbers = new Map<string, number>()
  const lines = new PageLines(folder, () => {})
  for (const { visits } of batchesOf(lines)) for (const { url } of visits) numbers.set(url, numbers.size)
  if (numbers.size === 0) throw new EscalonaError('SIMULATE_BAD_GRAPH/empty', { place: folder })
  const foundOn = new Map<string, number[]>()
  for (const { url, from } of pageLines(folder)) {
    const page = numbers.get(url)
    if (page === undefined || from === undefined || numbers.has(from)) continue
    const found = foundOn.get(from)
    if (found === undefined) foundOn.set(from, [page])
    else found.push(page)
  }
  const pagesOf = (url: string) => {
    const page = numbers.get(url)
    return page === undefined ? (foundOn.get(url) ?? []) : [page]
  }
  const builder = new GraphBuilder()
  const addresses = new Map<string, string>()
  const origins = new Map<string, string>()
  const records = new RecordReader(folder)
  try {
    for (const { visits, share } of batchesOf(lines)) {
      for (const visit of visits) {
        const { links, address } = read(records, visit)
        for (const { href } of links) for (const page of pagesOf(href)) builder.link(page)
        const host = hostOf(visit.url)
        origins.set(host, originOf(visit.url))
        if (address !== undefined) addresses.set(host, address)
        builder.endPage()
      }
      yield share
    }
  } finally {
    records.close()
  }
  const seeds = [...new Set([...readSeeds(folder)].flatMap(({ url }) => pagesOf(url)))]
  const world = worldOfUrls(builder.graph(), [...numbers.keys()], addresses)
  const crawlDelays: (number | undefined)[] = []
  for (const name of world.hostNames) {
    const file = archivedRobots(folder, findAnswer(folder, `${origins.get(name)}/robots.txt`))
    crawlDelays.push(file && parseRobots(file.body).crawlDelay(agent))
    yield 1
  }
  return { ...world, seeds: seeds.length > 0 ? seeds : [0], crawlDelays }
}

function batchesOf(lines: PageLines) {
  return visitBatches(lines, { visitsEach: VISITS_AT_ONCE, isNewestOnly: true })
}

/** The links of a page and its server's address; none of a page that the archive does not have any more. */
function read(records: RecordReader, visit: ExportedVisit): { links: readonly WebUrl[]; address?: string } {
  try {
    const { record, extracted } = readVisit(records, visit, {})
    const address = record.fields.get('warc-ip-address')
    return { links: extracted.links, ...(address !== undefined && { address }) }
  } catch (error) {
    if (error instanceof EscalonaError) return { links: [] }
    throw error
  }
}
