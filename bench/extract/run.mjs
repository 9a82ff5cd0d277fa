// How many pages a second does one core read, beside htmlparser2 doing the same job? `--seconds 2` for each of 5 rounds.
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { finish, median, option } from '../tools.mjs'
import { pages } from './pages.mjs'
import * as htmlparser2 from './peer-htmlparser2.mjs'

const compiled = option('compiled', 'build')
const path = `${compiled}/src/extract/extract.js`
if (!existsSync(path)) throw new Error(`${path} is missing: npx tsc -p tsconfig.test.json --outDir ${compiled}`)
const escalona = await import(pathToFileURL(path).href)

const ROUNDS = 5
const PAGES = 500
const seconds = Number(option('seconds', '1'))

function read(extract, body) {
  const url = 'http://127.10.0.7:8085/s3/a/page-24.html'
  return extract({ body, url, contentType: 'text/html', robotsTags: [], agent: 'escalona' })
}

/** Microseconds a page. */
function measure(extract, bodies) {
  const start = process.hrtime.bigint()
  const end = start + BigInt(Math.round(seconds * 1e9))
  let read_ = 0
  for (; process.hrtime.bigint() < end; read_ += bodies.length) for (const body of bodies) read(extract, body)
  return Number(process.hrtime.bigint() - start) / 1000 / read_
}

/** Both must find the same, or the comparison means nothing. */
function check(bodies) {
  for (const body of bodies) {
    const ours = read(escalona.extract, body)
    const theirs = read(htmlparser2.extract, body)
    for (const name of ['title', 'opening', 'tokens']) {
      if (ours[name] !== theirs[name]) throw new Error(`${name}: ${ours[name]} is not ${theirs[name]}`)
    }
    if (ours.links.map(link => link.href).join() !== theirs.links.join()) throw new Error('the links differ')
  }
}

const figures = {}
for (const [kind, bodies] of Object.entries(pages(PAGES))) {
  check(bodies)
  const peers = { escalona: [], htmlparser2: [] }
  for (let round = 0; round < ROUNDS; round++) {
    peers.escalona.push(measure(escalona.extract, bodies))
    peers.htmlparser2.push(measure(htmlparser2.extract, bodies))
  }
  const ours = median(peers.escalona)
  const theirs = median(peers.htmlparser2)
  const bytes = bodies.reduce((sum, body) => sum + body.length, 0) / bodies.length
  console.log(
    `${kind} (${Math.round(bytes)} bytes): ${ours.toFixed(1)} µs a page, htmlparser2 ${theirs.toFixed(1)} µs, ratio ${(theirs / ours).toFixed(1)}`,
  )
  figures[kind] = { bytes, escalonaMicros: ours, htmlparser2Micros: theirs, ratio: theirs / ours }
}
finish({ benchmark: 'extract', ...figures })
