// What lies in a crawl's folder, read by other means than ours where there are some.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fieldOf, readByWarcio, type Seen, slowSha1 } from '../archive/with-warcio.ts'

export interface PageLine {
  readonly url: string
  readonly status: number
  readonly title: string
  readonly bytes: number
  readonly tokens: number
  readonly hops: number
  readonly linksOut: number
  readonly time: string
  readonly file: string
  readonly offset: number
  readonly length: number
}

/** A response in the archive. */
export interface Response extends Seen {
  /** As the crawl knows it. */
  readonly url: string
  /** As the index knows it. */
  readonly target: string
  readonly status: number
  readonly file: string
}

export interface IndexLine {
  readonly url: string
  readonly status: string
  readonly mime: string
  readonly digest: string
  readonly offset: string
  readonly length: string
  readonly filename: string
}

/** What the report counts by name. */
export interface Report {
  readonly pages: number
  readonly statuses: Readonly<Record<string, number>>
  /** Links that were taken and turned out to be no pages. */
  readonly refused: Readonly<Record<string, number>>
  /** Links that never became known. */
  readonly refusedLinks: Readonly<Record<string, number>>
  readonly failed: Readonly<Record<string, number>>
  readonly again: Readonly<Record<string, number>>
  readonly pagesByHost: Readonly<Record<string, number>>
  readonly endedBecause: string
  readonly frontier: {
    readonly waiting: number
    readonly leased: number
    readonly refused: number
    readonly refusedFor: Readonly<Record<string, number>>
    /** Of those that wait, the ones at hosts that do not answer. */
    readonly down: number
    readonly hosts: number
    readonly turnedAway: Readonly<Record<string, number>>
  }
}

export function pagesIn(folder: string): PageLine[] {
  return linesOf(join(folder, 'pages.jsonl')).map(line => JSON.parse(line))
}

/** How many lines are whole in a folder that a killed crawl left behind. */
export function pagesSoFar(folder: string): number {
  const file = join(folder, 'pages.jsonl')
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0
}

/** The URLs of all pages, sorted, as often as they are there. */
export function pageUrls(folder: string): string[] {
  return pagesIn(folder)
    .map(page => page.url)
    .sort()
}

/** All responses; every record of every file must be whole, and its digest right. */
export async function responsesIn(folder: string): Promise<Response[]> {
  const found: Response[] = []
  for (const file of readdirSync(join(folder, 'archive')).sort()) {
    assert.match(file, /\.warc\.gz$/, 'a file in progress is left behind')
    const records = await readByWarcio(readFileSync(join(folder, 'archive', file)))
    assert.equal(fieldOf(records[0]!, 'WARC-Type'), 'warcinfo', file)
    for (const record of records) {
      if (fieldOf(record, 'WARC-Type') !== 'response') continue
      const target = fieldOf(record, 'WARC-Target-URI')
      const url = record.fields['Escalona-URL'] ?? target
      assert.equal(fieldOf(record, 'WARC-Payload-Digest'), `sha1:${slowSha1(record.payload)}`, url)
      found.push({ ...record, url, target, status: Number(record.startLine!.split(' ')[1]), file })
    }
  }
  return found
}

export function indexOf(folder: string): IndexLine[] {
  const lines = linesOf(join(folder, 'index.cdxj'))
  assert.deepEqual(lines, [...lines].sort(byBytes), 'the index is not sorted')
  return lines.map(line => JSON.parse(line.slice(line.indexOf(' {'))))
}

export function reportOf(folder: string): Report {
  const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))
  assert.equal(report.format, 3)
  const counts = (name: string) =>
    Object.fromEntries(report[name].top.map((row: { name: string; count: number }) => [row.name, row.count]))
  return {
    pages: report.totals.pages,
    statuses: counts('statuses'),
    refused: counts('refused'),
    refusedLinks: counts('refusedLinks'),
    failed: counts('failed'),
    again: counts('again'),
    pagesByHost: counts('pagesByHost'),
    endedBecause: report.endedBecause,
    frontier: report.frontier,
  }
}

/** True for a response that is a page, and not a robots.txt, a redirect, a failure or content of another type. */
export function isPage({ fields, status, url }: Response): boolean {
  const isMarked = fields['Escalona-Page'] === 'yes'
  if (isMarked) assert.ok(status === 200 && !url.endsWith('/robots.txt'), `${url} is no page`)
  return isMarked
}

/** The three that say what was archived must say the same; what they say, sorted. */
export async function archivedUrls(folder: string): Promise<string[]> {
  const pages = pageUrls(folder)
  const all = await responsesIn(folder)
  const responses = all.filter(isPage)
  assert.deepEqual(responses.map(response => response.url).sort(), pages, 'the WARC files and pages.jsonl differ')
  const place = (file: string, offset: number | string, url: string) => `${file} ${offset} ${url}`
  const lines = indexOf(folder).filter(({ mime }) => mime !== 'warc/revisit')
  const index = lines.map(({ filename, offset, url }) => place(filename, offset, url))
  const targets = all.map(({ file, offset, target }) => place(file, offset, target))
  assert.deepEqual(index.sort(), targets.sort(), 'the index and the WARC files differ')
  const places = new Set(responses.map(({ file, offset, url }) => place(file, offset, url)))
  for (const { file, offset, url } of pagesIn(folder)) assert.ok(places.has(place(file, offset, url)), url)
  return pages
}

function linesOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  assert.ok(text === '' || text.endsWith('\n'), `${file} ends in the middle of a line`)
  return text.split('\n').slice(0, -1)
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
