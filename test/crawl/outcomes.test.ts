import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer, End, Finding, FoundLink } from '../../src/crawl/errand.ts'
import { type OpenVisit, type Outcome, Outcomes } from '../../src/crawl/outcomes.ts'
import { RobotsGate } from '../../src/crawl/robots-gate.ts'
import { settingsWith } from '../../src/crawl/settings.ts'
import type { Explanation, Settlement, Ticket } from '../../src/frontier/frontier.ts'

const NOW_MS = 1_000_000
const TICKET: Ticket = { id: 7, url: 'http://a.com/x', host: 'a.com', depth: 1, hops: 2, attempt: 1, dueMs: 0 }
const RECORDS = { bytes: new Uint8Array(9), responseBytes: 5, isPage: true, cdx: '', payloadDigest: '' }
const PAGE: End = { kind: 'page', page: { title: 'T', opening: 'one two', bytes: 20, tokens: 2, linksOut: 1 } }
const LINK: FoundLink = { url: 'http://b.com/', depth: 0 }

function answer(more: Partial<Answer> = {}): Answer {
  return { status: 200, sentAtMs: 5, tookMs: 30, wireBytes: 10, retryAfterMs: undefined, records: RECORDS, ...more }
}

function outcomes(knows: (url: string) => Explanation['state'] = () => 'never seen', refuses = ''): Outcomes {
  return new Outcomes({
    settings: settingsWith({}, 2, '1.0'),
    gate: new RobotsGate('escalona', 3),
    frontier: { explain: url => ({ state: knows(url) }) as Explanation },
    filterLink: ({ url }) => url !== refuses,
  })
}

function visit(more: Partial<OpenVisit> = {}): OpenVisit {
  return { ticket: TICKET, askedUrl: TICKET.url, robotsOf: undefined, isErrand: false, ...more }
}

function found(end: End, more: Partial<Finding> = {}): Finding {
  return { ticketId: TICKET.id, answer: answer(), end, links: [], refusedLinks: {}, ...more }
}

function settlementOf({ entry }: Outcome): Settlement {
  assert.ok('outcome' in entry.closing)
  return entry.closing
}

test('SPEC 5: a page is archived and settled with its links, which are one link farther from the seed', () => {
  const outcome = outcomes().of(visit(), found(PAGE, { links: [LINK] }), NOW_MS)
  assert.equal(outcome.entry.records, RECORDS)
  assert.deepEqual(outcome.entry.page, {
    url: TICKET.url,
    status: 200,
    title: 'T',
    bytes: 20,
    tokens: 2,
    hops: 2,
    linksOut: 1,
    dateMs: 5,
  })
  const closing = { ticketId: 7, outcome: { kind: 'done' }, links: [{ ...LINK, hops: 3 }], delayMs: 100 }
  assert.deepEqual(settlementOf(outcome), closing)
})

test('SPEC 5: noindex and noarchive: not archived, links still followed', () => {
  for (const reason of ['noindex', 'noarchive'] as const) {
    const outcome = outcomes().of(visit(), found({ kind: 'not kept', reason }, { links: [LINK] }), NOW_MS)
    assert.equal(outcome.entry.records, undefined)
    assert.equal(outcome.entry.page, undefined)
    assert.equal(settlementOf(outcome).links.length, 1)
    assert.deepEqual(settlementOf(outcome).outcome, { kind: 'refused', reason })
  }
})

test('SPEC 5: a redirect is archived, is no page, and offers its target as near to the seed as itself', () => {
  const outcome = outcomes().of(visit(), found({ kind: 'redirect' }, { links: [LINK] }), NOW_MS)
  assert.equal(outcome.entry.records, RECORDS)
  assert.equal(outcome.entry.page, undefined)
  assert.deepEqual(settlementOf(outcome).links, [{ ...LINK, hops: 2 }])
  assert.deepEqual(outcome.happenings, [{ kind: 'redirected', host: 'a.com' }])
})

test('SPEC 5: ten redirects are followed, and the eleventh is counted by its name', () => {
  const all = outcomes()
  for (let n = 0; n <= 10; n++) {
    const url = `http://a.com/${n}`
    const links = [{ url: `http://a.com/${n + 1}`, depth: 1 }]
    const outcome = all.of(visit({ ticket: { ...TICKET, url } }), found({ kind: 'redirect' }, { links }), NOW_MS)
    assert.equal(settlementOf(outcome).links.length, n < 10 ? 1 : 0, `redirect ${n + 1}`)
    if (n === 10)
      assert.deepEqual(outcome.happenings[1], { kind: 'links refused', counts: { 'too-many-redirects': 1 } })
  }
})

test('ours: a redirect to what is known, as in a loop, is counted by its name', () => {
  const outcome = outcomes(() => 'done').of(visit(), found({ kind: 'redirect' }, { links: [LINK] }), NOW_MS)
  assert.deepEqual(outcome.happenings[1], { kind: 'links refused', counts: { 'redirect-to-known': 1 } })
})

test('SPEC 5: a failed request is made again three times, after 1, 5 and 25 seconds, then given up with its reason', () => {
  const failed = found({ kind: 'failed', why: 'timeout', isWorthAgain: true }, { answer: undefined })
  for (const [i, pauseMs] of [1000, 5000, 25_000].entries()) {
    const outcome = outcomes().of(visit({ ticket: { ...TICKET, attempt: i + 1 } }), failed, NOW_MS)
    assert.deepEqual(settlementOf(outcome), { ticketId: 7, outcome: { kind: 'again' }, links: [], delayMs: pauseMs })
    assert.deepEqual(outcome.happenings, [{ kind: 'again', host: 'a.com', why: 'timeout' }])
  }
  const last = outcomes().of(visit({ ticket: { ...TICKET, attempt: 4 } }), failed, NOW_MS)
  assert.deepEqual(settlementOf(last).outcome, { kind: 'refused', reason: 'timeout' })
  assert.deepEqual(last.happenings, [{ kind: 'failed', host: 'a.com', why: 'timeout' }])
  assert.equal(settlementOf(last).delayMs, 1000)
})

