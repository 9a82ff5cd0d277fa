// Anchor "raw loop": the least a collector in Node can do: undici, htmlparser2, a Set, gzip. No robots.txt, no politeness,
// no durability, no WARC headers, one thread.   node raw-loop.mjs SEEDS LIMIT OUT
import { createWriteStream, readFileSync } from 'node:fs'
import { gzip } from 'node:zlib'
import { Parser } from 'htmlparser2'
import { Agent, request } from 'undici'

const seeds = readFileSync(process.argv[2], 'utf8').trim().split('\n')
const limit = Number(process.argv[3])
const file = createWriteStream(process.argv[4])
const seen = new Set(seeds)
const queue = [...seeds]
const dispatcher = new Agent({ connections: 1, keepAliveTimeout: 60_000 })
let head = 0
let done = 0

async function worker() {
  for (let idle = 0; done < limit && idle < 500; ) {
    const url = queue[head]
    if (!url) {
      idle++
      await new Promise(resolve => setTimeout(resolve, 5))
      continue
    }
    head++
    idle = 0
    const { body } = await request(url, { dispatcher })
    const bytes = Buffer.from(await body.arrayBuffer())
    const parser = new Parser({
      onopentag(name, { href }) {
        if (name !== 'a' || !href) return
        const link = URL.canParse(href, url) ? new URL(href, url).href : undefined
        if (link && !seen.has(link)) {
          seen.add(link)
          queue.push(link)
        }
      },
    })
    parser.end(bytes.toString('utf8'))
    await zipped(bytes)
    done++
  }
}

function zipped(bytes) {
  return new Promise((resolve, reject) => {
    gzip(bytes, (error, result) => {
      if (error) return reject(error)
      file.write(result)
      resolve()
    })
  })
}

await Promise.all(Array.from({ length: 48 }, worker))
console.log(`pages ${done}`)
process.exit(0)
