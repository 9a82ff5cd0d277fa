// A DNS server of the benchmark's own. `addressOf` gives an IPv4 address for a name; without one, there is no such name.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

const HEADER_BYTES = 12
const TYPE_A = 1
const NO_SUCH_NAME = 3

export async function serveNames(addressOf = () => undefined) {
  const socket = createSocket('udp4')
  socket.on('message', (query, peer) => socket.send(answerTo(query, addressOf), peer.port, peer.address))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { address: `127.0.0.1:${socket.address().port}`, close: () => socket.close() }
}

/** RFC 1035 4.1: the header, the question again, and one record or none. */
function answerTo(query, addressOf) {
  const labels = []
  let at = HEADER_BYTES
  while (query[at] > 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]))
    at += 1 + query[at]
  }
  const isA = query.readUInt16BE(at + 1) === TYPE_A
  const address = addressOf(labels.join('.').toLowerCase())
  const head = Buffer.concat([query.subarray(0, at + 5)])
  head.writeUInt16BE(0x8180 | (address === undefined ? NO_SUCH_NAME : 0), 2)
  for (const place of [6, 8, 10]) head.writeUInt16BE(0, place)
  if (address === undefined || !isA) return head
  head.writeUInt16BE(1, 6)
  const record = [0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)]
  return Buffer.concat([head, Buffer.from(record)])
}
