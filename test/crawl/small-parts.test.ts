import assert from 'node:assert/strict'
import { test } from 'node:test'
import { packLinks, unpackLinks } from '../../src/decide/job.ts'
import { readNote, writeNote } from '../../src/decide/link-note.ts'
import type { Ticket } from '../../src/frontier/frontier.ts'
import { OpenLeases } from '../../src/run/collector.ts'
import { agentOf, type CrawlSettings, settingsWith } from '../../src/settings/settings.ts'
import { VirtualClock } from '../../src/simulate/virtual-clock.ts'
import { type NumberedResult, pack, unpack } from '../../src/visit/parcel.ts'
import { RecentlyOffered } from '../../src/visit/recently-offered.ts'

test('ours: results come out of a parcel as they went in, also through another thread’s copy', () => {
  const redirect = (bytes: number) => ({ kind: 'redirect' as const, ...found(bytes) })
  const results: NumberedResult[] = [
    {
      visit: 7,
      result: { ...redirect(3), kind: 'page', keep: 'yes', page: FACTS, original: undefined, same: undefined },
    },
    {
      visit: 9,
      result: { ...redirect(4), kind: 'page', keep: 'noindex', page: FACTS, original: ORIGINAL, same: 'text' },
    },
    { visit: 6, result: redirect(1) },
    { visit: 5, result: { kind: 'failed', why: 'timeout', isSilent: true } },
    { visit: 8, result: redirect(5) },
  ]
  const parcel = pack(results)
  assert.equal(parcel.block.length, 13)
  const back = unpack(structuredClone(parcel, { transfer: [parcel.block.buffer] }))
  assert.deepEqual(back.map(plain), results.map(plain))
})

const ORIGINAL = { file: 'f', offset: 1, length: 2, recordId: 'r', url: 'u', date: 'd', payloadDigest: 'p' }
const FACTS = {
  title: 'title',
  opening: 'opening',
  bytes: 10,
  tokens: 11,
  linksOut: 12,
  language: 'pt',
  validators: { etag: '"e"', lastModified: 'yesterday' },
  textDigest: 'text',
  fingerprint: { simhash: '0123456789abcdef', sample: [1, 2], runs: [3] },
  isWhole: true,
}

function found(bytes: number) {
  return {
    answer: { status: 200, sentAtMs: 1, tookMs: 2, wireBytes: 3, retryAfterMs: 4, records: records(bytes) },
    links: [{ refused: undefined, lines: `1 http://a.com/${bytes}` }],
    refusedLinks: { scope: bytes },
  }
}

/** With the bytes of its records as a list, whatever buffer they lie in. */
function plain({ visit, result }: NumberedResult): unknown {
  if (!('answer' in result)) return { visit, result }
  const { kind, bytes, responseBytes, isPage, recordId, date, cdx, payloadDigest } = result.answer.records!
  const records = { kind, bytes: [...bytes], responseBytes, isPage, recordId, date, cdx, payloadDigest }
  return { visit, result: { ...result, answer: { ...result.answer, records } } }
}

function records(bytes: number) {
  return {
    kind: 'response' as const,
    bytes: new Uint8Array(bytes).fill(bytes),
    responseBytes: 1,
    isPage: false,
    recordId: `urn:uuid:${bytes}`,
    date: '2026-01-02T03:04:05.678Z',
    cdx: `line ${bytes}`,
    payloadDigest: 'x',
  }
}

test('ours: links travel in chunks of a thousand, as they were', () => {
  const links = Array.from({ length: 2001 }, (_, n) => ({ url: `http://a.com/${n}?q=a%20b`, pathDepth: n % 9 }))
  const chunks = packLinks(links)
  assert.equal(chunks.length, 3)
  assert.deepEqual(chunks.flatMap(unpackLinks), links)
  assert.deepEqual(packLinks([]), [])
})

test('held links: links that a setting holds back travel apart from the others, each with its setting', () => {
  const links = [
    { url: 'http://a.com/1', pathDepth: 1 },
    { url: 'http://b.com/', pathDepth: 0, refused: 'scope' },
    { url: 'http://a.com/2', pathDepth: 1 },
    { url: 'http://c.com/', pathDepth: 0, refused: 'exclude' },
    { url: 'http://d.com/', pathDepth: 0, refused: 'scope' },
  ] as const
  const chunks = packLinks(links)
  assert.deepEqual(
    chunks.map(({ refused }) => refused),
    [undefined, 'scope', 'exclude'],
  )
  assert.deepEqual(chunks.flatMap(unpackLinks), [links[0], links[2], links[1], links[4], links[3]])
})

test('ours: a link need not travel again once the page that brought it is settled, and not before', () => {
  const offered = new RecentlyOffered()
  offered.bring(1, ['http://a.com/1', 'http://a.com/2'])
  assert.equal(offered.isKnown('http://a.com/1'), false)
  offered.close(1, true)
  assert.equal(offered.isKnown('http://a.com/1'), true)
  offered.bring(2, ['http://a.com/3'])
  offered.close(2, false)
  assert.equal(offered.isKnown('http://a.com/3'), false)
})

