import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4, isIPv6 } from 'node:net'
import type { TestContext } from 'node:test'
import { addressBytes } from '../../src/fetch/address-guard.ts'

export type RecordType = 'A' | 'AAAA'

/**
 * What the server says.
 *
 * - A list of addresses, kept for 60 s or as long as `ttlSeconds` says. Those of the other family are left out, so that
 *   one list may serve both types; if none is left, the name exists and has no such address.
 * - `NXDOMAIN`: there is no such name. `SERVFAIL`, `REFUSED`: the server can't or won't say.
 * - `silence`: no answer at all.
 */
export type DnsAnswer =
  | readonly string[]
  | { readonly ips: readonly string[]; readonly ttlSeconds: number }
  | 'NXDOMAIN'
  | 'SERVFAIL'
  | 'REFUSED'
  | 'silence'

/**
 * Answers a question: the name in lower case, its type, and how many questions for the same name and type came before. A
 * promise delays the answer.
 */
export type AnswerQuestion = (name: string, type: RecordType, n: number) => DnsAnswer | Promise<DnsAnswer>

export interface DnsServer {
  /** `127.0.0.1:PORT`, as `--dns` and the resolver's `servers` take it. */
  readonly address: string
  /** Every question, as `name type`, in the order in which they came. */
  readonly questions: readonly string[]
  /** Questions about a name, of one type or of both. */
  count(name: string, type?: RecordType): number
  /** Ends it early, so that nobody listens there any more; otherwise it ends with its test. */
  close(): Promise<void>
}

const TYPES: ReadonlyMap<number, RecordType> = new Map([
  [1, 'A'],
  [28, 'AAAA'],
])
const CODES = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 } as const
const HEADER_BYTES = 12
/** Without EDNS an answer in one packet is no longer (RFC 1035 4.2.1). */
const MOST_BYTES = 512

/**
 * A DNS server of the test's own, over UDP on loopback. It says what `answer` returns:
 *
 *     const dns = await dnsServer(t, name => (name.endsWith('.dead.example') ? 'NXDOMAIN' : ['127.0.0.1']))
 *     new Resolver({ clock, servers: [dns.address] })
 *     assert.equal(dns.count('a.dead.example', 'A'), 1)
 *
 * Mind that resolvers ask about A and AAAA, and ask once more if they hear nothing for a second.
 */
export async function dnsServer(t: Pick<TestContext, 'after'>, answer: AnswerQuestion): Promise<DnsServer> {
  const questions: string[] = []
  const counts = new Map<string, number>()
  const socket = createSocket('udp4')
  let isClosed = false
  socket.on('message', async (query, peer) => {
    const { name, type, end } = readQuestion(query)
    const key = `${name} ${type}`
    const n = counts.get(key) ?? 0
    counts.set(key, n + 1)
    questions.push(key)
    const said = await answer(name, type, n)
    if (said === 'silence' || isClosed) return
    socket.send(packet(query.subarray(0, end), type, said), peer.port, peer.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const close = async () => {
    if (isClosed) return
    isClosed = true
    socket.close()
    await once(socket, 'close')
  }
  t.after(close)
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    count: (name, type) =>
      type === undefined
        ? (counts.get(`${name} A`) ?? 0) + (counts.get(`${name} AAAA`) ?? 0)
        : (counts.get(`${name} ${type}`) ?? 0),
    close,
  }
}

/** RFC 1035 4.1.2. `end`: where the question ends; EDNS may follow. */
function readQuestion(query: Buffer): { name: string; type: RecordType; end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const type = TYPES.get(query.readUInt16BE(at + 1))
  assert.ok(type !== undefined, 'the DNS server of the tests knows A and AAAA only')
  return { name: labels.join('.').toLowerCase(), type, end: at + 5 }
}

/** The header (RFC 1035 4.1.1), the question again, and the records. */
function packet(query: Buffer, type: RecordType, said: Exclude<DnsAnswer, 'silence'>): Buffer {
  const isOfType = type === 'A' ? isIPv4 : isIPv6
  const { ips, ttlSeconds } = recordsOf(said)
  const records = ips.filter(isOfType).map(ip => record(ip, ttlSeconds))
  const header = Buffer.alloc(HEADER_BYTES)
  query.copy(header, 0, 0, 2)
  // An answer to a recursive question, and whether it went well.
  header.writeUInt16BE(0x8180 | (typeof said === 'string' ? CODES[said] : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  const bytes = Buffer.concat([header, query.subarray(HEADER_BYTES), ...records])
  assert.ok(bytes.length <= MOST_BYTES, 'too many addresses for one packet')
  return bytes
}

function recordsOf(said: Exclude<DnsAnswer, 'silence'>): { ips: readonly string[]; ttlSeconds: number } {
  if (typeof said === 'string') return { ips: [], ttlSeconds: 0 }
  return 'ips' in said ? said : { ips: said, ttlSeconds: 60 }
}

/** RFC 1035 4.1.3; the name is a pointer to the question. */
function record(ip: string, ttlSeconds: number): Buffer {
  const data = addressBytes(ip)!
  const fixed = Buffer.from([0xc0, HEADER_BYTES, 0, data.length === 4 ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, data.length])
  fixed.writeUInt32BE(ttlSeconds, 6)
  return Buffer.concat([fixed, data])
}