test('SPEC 5: Retry-After makes the pause longer', () => {
  const end: End = { kind: 'failed', why: 'status-503', isWorthAgain: true }
  const finding = found(end, { answer: answer({ status: 503, retryAfterMs: 7000 }) })
  assert.equal(settlementOf(outcomes().of(visit(), finding, NOW_MS)).delayMs, 7000)
})

test('ours: a failure that would only come again is given up at once', () => {
  const finding = found({ kind: 'failed', why: 'tls', isWorthAgain: false }, { answer: undefined })
  assert.deepEqual(settlementOf(outcomes().of(visit(), finding, NOW_MS)).outcome, { kind: 'refused', reason: 'tls' })
})

test('SPEC 5: a host that answers slowly is asked more rarely', () => {
  const finding = found(PAGE, { answer: answer({ tookMs: 4000 }) })
  assert.equal(settlementOf(outcomes().of(visit(), finding, NOW_MS)).delayMs, 4000)
})

test('ours: what was refused without a request leaves the host its time', () => {
  assert.equal(settlementOf(outcomes().refused(TICKET, 'robots')).delayMs, undefined)
  const finding = found({ kind: 'refused', reason: 'address' }, { answer: undefined })
  assert.equal(settlementOf(outcomes().of(visit(), finding, NOW_MS)).delayMs, undefined)
})

test('ours: a visit that was not made gives its ticket back', () => {
  const outcome = outcomes().of(visit(), found({ kind: 'unvisited' }, { answer: undefined }), NOW_MS)
  assert.deepEqual(outcome.entry.closing, { giveBack: 7 })
})

test('SPEC 5: robots.txt counts as a request: the page waits for the delay, or Crawl-delay', () => {
  const body = Buffer.from('User-agent: *\nCrawl-delay: 2')
  const finding = found({ kind: 'robots', body, location: undefined })
  const outcome = outcomes().of(visit({ robotsOf: 'http://a.com' }), finding, NOW_MS)
  assert.deepEqual(outcome.entry, {
    records: RECORDS,
    closing: { giveBack: 7 },
    delay: { host: 'a.com', ms: 2000 },
    block: { host: 'a.com', untilMs: NOW_MS + 2000 },
  })
})

test('ours: a robots.txt at another host becomes a link there, and its Crawl-delay holds for the host that it is of', () => {
  const all = outcomes()
  const moved: End = { kind: 'robots', body: new Uint8Array(0), location: 'http://c.com/robots.txt' }
  const redirect = found(moved, { answer: answer({ status: 301 }) })
  const asked = visit({ robotsOf: 'http://a.com', askedUrl: 'http://a.com/robots.txt' })
  const [errand] = all.of(asked, redirect, NOW_MS).entry.offer!
  assert.match(errand!.url, /^http:\/\/c\.com\/robots\.txt#/)
  const ticket = { ...TICKET, url: errand!.url, host: 'c.com' }
  const told = found({ kind: 'robots', body: Buffer.from('User-agent: *\nCrawl-delay: 3'), location: undefined })
  const there = visit({ ticket, askedUrl: 'http://c.com/robots.txt', robotsOf: 'http://a.com', isErrand: true })
  const outcome = all.of(there, told, NOW_MS)
  assert.deepEqual(settlementOf(outcome).outcome, { kind: 'done' })
  assert.deepEqual(outcome.entry.delay, { host: 'a.com', ms: 3000 })
})

test('ours: the caller’s own rule counts what it refuses', () => {
  const outcome = outcomes(undefined, LINK.url).of(visit(), found(PAGE, { links: [LINK] }), NOW_MS)
  assert.deepEqual(settlementOf(outcome).links, [])
  assert.deepEqual(outcome.happenings, [{ kind: 'links refused', counts: { filtered: 1 } }])
})

test('ours: links that robots.txt is known to forbid are not offered', () => {
  const all = outcomes()
  const robots = found({ kind: 'robots', body: Buffer.from('User-agent: *\nDisallow: /no'), location: undefined })
  all.of(visit({ robotsOf: 'http://b.com' }), robots, NOW_MS)
  const links = [LINK, { url: 'http://b.com/no/1', depth: 2 }]
  const outcome = all.of(visit(), found(PAGE, { links }), NOW_MS)
  assert.deepEqual(settlementOf(outcome).links, [{ ...LINK, hops: 3 }])
  assert.deepEqual(outcome.happenings, [{ kind: 'links refused', counts: { robots: 1 } }])
})

test('ours: a host that gave no answer to ten links in a row is down, until it answers', () => {
  const all = outcomes()
  const failed = found({ kind: 'failed', why: 'connect', isWorthAgain: true }, { answer: undefined })
  for (let n = 0; n < 10; n++) {
    assert.equal(all.isDown('a.com'), false)
    all.of(visit({ ticket: { ...TICKET, attempt: 4 } }), failed, NOW_MS)
  }
  assert.equal(all.isDown('a.com'), true)
  assert.equal(all.isDown('b.com'), false)
  all.of(visit(), found(PAGE), NOW_MS)
  assert.equal(all.isDown('a.com'), false)
})
