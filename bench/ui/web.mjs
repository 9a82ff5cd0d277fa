// One small page for every URL of every host, and a DNS server that knows every name: node web.mjs. Says the two ports, and then four
// times a second how many pages it has given.
import { createSocket } from 'node:dgram'
import { createServer } from 'node:http'

const body = Buffer.from(`<!doctype html><title>A page</title><p>${'words and words '.repeat(300)}`)
/** Hosts at one address wait in line there; with many, whoever has given its robots.txt is asked for pages soon. */
const ADDRESSES = 200
let pages = 0
const answer = ({ url }, response) => {
  const isRobots = url === '/robots.txt'
  if (!isRobots) pages++
  response.writeHead(200, { 'Content-Type': isRobots ? 'text/plain' : 'text/html' })
  response.end(isRobots ? 'User-agent: *\nDisallow: /private/\n' : body)
}
let port = 0
for (let n = 1; n <= ADDRESSES; n++) {
  const server = createServer({ keepAliveTimeout: 60_000 }, answer)
  await new Promise((resolve, reject) => server.on('error', reject).listen(port, `127.77.0.${n}`, resolve))
  port = server.address().port
}
const names = createSocket('udp4')
names.on('message', (question, { address, port }) => names.send(answerTo(question), port, address))
names.bind(0, '127.0.0.1', () => {
  console.log(`${port} ${names.address().port}`)
  setInterval(() => console.log(pages), 250)
})

/** RFC 1035 4: an A record for an hour, by the number in the name (`h17.…`); no records for other types. */
function answerTo(question) {
  const nameEnd = question.indexOf(0, 12)
  const isA = question.readUInt16BE(nameEnd + 1) === 1
  const header = Buffer.from(question.subarray(0, nameEnd + 5))
  header.writeUInt16BE(0x8180, 2)
  header.writeUInt16BE(isA ? 1 : 0, 6)
  header.writeUInt32BE(0, 8)
  if (!isA) return header
  const host = Number(question.toString('latin1', 14, 13 + question[12]))
  const address = [127, 77, 0, 1 + ((host || 0) % ADDRESSES)]
  return Buffer.concat([header, Buffer.from('c00c0001000100000e100004', 'hex'), Buffer.from(address)])
}
