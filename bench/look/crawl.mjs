// A crawl of a million known links, as a process of its own: node crawl.mjs FOLDER LINKS PORT. Says four times a second
// on standard output how many pages it has archived; ends when it is killed.
import { join } from 'node:path'
import { library } from '../measured.mjs'

const [folder, links, port] = process.argv.slice(2)
const { crawl, openLocal } = await library()
const HOSTS = 500
const BATCH = 5000

const hosts = new Map(Array.from({ length: HOSTS }, (_, n) => [`h${n}.test`, '127.0.0.1']))
const settings = {
  seeds: [`http://h0.test:${port}/`],
  folder,
  hosts,
  allowNetworks: ['127.0.0.0/8'],
  delayMs: 0,
  serverDelayMs: 0,
  perServer: 48,
  strategy: 'breadth',
}
// The folder is begun by a crawl that has no time for anything.
await crawl({ ...settings, maxTimeMs: 1 }).run()
await fill()
const collecting = crawl({ ...settings, maxTimeMs: Infinity })
setInterval(() => console.log(collecting.stats?.pages ?? 0), 250)
await collecting.run()

/** A frontier that knows this many links, as earlier runs would have left it. */
async function fill() {
  const frontier = await openLocal({ folder: join(folder, 'frontier') })
  const note = JSON.stringify({ from: `http://h0.test:${port}/` })
  for (let n = 0; n < Number(links); n += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, i) => {
      const link = n + i
      const url = `http://h${link % HOSTS}.test:${port}/section-${link % 97}/page-${link}.html`
      return { url, rank: 2, hops: 1, note, ...(link % 4 === 0 && { refused: 'scope' }) }
    })
    await frontier.offer(batch)
  }
  await frontier.close()
}
