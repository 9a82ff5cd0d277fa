// A focused crawl: pages about a topic link to pages about it, so their links come first. Without a network: a small web on loopback.
// @ts-check
import { createServer } from 'node:http'
import { crawl } from 'escalona'

const PAGES = 600
const LIMIT = 80

/** Always the same number from 0 to 1 for the same two numbers. @param {number} a @param {number} b */
const chance = (a, b) => Math.abs(Math.sin(a * 12.9898 + b * 78.233) * 43758.5453) % 1

/** One page in eight is about telescopes. @param {number} page */
const isRelevant = page => chance(page, 0) < 1 / 8
const all = Array.from({ length: PAGES }, (_, page) => page)
const relevant = all.filter(isRelevant)

/** Eight links; a page about telescopes has half of them to other such pages. @param {number} page */
function linksOf(page) {
  return [1, 2, 3, 4, 5, 6, 7, 8].map(n => {
    const among = isRelevant(page) && n > 4 ? relevant : all
    return among[Math.floor(chance(page, n) * among.length)]
  })
}

const server = createServer((request, response) => {
  const page = Number(request.url?.slice(1))
  response.setHeader('content-type', 'text/html')
  const topic = isRelevant(page) ? 'The telescope shows the rings of Saturn.' : 'The recipe asks for two eggs.'
  const links = linksOf(page).map(to => `<a href="/${to}">${isRelevant(to) ? 'telescopes' : 'more'}</a>`)
  response.end(request.url === '/robots.txt' ? '' : `<title>Page ${page}</title><p>${topic} ${links.join(' ')}`)
})
await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(undefined)))
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())

/** How many of the first pages are about the topic. @param {Partial<import('escalona').CrawlOptions>} hooks */
async function relevantAmongFirst(hooks) {
  const seeds = [1, 2, 3, 4, 5].map(page => `http://127.0.0.1:${port}/${page}`)
  const options = { seeds, limit: LIMIT, temporary: true, delayMs: 0, allowNetworks: ['127.0.0.0/8'], ...hooks }
  let found = 0
  for await (const page of crawl(options)) if (/Saturn/.test(page.text)) found++
  return found
}

/** @param {string} order @param {number} found */
const show = (order, found) => console.log(`${order}: ${found} of the first ${LIMIT} pages are about telescopes`)

show('in the order of discovery', await relevantAmongFirst({}))
// The links of a page inherit its score.
show(
  'by the score of the page',
  await relevantAmongFirst({ onPage: page => ({ score: /Saturn/.test(page.text) ? 1 : 0 }) }),
)
// The text of a link says more than its page.
show('by the text of the link', await relevantAmongFirst({ rankLink: ({ text }) => (text === 'telescopes' ? 1 : 0) }))

server.close()
