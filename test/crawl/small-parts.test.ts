import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Finding } from '../../src/crawl/errand.ts'
import { pack, unpack } from '../../src/crawl/parcel.ts'
import { RecentlyOffered } from '../../src/crawl/recently-offered.ts'
import { Redirects } from '../../src/crawl/redirects.ts'
import { agentOf, type CrawlSettings, settingsWith } from '../../src/crawl/settings.ts'

test('ours: findings come out of a parcel as they went in, also through another thread’s copy', () => {
  const findings: Finding[] = [3, 0, 5].map((bytes, n) => ({
    ticketId: n,
    answer:
      bytes === 0
        ? undefined
        : { status: 200, sentAtMs: 1, tookMs: 2, wireBytes: 3, retryAfterMs: 4, records: records(bytes) },
    end: { kind: 'redirect' },
    links: [{ url: `http://a.com/${n}`, depth: n }],
    refusedLinks: { scope: n },
  }))
  const parcel = pack(findings)
  assert.equal(parcel.block.length, 8)
  const back = unpack(structuredClone(parcel, { transfer: [parcel.block.buffer] }))
  for (const [n, finding] of back.entries()) {
    const { answer, ...rest } = finding
    const { answer: before, ...restBefore } = findings[n]!
    assert.deepEqual(rest, restBefore)
    assert.deepEqual([...(answer?.records?.bytes ?? [])], [...(before?.records?.bytes ?? [])])
    assert.equal(answer?.records?.cdx, before?.records?.cdx)
  }
})

function records(bytes: number) {
  return {
    bytes: new Uint8Array(bytes).fill(bytes),
    responseBytes: 1,
    isPage: false,
    cdx: `line ${bytes}`,
    payloadDigest: 'x',
  }
}

test('ours: a link that was sent lately is not new, and one that was forgotten may be', () => {
  const offered = new RecentlyOffered()
  for (let n = 0; n < 100_000; n++) assert.equal(offered.isNew(`http://a.com/${n}`), true)
  assert.equal(offered.isNew('http://a.com/99999'), false)
  assert.equal(offered.isNew('http://a.com/70000'), false)
  assert.equal(offered.isNew('http://a.com/0'), true)
})

test('ours: a redirect that leads on is counted from where it came', () => {
  const redirects = new Redirects()
  for (let n = 0; n < 10; n++) assert.equal(redirects.follow(`${n}`, `${n + 1}`), true)
  redirects.end('10')
  assert.equal(redirects.follow('10', '11'), true)
})

test('RFC 9309 2.2.1: the product token is the first word of the User-Agent', () => {
  assert.equal(agentOf('escalona/1.0 (+https://x)'), 'escalona')
  assert.equal(agentOf('My-Bot_x 2'), 'My-Bot_x')
  assert.equal(agentOf('bot2/1.0'), 'bot2')
})

test('SPEC 5: the defaults', () => {
  const { delayMs, timeoutMs, maxBodyBytes, concurrency, workers, retries, strategy, exploreChance, scope, userAgent } =
    settingsWith({}, 8, '9.9')
  assert.deepEqual(
    { delayMs, timeoutMs, maxBodyBytes, concurrency, workers, retries, strategy, exploreChance, scope },
    {
      delayMs: 100,
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
  assert.match(userAgent, /^escalona\/9\.9 \(\+https:\/\//)
  assert.equal(settingsWith({ concurrency: 3 }, 8, '1').workers, 3)
})

test('ours: a setting that is undefined has its default, and one that makes no sense is told', () => {
  const own = { limit: undefined, delayMs: undefined, timeoutMs: undefined } as unknown as Partial<CrawlSettings>
  const { limit, delayMs, timeoutMs } = settingsWith(own, 2, '1')
  assert.deepEqual([limit, delayMs, timeoutMs], [Infinity, 100, 10_000])
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
