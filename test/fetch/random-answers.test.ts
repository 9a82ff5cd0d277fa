// Answers that are right and then damaged at random places. Whatever comes, a request ends in time, in one known way, and
// the next one is answered. ESCALONA_SEED=<seed> repeats one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { PATIENCE } from '../../src/fetch/exchange.ts'
import { RandomSource, seeds } from '../model/random-source.ts'
import { answered, fetcher, LOOPBACK } from './ask.ts'
import { page, rawServer } from './raw-server.ts'

const HTML = Buffer.from(`<!doctype html><title>x</title>${'<p>some words '.repeat(300)}`)

function randomAnswer(chance: RandomSource): Buffer {
  const [coding, body] = chance.pick([
    ['identity', HTML],
    ['gzip', gzipSync(HTML)],
    ['deflate', deflateSync(HTML)],
    ['br', brotliCompressSync(HTML)],
  ] as const)
  const status = chance.pick(['200 OK', '200 OK', '301 Moved', '404 Not Found', '204 None', '103 Hint', '500 Oh'])
  const head = [
    `HTTP/1.${chance.below(2)} ${status}`,
    ...(chance.chance(0.8) ? [`Content-Type: ${chance.pick(['text/html', 'text/html', 'image/png', '*/*'])}`] : []),
    ...(chance.chance(0.9) ? [`Content-Encoding: ${coding}`] : []),
    chance.pick([`Content-Length: ${body.length}`, 'Connection: close', 'Transfer-Encoding: chunked']),
    'Location: /elsewhere',
  ]
  const isChunked = head.some(line => line.startsWith('Transfer'))
  const framed = isChunked
    ? Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')])
    : body
  const answer = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), framed])
  for (let i = chance.below(4); i > 0; i--) answer[chance.below(chance.pick([answer.length, 150]))] = chance.below(256)
  return chance.chance(0.3) ? answer.subarray(0, chance.below(answer.length)) : answer
}

test('ours: every damaged answer is an outcome, and the next request goes well', async t => {
  const damaged = new Map<string, { answer: Buffer; cutAt: number }>()
  const server = await rawServer(t, (socket, head) => {
    const found = damaged.get(/^GET \/(\S*)/.exec(head)![1]!)
    if (found === undefined) return socket.write(page('<p>fine'))
    const { answer, cutAt } = found
    socket.write(answer.subarray(0, cutAt))
    return setTimeout(() => socket.end(answer.subarray(cutAt)), 2)
  })
  const fetch = fetcher(t, { maxBodyBytes: 3000, timeoutMs: 20_000, firstByteTimeoutMs: 20_000 })
  const outcomes = new Map<string, number>()
  const all = seeds(t, 600, 200)
  const worker = async (host: string) => {
    for (let seed = all.pop(); seed !== undefined; seed = all.pop()) {
      const chance = new RandomSource(seed)
      const answer = randomAnswer(chance)
      damaged.set(String(seed), { answer, cutAt: chance.below(answer.length + 1) })
      const origin = `http://${host}:${server.port}`
      const fetched = await fetch.get(`${origin}/${seed}`, LOOPBACK, chance.pick(['html', 'robots']))
      const name = fetched.kind === 'failed' ? fetched.why : fetched.kind
      assert.ok(name === 'answer' || name in PATIENCE, `ESCALONA_SEED=${seed}: ${name}`)
      assert.notEqual(name, 'stopped', `ESCALONA_SEED=${seed}`)
      outcomes.set(name, (outcomes.get(name) ?? 0) + 1)
      const askNext = () => fetch.get(`${origin}/fine?after=${seed}`, LOOPBACK, 'html')
      let next = await askNext()
      // The server may be closing the connection just now.
      if (next.kind === 'failed' && next.why === 'reset') next = await askNext()
      assert.equal(answered(next).text, '<p>fine', `ESCALONA_SEED=${seed}`)
      damaged.delete(String(seed))
    }
  }
  await Promise.all(Array.from({ length: 16 }, (_, i) => worker(`h${i}.example`)))
  t.diagnostic(JSON.stringify([...outcomes]))
})
