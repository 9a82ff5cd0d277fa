// Answers that are right, wrong and odd in every place where HTTP/1.1 has rules, read by our parser, by undici's llhttp and by curl.
// ESCALONA_SEED=<seed> repeats one that was damaged at random.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Client } from 'undici'
import { systemClock } from '../../src/base/clock.ts'
import { AddressGuard } from '../../src/fetch/address-guard.ts'
import { HttpConnection } from '../../src/fetch/connection.ts'
import { Dialer } from '../../src/fetch/dialer.ts'
import { Routes } from '../../src/fetch/routes.ts'
import { RandomSource, seeds } from '../model/random-source.ts'
import { byCurl, CURL_VERSION, NO_CURL, type SeenByCurl } from './by-curl.ts'
import { damagedAnswer, grammarAnswers, type RawAnswer } from './raw-answers.ts'
import { rawServer } from './raw-server.ts'

interface Seen {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: string
}

function byUndici(origin: string, path: string): Promise<Seen | 'failed'> {
  const client = new Client(origin, { maxHeaderSize: 32 << 10 })
  return new Promise<Seen | 'failed'>(resolve => {
    let seen = { status: 0, headers: [] as string[] }
    const pieces: Buffer[] = []
    client.dispatch(
      { path, method: 'GET' },
      {
        onRequestStart: () => {},
        onResponseStart: (controller, status) => {
          const raw = controller.rawHeaders as Buffer[]
          if (status >= 200) seen = { status, headers: raw.map(bytes => bytes.toString('latin1')) }
        },
        onResponseData: (_controller, piece) => void pieces.push(Buffer.from(piece)),
        onResponseEnd: () => resolve({ ...seen, body: Buffer.concat(pieces).toString('latin1') }),
        onResponseError: () => resolve('failed'),
      },
    )
  }).finally(() => client.destroy())
}

