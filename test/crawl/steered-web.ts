// A few hosts on loopback whose pages link to each other, and a crawl of them that a test can steer.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ActionLine } from '../../src/folder/actions-file.ts'
import { type Crawl, type CrawlOptions, crawl } from '../../src/library/crawl.ts'
import type { CrawlEvent } from '../../src/settings/events.ts'

export interface Asked {
  /** Without the port. */
  readonly host: string
  readonly path: string
  readonly startMs: number
  endMs: number | undefined
}

export class SteeredWeb {
  readonly log: Asked[] = []
  readonly folder: string
  readonly events: CrawlEvent[] = []
  /** How long an answer takes. */
  waitMs = 5
  port = 0
  private held = new AbortController()
  private readonly hosts: readonly string[]
  private readonly pages: number

  constructor(folder: string, hosts: readonly string[], pages: number) {
    this.folder = folder
    this.hosts = hosts
    this.pages = pages
  }

  url(host: string, path = '/0'): string {
    return `http://${host}:${this.port}${path}`
  }

  host(name: string): string {
    return `${name}:${this.port}`
  }

  get options(): CrawlOptions {
    return {
      folder: this.folder,
      seeds: [this.url(this.hosts[0]!)],
      delayMs: 5,
      serverDelayMs: 0,
      perServer: 10,
      retries: 0,
      workers: 1,
      concurrency: 4,
      allowNetworks: ['127.0.0.0/8'],
      hosts: new Map(this.hosts.map(host => [host, '127.0.0.1'])),
      onEvent: event => void this.events.push(event),
    }
  }

  /** Starts the crawl, in a folder where one has run or not. `ended`: how it ends. */
  start(options: CrawlOptions = {}): { readonly subject: Crawl; readonly ended: ReturnType<Crawl['run']> } {
    const subject = crawl({ ...this.options, ...options })
    const ended = subject.run()
    ended.catch(() => {})
    return { subject, ended }
  }

  /** Requests for pages, not for robots.txt. */
  asked(host?: string): Asked[] {
    return this.log.filter(one => one.path !== '/robots.txt' && (host === undefined || one.host === host))
  }

  get open(): number {
    return this.log.filter(({ endMs }) => endMs === undefined).length
  }

  async wait(): Promise<void> {
    await sleep(this.waitMs, undefined, { signal: this.held.signal }).catch(() => {})
  }

  /** Answers all open requests now. */
  letGo(): void {
    this.held.abort()
    this.held = new AbortController()
  }

  lines<Line>(name: string): Line[] {
    const path = join(this.folder, name)
    if (!existsSync(path)) return []
    const text = readFileSync(path, 'utf8')
    return text.split('\n').flatMap(line => (line === '' ? [] : (JSON.parse(line) as Line)))
  }

  get actions(): ActionLine[] {
    return this.lines('actions.jsonl')
  }

  /** The archived pages, without scheme and port, sorted. */
  get archived(): string[] {
    return this.lines<{ url: string }>('pages.jsonl')
      .map(({ url }) => url.replace(/^http:\/\/([^:]+):\d+/, '$1'))
      .sort()
  }

  /** Page n links to the next three of its host, and to the front page of the next host. */
  answer(host: string, path: string): string | undefined {
    const page = Number(path.slice(1))
    if (!Number.isInteger(page) || page >= this.pages || !this.hosts.includes(host)) return undefined
    const next = this.hosts[(this.hosts.indexOf(host) + 1) % this.hosts.length]!
    const links = [1, 2, 3].map(n => `<a href="/${page + n}">${n}</a>`)
    return `<title>${host} ${page}</title>${links.join('')}<a href="${this.url(next)}">next</a>`
  }
}

/** Serves for one test. */
export async function steeredWeb(t: TestContext, hosts: readonly string[], pages: number): Promise<SteeredWeb> {
  const folder = mkdtempSync(join(tmpdir(), 'escalona-steered-'))
  const web = new SteeredWeb(folder, hosts, pages)
  const server = createServer(async (request, response) => {
    const [host = ''] = (request.headers.host ?? '').split(':')
    const path = request.url!
    const asked: Asked = { host, path, startMs: performance.now(), endMs: undefined }
    web.log.push(asked)
    if (path !== '/robots.txt') await web.wait()
    const body = path === '/robots.txt' ? undefined : web.answer(host, path)
    response.statusCode = body === undefined ? 404 : 200
    response.setHeader('content-type', 'text/html')
    response.end(body ?? '')
    asked.endMs = performance.now()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  web.port = (server.address() as AddressInfo).port
  t.after(() => {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return web
}

/** Waits until something is true; after half a minute it never will be. */
export async function until(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const endMs = performance.now() + 30_000
  while (!(await isTrue())) {
    if (performance.now() > endMs) throw new Error(`never came: ${what}`)
    await sleep(5)
  }
}
