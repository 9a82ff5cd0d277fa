// A crawl that version 0.1 began, and that was killed there; test/frontier/fixtures/crawl-0.1 says what is in it.
import assert from 'node:assert/strict'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../cli/run-cli.ts'
import { crawl, type Ending, twice } from './crawl.ts'

const FIXTURE = fileURLToPath(new URL('../../../test/frontier/fixtures/crawl-0.1/', import.meta.url))
const FORMER = urlsIn(join(FIXTURE, 'crawl'))

interface FormerWeb {
  readonly port: number
  readonly addresses: Readonly<Record<string, string>>
  /** The links of each page. */
  readonly pages: Readonly<Record<string, readonly string[]>>
}

const WEB = JSON.parse(readFileSync(join(FIXTURE, 'web.json'), 'utf8')) as FormerWeb
const ALL = Object.keys(WEB.pages).map(place => `http://${place.replace('/', `:${WEB.port}/`)}`)

interface FormerCrawl {
  readonly folder: string
  /** The pages that were asked for since. */
  readonly asked: readonly string[]
  goOn(...options: string[]): Promise<Ending>
}

async function formerCrawl(t: TestContext): Promise<FormerCrawl> {
  const asked = await serve(t)
  const files = temporaryFolder(t)
  const [seeds, hosts, folder] = [join(files, 'seeds.txt'), join(files, 'hosts.txt'), join(files, 'crawl')]
  writeFileSync(seeds, `http://one.example:${WEB.port}/\n`)
  const names = Object.entries(WEB.addresses)
  writeFileSync(hosts, names.map(([name, address]) => `${address} ${name}\n`).join(''))
  cpSync(join(FIXTURE, 'crawl'), folder, { recursive: true })
  const args = ['-s', seeds, '-o', folder, '--hosts', hosts, '--allow-network', '127.0.0.0/8', '--delay', '20ms']
  return { folder, asked, goOn: (...options) => crawl({ args }, ...options) }
}

/** The port is that of the fixture, since it is part of the URLs. */
async function serve(t: TestContext): Promise<readonly string[]> {
  const asked: string[] = []
  for (const address of Object.values(WEB.addresses)) {
    const server = createServer(({ headers, url }, response) => {
      const links = WEB.pages[`${headers.host?.split(':')[0]}${url}`]
      if (links === undefined) return response.writeHead(404).end()
      asked.push(`http://${headers.host}${url}`)
      const anchors = links.map(link => `<a href="${link}">x</a>`)
      return response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<title>${url}</title>${anchors.join('')}`)
    })
    await listen(server, address)
    t.after(() => server.close().closeAllConnections())
  }
  return asked
}

/** The addresses are hardly anybody's but those of another run of these tests: then that is waited for. */
async function listen(server: Server, address: string): Promise<void> {
  for (let left = 100; ; left--) {
    try {
      await new Promise<void>((resolve, reject) => server.once('error', reject).listen(WEB.port, address, resolve))
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || left === 0) throw error
      await wait(200)
    }
  }
}

function urlsIn(folder: string): string[] {
  const lines = readFileSync(join(folder, 'pages.jsonl'), 'utf8').trimEnd().split('\n')
  return lines.map(line => (JSON.parse(line) as { url: string }).url)
}

function statsIn(folder: string): { pages: number; requests: number; hops: number[] } {
  return JSON.parse(readFileSync(join(folder, 'stats.json'), 'utf8'))
}

test('ours: a crawl of version 0.1 goes on to its end, and no page is fetched again', async t => {
  const { folder, asked, goOn } = await formerCrawl(t)
  const ending = await goOn()
  assert.equal(ending.code, 0, ending.stderr)
  assert.deepEqual(asked.toSorted(), ALL.filter(url => !FORMER.includes(url)).sort())
  assert.deepEqual(urlsIn(folder).slice(0, FORMER.length), FORMER)
  assert.deepEqual(urlsIn(folder).sort(), ALL.toSorted())
  // What tally.json knew, what the lines tell beyond it, and what came now.
  const { pages, requests, hops } = statsIn(folder)
  assert.equal(pages, ALL.length)
  assert.equal(
    hops.reduce((sum, count) => sum + count),
    ALL.length,
  )
  assert.equal(hops[0], 1)
  assert.ok(requests >= 6 + asked.length, `${requests} requests`)
  assert.ok(existsSync(join(folder, 'report.html')))
})

test('ours: the pages that version 0.1 collected count for the limit', async t => {
  const { folder, asked, goOn } = await formerCrawl(t)
  const ending = await goOn('-n', '12')
  assert.equal(ending.code, 0, ending.stderr)
  assert.equal(urlsIn(folder).length, 12)
  assert.equal(asked.length, 3)
  assert.deepEqual(twice(urlsIn(folder)), [])
  assert.equal(statsIn(folder).pages, 12)
  const rest = await goOn('-n', 'none')
  assert.equal(rest.code, 0, rest.stderr)
  assert.deepEqual(urlsIn(folder).sort(), ALL.toSorted())
  assert.deepEqual(twice(asked), [])
})

test('ours: a limit that version 0.1 had reached is reached at once', async t => {
  const { folder, asked, goOn } = await formerCrawl(t)
  const ending = await goOn('-n', String(FORMER.length))
  assert.equal(ending.code, 0, ending.stderr)
  assert.deepEqual(asked, [])
  assert.deepEqual(urlsIn(folder), FORMER)
})
