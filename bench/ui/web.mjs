// One small page for every URL of every host, and a DNS server that knows every name: node web.mjs. Says the two ports, and then four
// times a second how many pages it has given.
import { createSocket } from 'node:dgram'
import { createServer } from 'node:http'

const body = Buffer.from(`<!doctype html><title>A page</title><p>${'words and words '.repeat(300)}`)
let pages = 0
const web = createServer({ keepAliveTimeout: 60_000 }, ({ url }, response) => {
  const isRobots = url === '/robots.txt'
  if (!isRobots) pages++
  response.writeHead(200, { 'Content-Type': isRobots ? 'text/plain' : 'text/html' })
  response.end(isRobots ? 'User-agent: *\nDisallow: /private/\n' : body)
})
const names = createSocket('udp4').on('message', (question, { address, port }) =>
  names.send(answerTo(question), port, address),
)
web.listen(0, '127.0.0.1', () =>
  names.bind(0, '127.0.0.1', () => {
    console.log(`${web.address().port} ${names.address().port}`)
    setInterval(() => console.log(pages), 250)
  }),
)

/** RFC 1035 4: an A record with 127.0.0.1 for an hour; no records for other types. */
function answerTo(question) {
  const nameEnd = question.indexOf(0, 12)
  const isA = question.readUInt16BE(nameEnd + 1) === 1
  const header = Buffer.from(question.subarray(0, nameEnd + 5))
  header.writeUInt16BE(0x8180, 2)
  header.writeUInt16BE(isA ? 1 : 0, 6)
  header.writeUInt32BE(0, 8)
  return isA ? Buffer.concat([header, Buffer.from('c00c00010001000000e10004' + '7f000001', 'hex')]) : header
}
