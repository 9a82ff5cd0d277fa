// Collects a small web from a server on loopback, so that the example needs no network. In your own project, leave out
// `allowNetworks` and `delayMs`, and put a contact into `userAgent`.
// @ts-check
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crawl, openCrawl } from 'escalona'

const server = createServer((request, response) => {
  response.setHeader('content-type', 'text/html')
  if (request.url === '/robots.txt') response.end('User-agent: *\nDisallow: /private/')
  else
    response.end(`<title>Page ${request.url}</title><a href="/a">a</a> <a href="/b">b</a> <a href="/private/c">c</a>`)
})
await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(undefined)))
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
const home = `http://127.0.0.1:${port}/`
const folder = mkdtempSync(join(tmpdir(), 'escalona-crawl-'))

const pages = crawl({
  seeds: [home],
  folder,
  limit: 100,
  delayMs: 10,
  allowNetworks: ['127.0.0.0/8'],
  filterLink: ({ url }) => !url.endsWith('/b'),
})
for await (const page of pages) {
  console.log(page.url.replace(home, '/'), page.status, page.title, page.hops, page.html().length)
}
console.log(pages.end?.because, pages.stats?.pages, 'pages, refused:', Object.fromEntries(pages.stats?.refused ?? []))

// The folder can be read at any time, also while a crawl runs.
const reader = await openCrawl(folder)
for await (const link of reader.list({ states: ['refused'] })) console.log(link.url.replace(home, '/'), link.reason)
const page = await reader.page(`${home}a`)
console.log(page?.text)
await reader.close()

server.close()
rmSync(folder, { recursive: true })
