// Hosts that mean no good. Each adversary gives its seeds, where its names lead, and what closes it again.
import { once } from 'node:events'
import { createServer } from 'node:http'

const LINKS = 100_000
const PAGES_OF_NAMES = 20
const BLACK_HOLES = 100

export const ADVERSARIES = {
  /** A host with a robots.txt of 500 KB full of wildcards and a page with 100,000 links. */
  rules: {
    async serve() {
      const rules = wildcards()
      const page = pageOf(Array.from({ length: LINKS }, (_, n) => `/${'a'.repeat(40)}/${n}b`))
      const answer = path => (path === '/robots.txt' ? rules : path === '/' ? page : pageOf([]))
      const { port, close } = await serve(['127.61.0.1'], answer)
      return { seeds: [`http://127.61.0.1:${port}/`], close }
    },
  },
  /** On every fifth page of the good hosts, a link to a name that does not exist. */
  'dead-links': { hasDeadLinks: true },
  /** 100,000 names that do not exist, on pages of one host. */
  'dead-names': { serve: () => serveNamesPages('dead') },
  /** 100,000 live names of a wildcard domain, all at one address. */
  'wildcard-names': { serve: () => serveNamesPages('wild') },
  /** A page that links to 100 hosts, each at an address of its own, that accept and never answer. */
  'black-hole': {
    async serve() {
      const addresses = Array.from({ length: BLACK_HOLES }, (_, n) => `127.62.0.${n + 1}`)
      const hub = '127.61.0.1'
      const { port, close } = await serve([hub, ...addresses], (path, address) => {
        if (address !== hub) return undefined
        return path === '/' ? pageOf(addresses.map(one => `http://${one}:${port}/`)) : pageOf([])
      })
      return { seeds: [`http://${hub}:${port}/`], close }
    },
  },
  /** At the address of each good host, another name that asks for a Crawl-delay of 600 s; served by the good web. */
  'crawl-delay-600': {
    async serve(goodPort) {
      const seeds = Array.from({ length: 50 }, (_, n) => `http://patient${n + 1}.test:${goodPort}/`)
      return { seeds, names: name => `127.60.0.${/^patient(\d+)\.test$/.exec(name)?.[1]}`, close() {} }
    },
  },
  /** A maze: every page is made of random words by a Markov chain, with links that nobody has seen. Told apart, it is asked more and more rarely. */
  markov: {
    async serve() {
      const chain = markovChain(CORPUS_WORDS)
      let asked = 0
      const answer = path => {
        if (path === '/robots.txt') return ''
        asked++
        return mazePage(chain, path)
      }
      const { port, close } = await serve(['127.61.0.1'], answer)
      return { seeds: [`http://127.61.0.1:${port}/`], asked: () => asked, close }
    },
  },
}

const CORPUS_WORDS = 20_000
const WORDS_A_PAGE = 300
const LINKS_A_PAGE = 10

/** What follows each word of a text whose words are as frequent as Zipf's law says. */
function markovChain(words) {
  const next = random(42)
  const word = () => Math.floor(3000 ** next())
  const chain = new Map()
  let last = word()
  for (let n = 0; n < words; n++) {
    const following = word()
    if (!chain.has(last)) chain.set(last, [])
    chain.get(last).push(following)
    last = following
  }
  return chain
}

/** The same path gives the same page. */
function mazePage(chain, path) {
  const next = random([...path].reduce((sum, char) => Math.imul(sum, 31) + char.charCodeAt(0), 7))
  const words = []
  for (let word = 1; words.length < WORDS_A_PAGE; ) {
    words.push(`w${word.toString(36)}`)
    const following = chain.get(word) ?? [1]
    word = following[Math.floor(next() * following.length)]
  }
  const links = Array.from({ length: LINKS_A_PAGE }, () => `/${Math.floor(next() * 2 ** 40).toString(36)}`)
  return pageOf(links).replace('</title>', `</title><p>${words.join(' ')}</p>`)
}

/** Numbers from 0 to 1, by mulberry32. */
function random(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

async function serveNamesPages(kind) {
  const each = LINKS / PAGES_OF_NAMES
  const hub = '127.61.0.1'
  const names = n => Array.from({ length: each }, (_, i) => `http://n${n * each + i}.${kind}.test:${port}/`)
  const { port, close } = await serve([hub, '127.61.0.2'], (path, address) => {
    if (path === '/robots.txt') return ''
    if (address !== hub) return pageOf([])
    return path === '/'
      ? pageOf(Array.from({ length: PAGES_OF_NAMES }, (_, n) => `/${n}`))
      : pageOf(names(Number(path.slice(1))))
  })
  return {
    seeds: [`http://${hub}:${port}/`],
    names: name => (name.endsWith('.wild.test') ? '127.61.0.2' : undefined),
    close,
  }
}

/** Each rule fits almost every URL, and none of them quite. */
function wildcards() {
  const rules = ['User-agent: *']
  for (let bytes = 0, n = 0; bytes < 490_000; n++) {
    const rule = `Disallow: /${'*a'.repeat(8 + (n % 12))}*${n}$`
    bytes += rule.length + 1
    rules.push(rule)
  }
  return rules.join('\n')
}

function pageOf(links) {
  return `<!doctype html><title>Page</title>${links.map(href => `<a href="${href}">x</a>\n`).join('')}`
}

/** The same port at all addresses. What `answer` leaves out is never answered. */
async function serve(addresses, answer) {
  const servers = []
  let port = 0
  for (const address of addresses) {
    const server = createServer((request, response) => {
      const body = answer(request.url, address)
      if (body === undefined) return
      response.writeHead(200, { 'Content-Type': request.url === '/robots.txt' ? 'text/plain' : 'text/html' }).end(body)
    })
    await once(server.listen(port, address), 'listening')
    port = server.address().port
    servers.push(server)
  }
  const close = () => {
    for (const server of servers) {
      server.close()
      server.closeAllConnections()
    }
  }
  return { port, close }
}