test('ours: a worker forgets links that it has not seen lately', () => {
  const offered = new RecentlyOffered()
  for (let n = 0; n < 100_000; n++) {
    offered.bring(n, [`http://a.com/${n}`])
    offered.close(n, true)
  }
  assert.equal(offered.isKnown('http://a.com/99999'), true)
  assert.equal(offered.isKnown('http://a.com/70000'), true)
  assert.equal(offered.isKnown('http://a.com/0'), false)
})

test('ours: a note says what it said, and one of another version says nothing', () => {
  const note = { from: 'http://a.com/', redirects: 3, robotsOf: 'http://b.com' }
  assert.deepEqual(readNote(writeNote(note)), note)
  for (const text of [undefined, '', '{', '[]', '{"redirects":"3"}']) assert.deepEqual(readNote(text), {})
})

test('ours: open leases are renewed four times in their time; one that is over is known to be', async () => {
  const time = new VirtualClock()
  const renewed: (readonly number[])[] = []
  const renew = async (ids: readonly number[]) => {
    renewed.push(ids)
    return ids.filter(id => id === 2)
  }
  const leases = new OpenLeases({ renew }, time.clock)
  const tickets = [1, 2, 3].map(id => ({ id, leaseMs: 1000 }) as Ticket)
  for (const ticket of tickets) leases.open(ticket, time.nowMs)
  leases.close(3)
  time.nowMs += 249
  await leases.renewIfDue()
  assert.deepEqual(renewed, [])
  assert.equal(leases.endsWithin(tickets[0]!, 751), false)
  assert.equal(leases.endsWithin(tickets[0]!, 752), true)
  time.nowMs += 1
  await leases.renewIfDue()
  assert.deepEqual(renewed, [[1, 2]])
  assert.equal(leases.endsWithin(tickets[0]!, 1000), false)
  assert.equal(leases.endsWithin(tickets[1]!, 1), true)
  assert.equal(leases.endsWithin(tickets[2]!, 1), true)
})

test('RFC 9309 2.2.1: the product token is the first word of the User-Agent', () => {
  assert.equal(agentOf('escalona/1.0 (+https://x)'), 'escalona')
  assert.equal(agentOf('My-Bot_x 2'), 'My-Bot_x')
  assert.equal(agentOf('bot2/1.0'), 'bot2')
})

test('settings: the defaults', () => {
  const { delayMs, timeoutMs, maxBodyBytes, concurrency, workers, retries, strategy, exploreChance, scope, userAgent } =
    settingsWith({}, 8, '9.9')
  assert.deepEqual(
    { delayMs, timeoutMs, maxBodyBytes, concurrency, workers, retries, strategy, exploreChance, scope },
    {
      delayMs: 1000,
      timeoutMs: 10_000,
      maxBodyBytes: 10_485_760,
      concurrency: 48,
      workers: 8,
      retries: 3,
      strategy: 'explore',
      exploreChance: 0.7,
      scope: 'any',
    },
  )
  const { serverDelayMs, perServer, connectTimeoutMs, firstByteTimeoutMs } = settingsWith({ delayMs: 200 }, 8, '9.9')
  assert.deepEqual(
    { serverDelayMs, perServer, connectTimeoutMs, firstByteTimeoutMs },
    { serverDelayMs: 50, perServer: 4, connectTimeoutMs: 5000, firstByteTimeoutMs: 8000 },
  )
  assert.match(userAgent, /^escalona\/9\.9 \(\+https:\/\//)
  assert.equal(settingsWith({ concurrency: 3 }, 8, '1').workers, 3)
})

test('ours: a setting that is undefined has its default, and one that makes no sense is told', () => {
  const own = { limit: undefined, delayMs: undefined, timeoutMs: undefined } as unknown as Partial<CrawlSettings>
  const { limit, delayMs, timeoutMs } = settingsWith(own, 2, '1')
  assert.deepEqual([limit, delayMs, timeoutMs], [Infinity, 1000, 10_000])
  for (const wrong of [
    { limit: 0 },
    { delayMs: -1 },
    { delayMs: Number.NaN },
    { timeoutMs: 0 },
    { concurrency: 0 },
    { workers: 0 },
    { exploreChance: 2 },
    { strategy: 'x' },
    { scope: 'x' },
    { userAgent: '' },
    { userAgent: 'a\r\nb: c' },
  ] as Partial<CrawlSettings>[]) {
    assert.throws(() => settingsWith(wrong, 2, '1'), { code: 'CRAWL_BAD_SETTING' }, JSON.stringify(wrong))
  }
  assert.throws(() => settingsWith({ allowNetworks: ['x'] }, 2, '1'), { code: 'FETCH_BAD_NETWORK' })
})
