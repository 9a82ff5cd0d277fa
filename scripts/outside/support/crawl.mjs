// A crawl of the web of web.mjs, in two runs: the second visits every page again.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveOutsideWeb } from './web.mjs'

/** A recrawled page must have two dates that differ by a second: the index has no finer time. */
const BETWEEN_MS = 1500

/**
 * Returns the folder, and every visit of a page: its URL, its time (as 14 digits and in ISO 8601), and the body that the web gave
 * then, or, to a 304, before. Throws when the web's own log and `pages.jsonl` differ.
 */
export async function makeCrawl({ scratch, escalona }) {
  const web = await serveOutsideWeb()
  const folder = join(scratch, 'crawl')
  try {
    const [seeds, hosts] = [join(scratch, 'seeds.txt'), join(scratch, 'hosts.txt')]
    writeFileSync(seeds, web.seeds.map(url => `${url}\n`).join(''))
    writeFileSync(hosts, web.hosts.map(({ name, address }) => `${address} ${name}\n`).join(''))
    const local = ['--hosts', hosts, '--allow-network', '127.0.0.0/8', '--delay', '10ms', '-q']
    await escalona(['crawl', '-s', seeds, '-o', folder, ...local])
    await new Promise(resolve => setTimeout(resolve, BETWEEN_MS))
    await escalona(['resume', folder, '--recrawl', 'due', '--recrawl-first', '1s', ...local])
  } finally {
    await web.close()
  }
  return { folder, ...visitsIn(folder, web) }
}

function visitsIn(folder, { port, answers }) {
  const given = new Map()
  for (const { host, path, status, body } of answers) {
    const url = `http://${host}:${port}${path}`
    if (status === 200 || status === 304) given.set(url, [...(given.get(url) ?? []), { status, body }])
  }
  const lines = readFileSync(join(folder, 'pages.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
  const taken = new Map()
  const visits = lines.map(({ url, time, change }) => {
    const n = taken.get(url) ?? 0
    taken.set(url, n + 1)
    const answer = given.get(url)?.[n]
    if (answer === undefined)
      throw new Error(`pages.jsonl has visit ${n + 1} of ${url}; the web gave ${given.get(url)?.length ?? 0}`)
    return { url, iso: time, timestamp: time.replace(/\D/g, '').slice(0, 14), change, ...answer }
  })
  const pages = [...taken.keys()]
  const short = pages.filter(url => taken.get(url) !== given.get(url).length)
  if (short.length > 0) throw new Error(`${short.length} pages have fewer lines than visits, like ${short[0]}`)
  const once = pages.filter(url => taken.get(url) < 2)
  if (once.length > 0) throw new Error(`${once.length} pages were visited once only, like ${once[0]}`)
  return { visits, pages, answers }
}
