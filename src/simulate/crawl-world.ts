import { RecordReader } from '../archive/read.ts'
import { EscalonaError } from '../base/errors.ts'
import { readVisit } from '../export/read-visit.ts'
import { PageLines, visitBatches } from '../export/visits.ts'
import { pageLines } from '../folder/lines-of.ts'
import { readSeeds } from '../folder/seeds-file.ts'
import { GraphBuilder } from './graph.ts'
import { type World, worldOfUrls } from './world.ts'

const VISITS_AT_ONCE = 256

/**
 * The world that a crawl has seen: its archived pages, the links among them, and its seeds. A link that was redirected leads
 * to where it led. What was never archived is not part of it. Pauses after each batch of pages, with how much is read.
 */
export function* crawlWorld(folder: string): Generator<number, World, undefined> {
  const numbers = new Map<string, number>()
  const lines = new PageLines(folder, () => {})
  for (const { visits } of batchesOf(lines)) for (const { url } of visits) numbers.set(url, numbers.size)
  if (numbers.size === 0) throw new EscalonaError('SIMULATE_BAD_GRAPH/empty', { place: folder })
  const redirected = new Map<string, number>()
  for (const { url, from } of pageLines(folder)) {
    const page = numbers.get(url)
    if (page !== undefined && from !== undefined && !numbers.has(from)) redirected.set(from, page)
  }
  const pageOf = (url: string) => numbers.get(url) ?? redirected.get(url)
  const builder = new GraphBuilder()
  const records = new RecordReader(folder)
  try {
    for (const { visits, share } of batchesOf(lines)) {
      for (const visit of visits) {
        for (const url of linksOf(records, visit)) {
          const to = pageOf(url)
          if (to !== undefined) builder.link(to)
        }
        builder.endPage()
      }
      yield share
    }
  } finally {
    records.close()
  }
  const seeds = new Set<number>()
  for (const { url } of readSeeds(folder)) {
    const page = pageOf(url)
    if (page !== undefined) seeds.add(page)
  }
  return worldOfUrls(builder.graph(), [...numbers.keys()], seeds.size > 0 ? [...seeds] : [0])
}

function batchesOf(lines: PageLines) {
  return visitBatches(lines, { visitsEach: VISITS_AT_ONCE, isNewestOnly: true })
}

/** None of a page that the archive does not have any more. */
function linksOf(records: RecordReader, visit: Parameters<typeof readVisit>[1]): readonly string[] {
  try {
    return readVisit(records, visit, {}).extracted.links.map(({ href }) => href)
  } catch (error) {
    if (error instanceof EscalonaError) return []
    throw error
  }
}
