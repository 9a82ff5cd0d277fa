// How many pages a second does one core read, beside htmlparser2 doing the same job? `--seconds 2` for each of 5 rounds.
import { sources } from '../measured.mjs'
import { finish, median, option } from '../tools.mjs'
import { pages } from './pages.mjs'
import * as htmlparser2 from './peer-htmlparser2.mjs'

const ROUNDS = 5
const PAGES = 500
const seconds = Number(option('seconds', '1'))
const escalona = await sources(['extract/extract'])

function read(extract, body) {
  const url = 'http://127.10.0.7:8085/s3/a/page-24.html'
  return extract({ body, url, contentType: 'text/html', robotsTags: [], agent: 'escalona' })
}

/** Microseconds of the processor a page, garbage collection included; what other processes do does not count. */
function measure(extract, bodies) {
  const start = process.cpuUsage()
  let count = 0
  let micros = 0
  for (; micros < seconds * 1e6; count += bodies.length) {
    for (const body of bodies) read(extract, body)
    const { user, system } = process.cpuUsage(start)
    micros = user + system
  }
  return micros / count
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
