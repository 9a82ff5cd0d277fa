// What does a crawl cost that many machines share through Redis? Offers and visits per second, the engine's processor time and
// bytes per URL, on one Redis and on a cluster, beside scrapy-redis in the same run. Real redis-server processes on loopback
// (append-only file, synced every second), clients in processes of their own, 64 shards, batches of 1,000 links. All of them
// share the machine's cores: ratios, the engine's time and bytes count, not rates.
//   npm run bench:redis -- [--runs 3] [--only rates,peers,wait,bytes,crawl,huge] [--quick] [--huge]
//   --quick: small numbers, once, in seconds. --huge: also 10 million known links.
import { finish, median, option } from '../tools.mjs'
import { measureCrawl } from './crawl.mjs'
import { AS_IT_IS, BYTES, bytes, huge, MANY, ONE, PIPELINED, peers, rates, THREE, WAITING, wait } from './parts.mjs'
import { serverVersion } from './servers.mjs'

const CRAWL = 'a collector, 1 Redis on the same machine'
const isQuick = process.argv.includes('--quick')
const runs = Number(option('runs', isQuick ? 1 : 3))
const sizes = isQuick ? { known: 20_000, visits: 4_000 } : { known: 200_000, visits: 40_000 }
const pages = isQuick ? 300 : 3000

/** In every round. */
const inTurn = { rates: () => rates(sizes), peers: () => peers(sizes), wait: () => wait(sizes) }
/** Once: bytes hardly vary, and the crawl has rounds of its own. */
const once = {
  bytes: () => bytes({ known: 5 * sizes.known }),
  crawl: async () => ({ [CRAWL]: await measureCrawl({ runs, pages }) }),
  huge: () => huge(sizes),
}
const everyDay = Object.keys({ ...inTurn, ...once }).filter(name => name !== 'huge' || process.argv.includes('--huge'))
const names = option('only', everyDay.join()).split(',')
const unknown = names.filter(name => inTurn[name] === undefined && once[name] === undefined)
if (unknown.length > 0) throw new Error(`no such part: ${unknown}. There are ${Object.keys({ ...inTurn, ...once })}`)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

console.log(`${await serverVersion()}, Node ${process.versions.node}; medians of ${runs}`)
const rounds = []
for (let run = 0; run < runs; run++) rounds.push(await measure(inTurn, `run ${run + 1} of ${runs}`))
const figures = {}
for (const [name, row] of Object.entries(rounds[0])) {
  figures[name] = {}
  for (const key of Object.keys(row)) figures[name][key] = median(rounds.map(round => round[name][key]))
}
Object.assign(figures, await measure(once, 'once'))
show()
finish({ bench: 'redis', runs, figures, ratios: ratios() })

/** Those parts that were asked for, one after the other. */
async function measure(parts, when) {
  const rows = {}
  for (const [name, part] of Object.entries(parts)) {
    if (!names.includes(name)) continue
    console.error(`${when}: ${name} …`)
    Object.assign(rows, await part())
  }
  return rows
}

function show() {
  const cell = (value, width, digits = 0) => (value === undefined ? '–' : value.toFixed(digits)).padStart(width)
  console.log(`\n${''.padEnd(52)} offers/s  take+settle/s: with servers  engine µs: offer  take+settle  with servers`)
  for (const [name, row] of Object.entries(figures)) {
    if (row.offersPerSecond === undefined) continue
    console.log(
      [
        name.padEnd(52),
        cell(row.offersPerSecond, 8),
        cell(row.visitsPerSecond, 14),
        cell(row.placedVisitsPerSecond, 13),
        cell(row.offerEngineUs, 16, 1),
        cell(row.visitEngineUs, 12, 1),
        cell(row.placedVisitEngineUs, 13, 1),
      ].join(' '),
    )
  }
  console.log()
  for (const [name, row] of [BYTES, CRAWL].map(name => [name, figures[name]])) {
    if (row === undefined) continue
    const cells = Object.entries(row).map(([key, value]) => `${key} ${Number(value.toPrecision(4))}`)
    console.log(`${name}: ${cells.join(', ')}`)
  }
  if (figures[MANY]) console.log(`bytes per waiting URL, 10 million known: ${figures[MANY].bytesPerUrl.toFixed(1)}`)
  for (const [words, ratio] of Object.entries(ratios())) console.log(`${ratio.toFixed(2).padStart(9)}  ${words}`)
}

/** What was to be shown, in words: medians of the ratios of each round. One is left out when a side of it was not run. */
function ratios() {
  const all = {}
  const ratio = (words, key, one, other) => {
    const found = rounds.filter(round => round[one]?.[key] && round[other]?.[key])
    if (found.length > 0) all[words] = median(found.map(round => round[one][key] / round[other][key]))
  }
  ratio('offers/s to scrapy-redis, 1 primary', 'offersPerSecond', ONE, AS_IT_IS)
  ratio('offers/s to scrapy-redis, pipelined, 1 primary', 'offersPerSecond', ONE, PIPELINED)
  ratio('take+settle/s to the pops of scrapy-redis, 1 primary', 'visitsPerSecond', ONE, AS_IT_IS)
  ratio("engine's time per offer to scrapy-redis", 'offerEngineUs', ONE, AS_IT_IS)
  ratio("engine's time per offer to scrapy-redis, pipelined", 'offerEngineUs', ONE, PIPELINED)
  ratio("engine's time per take+settle to a pop of scrapy-redis", 'visitEngineUs', ONE, AS_IT_IS)
  ratio('offers/s, 3 primaries to 1', 'offersPerSecond', THREE, ONE)
  ratio('take+settle/s, 3 primaries to 1', 'visitsPerSecond', THREE, ONE)
  if (figures[WAITING]) all['offers/s with wait=1 to those without'] = figures[WAITING].shareOfOffers
  if (figures[BYTES])
    all['bytes per waiting URL to scrapy-redis'] = figures[BYTES].waiting / figures[BYTES]['scrapy-redis']
  if (figures[CRAWL]) all['pages/s with Redis to a local frontier'] = figures[CRAWL].share
  return all
}
