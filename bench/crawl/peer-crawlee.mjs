// Peer: Crawlee's CheerioCrawler, 48 at a time, storage in memory.   node peer-crawlee.mjs SEEDS LIMIT
import { readFileSync } from 'node:fs'
import { peerRequire } from './peers.mjs'

const { CheerioCrawler, Configuration, log } = peerRequire('@crawlee/cheerio')
log.setLevel(log.LEVELS.ERROR)
let done = 0
const options = {
  maxRequestsPerCrawl: Number(process.argv[3]),
  minConcurrency: 48,
  maxConcurrency: 48,
  maxRequestRetries: 0,
  async requestHandler({ enqueueLinks }) {
    done++
    await enqueueLinks({ strategy: 'all' })
  },
}
const crawler = new CheerioCrawler(options, new Configuration({ persistStorage: false }))
await crawler.run(readFileSync(process.argv[2], 'utf8').trim().split('\n'))
console.log(`pages ${done}`)
