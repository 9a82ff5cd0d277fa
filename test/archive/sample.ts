import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileName as nameOf } from '../../src/archive/names.ts'
import type { ArchiveOptions } from '../../src/archive/open-archive.ts'
import type { PageLine } from '../../src/archive/pages-file.ts'
import { type About, archiveRecords, type Recordable, type Records } from '../../src/archive/records.ts'
import type { RecordLocation } from '../../src/archive/scan.ts'

const CRAWL_ID = 'a1b2c3d4'
export const START_MS = Date.UTC(2026, 0, 2, 3, 4, 5, 678)

/** A folder that is gone after the test. */
export function crawlFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'escalona-archive-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function exchange(changes: Partial<Recordable> = {}): Recordable {
  return {
    url: 'http://example.com/a/page.html?q=1',
    ip: '192.0.2.7',
    requestHead: 'GET /a/page.html?q=1 HTTP/1.1\r\nHost: example.com\r\nUser-Agent: test\r\n\r\n',
    status: 200,
    statusText: 'OK',
    headers: ['Content-Type', 'text/html; charset=utf-8', 'Server', 'nginx'],
    body: Buffer.from('<!doctype html><title>A</title><p>Some words, some words, some words.'),
    truncated: undefined,
    ...changes,
  }
}

/** A page that was asked for at the start. */
export const PAGE: About = { isPage: true, dateMs: START_MS }

/** The n-th page of a small web: its own URL, time and body. */
export function page(n: number): Records {
  const url = `http://host${n % 7}.example/page-${n}.html`
  const body = Buffer.from(`<p>This is page ${n}.`)
  return archiveRecords(exchange({ url, body }), { isPage: true, dateMs: START_MS + n })
}

/** Which page of that web this is. */
export function numberOf({ url }: { readonly url: string }): number {
  return Number(/page-(\d+)/.exec(url)![1])
}

/** The line of the n-th page. */
export function lineOf(n: number, place: RecordLocation): PageLine {
  const numbers = { status: 200, bytes: 1, tokens: 1, hops: 0, linksOut: 0, dateMs: START_MS }
  return { ...numbers, ...place, url: `page-${n}`, title: '', change: 'new' }
}

/** Something that is archived and is no page. */
export function robots(n: number): Records {
  const url = `http://host${n}.example/robots.txt`
  const empty = exchange({ url, headers: ['Content-Type', 'text/plain'], body: Buffer.from('') })
  return archiveRecords(empty, { isPage: false, dateMs: START_MS })
}

/** The name of the n-th file of such an archive. */
export function fileName(n: number): string {
  return nameOf(n, CRAWL_ID, START_MS)
}

export function options(repairs: string[] = []): ArchiveOptions {
  return {
    maker: { software: 'Escalona/test', userAgent: 'test (+http://example.com/bot)', crawlId: CRAWL_ID },
    now: () => START_MS,
    onRepair: message => repairs.push(message),
  }
}

/** What `index.cdxj` says, a line each. */
export function indexLines(crawl: string): string[] {
  return readFileSync(join(crawl, 'index.cdxj'), 'latin1').split('\n').slice(0, -1)
}