function byUs(origin: string, path: string): Promise<Seen | 'failed'> {
  const dialer = new Dialer(new AddressGuard(['127.0.0.0/8']), new Routes(systemClock))
  const connection = new HttpConnection(origin, { kind: 'direct', ip: '127.0.0.1', dialer }, [], systemClock)
  return new Promise<Seen | 'failed'>(resolve => {
    let seen = { status: 0, headers: [] as readonly string[] }
    const pieces: Buffer[] = []
    connection.send(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`, {
      sent: () => {},
      head: ({ status, headers }) => void (seen = { status, headers }),
      piece: bytes => void pieces.push(Buffer.from(bytes)),
      end: () => resolve({ ...seen, body: Buffer.concat(pieces).toString('latin1') }),
      lost: () => resolve('failed'),
    })
  }).finally(() => connection.destroy())
}

/** What curl takes and we refuse, and why. docs/fetch.md has the same reasons. */
const REFUSED: Readonly<Record<string, string>> = {
  'length: differing': 'lengths that differ',
  'length: differing list': 'lengths that differ',
  'length: plus': 'a length that is not a number',
  'length: two numbers': 'a length that is not a number',
  'length: hexadecimal': 'a length that is not a number',
  'length: fraction': 'a length that is not a number',
  'length: too large': 'a length that is not a number',
  'length: folded number': 'a folded length or transfer coding',
  'transfer: folded': 'a folded length or transfer coding',
  'length: blank before the colon': 'a length or transfer coding whose name is not one',
  'length: control character in the name': 'a length or transfer coding whose name is not one',
  'transfer: blank before the colon': 'a length or transfer coding whose name is not one',
  'transfer: identity beside a length': 'a transfer coding beside a length',
  'chunk: letters after the size': 'a chunk size that is not a number',
  'chunk: CR CR LF after the size': 'a bare CR',
  'chunk: CR CR LF after the data': 'a bare CR',
  'header: CR': 'a bare CR',
  'header: 33 KiB': 'a head over 32 KiB',
  'status: two blanks': 'a status line that is not one',
  'before: 101': 'another protocol',
}

/** What undici and we take and curl does not. */
const NOT_BY_CURL = /^before: .*empty line|^transfer: (?:unknown|chunked first|xchunked|quoted)|^chunk: 40 zeros/

interface Judged extends RawAnswer {
  readonly name: string
  readonly ours: Seen | 'failed'
  readonly undici: Seen | 'failed'
}

test('RFC 9112: what undici takes is read alike; what only curl takes is read alike, or refused for a reason', async t => {
  const served = new Map<string, readonly Buffer[]>()
  const server = await rawServer(t, (socket, head) => {
    const pieces = served.get(/^GET \/(\S*)/.exec(head)![1]!)!
    const write = (place: number) => {
      if (place === pieces.length) socket.end()
      else socket.write(pieces[place]!, () => setTimeout(write, 1, place + 1))
    }
    write(0)
  })
  const grammar = grammarAnswers()
  const all = [
    ...grammar.map((answer, place) => ({ ...answer, name: `grammar-${place}`, seed: place })),
    ...seeds(t, 500, 500).map(seed => {
      return { ...damagedAnswer(new RandomSource(seed), grammar), name: `ESCALONA_SEED=${seed}`, seed }
    }),
  ]
  for (const { name, bytes, seed } of all) {
    const cut = (seed * 37) % (bytes.length + 1)
    served.set(name, seed % 2 === 0 ? [bytes] : [bytes.subarray(0, cut), bytes.subarray(cut)])
    // curl 7.88 now and then fails to read chunks that come in pieces, after others that it refused.
    served.set(`whole-${name}`, [bytes])
  }
  const judged: Judged[] = []
  const rest = [...all]
  const play = async () => {
    for (let one = rest.pop(); one !== undefined; one = rest.pop()) {
      const path = `/${one.name}`
      const [undici, ours] = await Promise.all([byUndici(server.origin, path), byUs(server.origin, path)])
      judged.push({ ...one, ours, undici })
    }
  }
  await Promise.all(Array.from({ length: 8 }, play))
  for (const { name, odd, bytes, ours, undici } of judged) {
    // undici waits for the length that these announce; RFC 9112 6.3 says that they have no body.
    const isBodiless = ours !== 'failed' && (ours.status === 204 || ours.status === 304)
    if (undici === 'failed' || isBodiless) continue
    // llhttp takes a bare CR for the end of a status line.
    if (ours === 'failed' && /\r(?!\n)/.test(bytes.toString('latin1'))) continue
    // llhttp does not know that a list may have an empty element (RFC 9110 5.6.1); curl does.
    if (/^transfer-encoding:.*chunked.*,[\t ]*$/im.test(bytes.toString('latin1'))) continue
    assert.deepEqual(ours, undici, `${name}: ${odd.join(', ')}: ${JSON.stringify(bytes.toString('latin1'))}`)
  }
  const tally = { answers: grammar.length, damaged: all.length - grammar.length, taken: taken(judged, 'ours') }
  t.diagnostic(JSON.stringify({ ...tally, byUndici: taken(judged, 'undici') }))
  if (NO_CURL) t.diagnostic(`not compared with curl: ${NO_CURL}`)
  else compareWithCurl(t, judged, await byCurl(judged.map(({ name }) => `${server.origin}/whole-${name}`)))
})

function taken(judged: readonly Judged[], by: 'ours' | 'undici'): number {
  return judged.filter(one => one[by] !== 'failed').length
}

function compareWithCurl(t: TestContext, judged: readonly Judged[], curled: readonly (SeenByCurl | 'failed')[]): void {
  const refused = new Map<string, number>()
  let takenByCurl = 0
  // Versions of curl differ in what they take, never in how they read it.
  const isKnownCurl = CURL_VERSION?.startsWith('7.88.') === true
  if (!isKnownCurl)
    t.diagnostic(`only bodies are compared: what is taken was judged beside curl 7.88, not ${CURL_VERSION}`)
  judged.forEach(({ name, odd, bytes, ours }, place) => {
    const curl = curled[place]!
    const isDamaged = odd.includes('damaged')
    const about = `${name}: ${odd.join(', ')}: ${JSON.stringify(bytes.toString('latin1'))}`
    if (curl !== 'failed' && !isDamaged) takenByCurl++
    if (ours !== 'failed' && curl !== 'failed') {
      assert.deepEqual({ status: ours.status, body: ours.body }, curl, about)
    } else if (isDamaged || !isKnownCurl) return
    else if (ours !== 'failed')
      assert.ok(
        odd.some(part => NOT_BY_CURL.test(part)),
        about,
      )
    else if (curl !== 'failed') {
      const reason = odd.map(part => REFUSED[part]).find(known => known !== undefined)
      assert.ok(reason !== undefined, `refused without a reason: ${about}`)
      refused.set(reason, (refused.get(reason) ?? 0) + 1)
    }
  })
  const reasons = Object.fromEntries([...refused].sort())
  const sum = [...refused.values()].reduce((all, one) => all + one, 0)
  t.diagnostic(`of ${takenByCurl} answers that curl takes, ${sum} are refused: ${JSON.stringify(reasons)}`)
  if (isKnownCurl)
    assert.deepEqual(Object.keys(reasons), [...new Set(Object.values(REFUSED))].sort(), 'each reason is needed')
}
