// The good hosts: small static pages, each host at an address of its own, in a process of their own. Counts page requests.
//   node good-web.mjs HOSTS HAS-DEAD-LINKS
import { createServer } from 'node:http'

/** More than a host is asked for in one measurement. */
const PAGES = 3000
const LINKS_A_PAGE = 20
/** Every so many pages link to a name that does not exist. */
const DEAD_EVERY = 5

const hosts = Number(process.argv[2])
const hasDeadLinks = process.argv[3] === 'true'
const words = '<p>lorem dolor amet frontier crawl host queue depth page robots archive link graph polite strategy</p>\n'
let count = 0
let port = 0
for (let host = 0; host < hosts; host++) {
  const front = pageOf(Array.from({ length: PAGES }, (_, n) => `/${n + 1}`))
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const { url } = request
    // A host at the same address that wants to be left alone; see adversaries.mjs.
    const isPatient = (request.headers.host ?? '').startsWith('patient')
    if (url === '/robots.txt') {
      response.writeHead(isPatient ? 200 : 404, { 'Content-Type': 'text/plain' })
      return response.end(isPatient ? 'User-agent: *\nCrawl-delay: 600\n' : '')
    }
    if (!isPatient) count++
    response.writeHead(200, { 'Content-Type': 'text/html' })
    response.end(url === '/' ? front : pageAt(host, Number(url.slice(1))))
  })
  await new Promise(resolve => server.listen(port, `127.60.0.${host + 1}`, resolve))
  port = server.address().port
}
process.on('message', () => process.send({ count }))
process.on('disconnect', () => process.exit())
process.send({ port })

function pageAt(host, page) {
  const links = Array.from({ length: LINKS_A_PAGE }, (_, n) => `/${((page * 7 + n * 13) % PAGES) + 1}`)
  if (hasDeadLinks && page % DEAD_EVERY === 0) links.push(`http://p${page}-${host}.dead.test/`)
  return pageOf(links)
}

function pageOf(links) {
  return `<!doctype html><title>Page</title>${words.repeat(10)}${links.map(href => `<a href="${href}">x</a>\n`).join('')}`
}
