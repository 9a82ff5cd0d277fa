// A crawl's folder that grows, without a web; and a search without an index, to compare with.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { openArchive } from '../../src/archive/open-archive.ts'
import { type Change, PagesFile } from '../../src/archive/pages-file.ts'
import { archiveRecords } from '../../src/archive/records.ts'
import { exchange, options, START_MS } from '../archive/sample.ts'

export const DAY_MS = 86_400_000

export interface MadePage {
  readonly url: string
  readonly title?: string
  /** Visible text; each line is a paragraph. */
  readonly text: string
  readonly day?: number
  readonly change?: Change
}

/** Appends visits as a crawl does: the record first, then its line. */
export class GrowingCrawl {
  readonly folder: string
  private readonly writer: ReturnType<typeof openArchive>['writer']
  private readonly lines: PagesFile
  private visits = 0

  constructor(t: TestContext) {
    this.folder = mkdtempSync(join(tmpdir(), 'escalona-search-'))
    writeFileSync(join(this.folder, 'crawl.json'), '{}\n')
    this.writer = openArchive(this.folder, options()).writer
    this.lines = new PagesFile(join(this.folder, 'pages.jsonl'), { files: [], onRepair: () => {} })
    t.after(async () => {
      await this.lines.close()
      await this.writer.close()
      rmSync(this.folder, { recursive: true, force: true })
    })
  }

  async add(pages: readonly MadePage[]): Promise<void> {
    for (const { url, title = '', text, day = 0, change = 'new' } of pages) {
      const n = this.visits++
      const html = `<title>${escaped(title)}</title>${text
        .split('\n')
        .map(line => `<p>${escaped(line)}</p>`)
        .join('')}`
      const dateMs = START_MS + day * DAY_MS + n
      const headers = ['Content-Type', 'text/html; charset=utf-8']
      const status = change === 'gone' ? 404 : 200
      const answer = exchange({ url, status, headers, body: Buffer.from(html), truncated: undefined })
      const [place] = this.writer.append([archiveRecords(answer, { isPage: change !== 'gone', dateMs, hops: 0 })])
      const numbers = { bytes: html.length, tokens: 1, hops: 0, linksOut: 0, dateMs }
      this.lines.append([{ url, status, title, ...numbers, change, ...place! }])
    }
    await this.writer.sync()
    await this.lines.sync()
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** The words of a text, as the index should see them: written differently from the code that is tested. */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
  return plain.match(/[\p{L}\p{N}]+/gu) ?? []
}

/** What a naive search finds: of each page the newest visit, unless it is gone; all words, and phrases as they stand. */
export function naiveSearch(pages: readonly MadePage[], clauses: readonly string[], host?: string): string[] {
  const newest = new Map(pages.map(page => [page.url, page]))
  const found = [...newest.values()].filter(page => {
    if (page.change === 'gone') return false
    const name = new URL(page.url).hostname
    if (host !== undefined && name !== host && !name.endsWith(`.${host}`)) return false
    const parts = [page.title ?? '', page.text, page.url.replace(/^\w+:/, '')].map(
      part => ` ${wordsOf(part).join(' ')} `,
    )
    return clauses.every(clause => parts.some(part => part.includes(` ${wordsOf(clause).join(' ')} `)))
  })
  return found.map(({ url }) => url).sort()
}

/** A small generator of numbers, from 0 to below 1, that can be repeated. */
export function numbersOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32
  }
}

const SYLLABLES = ['ca', 'ção', 'ri', 'pa', 'ges', 'lê', 'mün', 'do', 'x', 'the', 'não', 'at', 'ß', 'ó']

/** Pages of random words, few of them frequent and many rare, as in any language. */
export function randomPages(count: number, seed: number, hosts = 5): MadePage[] {
  const next = numbersOf(seed)
  const word = () => {
    const rank = Math.floor(400 ** next())
    return `${SYLLABLES[rank % SYLLABLES.length]}${SYLLABLES[(rank >> 3) % SYLLABLES.length]}${rank > 100 ? rank : ''}`
  }
  const words = (most: number) => Array.from({ length: 1 + Math.floor(next() * most) }, word)
  return Array.from({ length: count }, (_, n) => ({
    url: `http://${n % 2 === 0 ? '' : 'www.'}h${Math.floor(next() * hosts)}.example/p${n}`,
    title: words(6).join(' '),
    text: words(n % 10 === 0 ? 400 : 80)
      .map(one => (next() < 0.2 ? one.toUpperCase() : one))
      .join(next() < 0.5 ? ' ' : ', '),
    day: Math.floor(next() * 10),
  }))
}
