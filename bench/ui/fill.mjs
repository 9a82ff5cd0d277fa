// A frontier that knows very many hosts and links, as earlier runs would have left it: node fill.mjs FOLDER HOSTS LINKS PORT
import { join } from 'node:path'
import { library } from '../measured.mjs'

const [folder, hosts, links, port] = process.argv.slice(2)
const BATCH = 5000
const { crawl, openLocal } = await library()

// The folder is begun by a crawl that has no time for anything.
await crawl({ seeds: [`http://h0.d0.test:${port}/`], folder, maxTimeMs: 1 }).run()

const frontier = await openLocal({ folder: join(folder, 'frontier') })
const note = JSON.stringify({ from: `http://h0.d0.test:${port}/` })
for (let n = 0; n < Number(links); n += BATCH) {
  const batch = Array.from({ length: Math.min(BATCH, Number(links) - n) }, (_, i) => {
    const [host, page] = [(n + i) % Number(hosts), Math.floor((n + i) / Number(hosts))]
    return {
      url: `http://h${host}.d${host % 5000}.test:${port}/section/page-${page}.html`,
      rank: 2,
      hops: 1,
      note,
    }
  })
  await frontier.offer(batch)
}
await frontier.close()
