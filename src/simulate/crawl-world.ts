import { RecordReader } from '../archive/read.ts'
import { EscalonaError } from '../base/errors.ts'
import { readVisit } from '../export/read-visit.ts'
import { type ExportedVisit, PageLines, visitBatches } from '../export/visits.ts'
import { pageLines } from '../folder/lines-of.ts'
import { readSeeds } from '../folder/seeds-file.ts'
import { hostOf } from '../url/host-of.ts'
import type { WebUrl } from '../url/web.ts'
import { GraphBuilder } from './graph.ts'
import { type World, worldOfUrls } from './world.ts'

const VISITS_AT_ONCE = 256

/**
 * The world that a crawl has seen: its archived pages, the links among them, its seeds, and which hosts have one address. A page that
 * was found on one that isn't archived, such as a redirect, is found by the links to that one. Pauses after each batch of pages, with how
 * much is read.
 */
export function* crawlWorld(folder: string): Generator<number, World, undefined> {
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
  const records = new RecordReader(folder)
  try {
    for (const { visits, share } of batchesOf(lines)) {
      for (const visit of visits) {
        const { links, address } = read(records, visit)
        for (const { href } of links) for (const page of pagesOf(href)) builder.link(page)
        if (address !== undefined) addresses.set(hostOf(visit.url), address)
        builder.endPage()
      }
      yield share
    }
  } finally {
    records.close()
  }
  const seeds = [...new Set([...readSeeds(folder)].flatMap(({ url }) => pagesOf(url)))]
  return worldOfUrls(builder.graph(), [...numbers.keys()], { seeds: seeds.length > 0 ? seeds : [0], addresses })
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
