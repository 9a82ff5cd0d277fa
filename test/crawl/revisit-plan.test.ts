// When a page is visited again, and what is asked for: pure functions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditionsOf, type KnownAnswer, type KnownPage, validatorsOf } from '../../src/decide/known-page.ts'
import { readNote, readPageNote, writePageNote } from '../../src/decide/link-note.ts'
import { type FullAnswer, RevisitPlan, type RevisitSettings } from '../../src/decide/revisit-plan.ts'
import { planAfterPage } from '../../src/decide/revisit-policy.ts'
import type { Ticket } from '../../src/frontier/frontier.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const NOW_MS = 1_700_000_000_000
const URL_OF_PAGE = 'http://a.com/x'
const SETTINGS: RevisitSettings = {
  recrawlMinMs: HOUR_MS,
  recrawlMaxMs: 90 * DAY_MS,
  recrawlFirstMs: DAY_MS,
  recrawlFull: 10,
  seed: 1,
}
const PLACE = { file: 'escalona-00001.warc.gz', offset: 123, length: 456 }
const KNOWN: KnownAnswer = {
  original: {
    ...PLACE,
    recordId: 'urn:uuid:01234567-89ab-8def-8123-456789abcdef',
    url: URL_OF_PAGE,
    date: '2026-01-02T03:04:05.678Z',
    payloadDigest: 'A'.repeat(32),
  },
  validators: { etag: 'W/"a b\\"\xe9"', lastModified: 'yesterday, about noon' },
  textDigest: 'B'.repeat(32),
  isWhole: true,
}
const ANSWER: FullAnswer = {
  place: PLACE,
  known: KNOWN,
  facts: { title: 'T', bytes: 10, tokens: 2, linksOut: 1, language: 'pt-br' },
}

function plan(more: Partial<RevisitSettings> = {}): RevisitPlan {
  return new RevisitPlan({ ...SETTINGS, ...more })
}

function page(more: Partial<KnownPage> = {}): KnownPage {
  return { ...plan().first(ANSWER, NOW_MS), ...more }
}

test('recrawl: the interval shrinks by 0.8 when changed and grows by 1.4 when not, from 1 h to 90 d', () => {
  const { received, notModified, first } = {
    first: page(),
    received: (one: KnownPage, isChanged: boolean) => plan().received(one, ANSWER, isChanged, NOW_MS),
    notModified: (one: KnownPage) => plan().notModified(one, KNOWN),
  }
  assert.equal(first.intervalMs, DAY_MS)
  assert.equal(received(first, true).intervalMs, 0.8 * DAY_MS)
  assert.equal(received(first, false).intervalMs, 1.4 * DAY_MS)
  assert.equal(notModified(first).intervalMs, 1.4 * DAY_MS)
  assert.equal(received(page({ intervalMs: 1.1 * HOUR_MS }), true).intervalMs, HOUR_MS)
  assert.equal(notModified(page({ intervalMs: 80 * DAY_MS })).intervalMs, 90 * DAY_MS)
})

test('recrawl: a visit comes up to 10 % earlier or later by chance, and the same seed gives the same chance', () => {
  const times = (seed: number) => {
    const one = plan({ seed })
    return Array.from(
      { length: 1000 },
      (_, n) => one.again({ url: `${URL_OF_PAGE}${n}`, hops: 0 }, page()).afterMs / DAY_MS,
    )
  }
  const [some, same, other] = [times(1), times(1), times(2)]
  assert.deepEqual(some, same)
  assert.notDeepEqual(some, other)
  assert.ok(Math.min(...some) >= 0.9 && Math.max(...some) <= 1.1)
  assert.ok(Math.min(...some) < 0.91 && Math.max(...some) > 1.09, 'chance uses its room')
})

test('recrawl: every Nth visit asks for the whole page; so does one after an error or a truncation', () => {
  const asks = (one: KnownPage, n = 10) => plan({ recrawlFull: n }).former(one).isConditional
  assert.equal(asks(page()), true)
  assert.equal(asks(page({ unchanged: 8 })), true)
  assert.equal(asks(page({ unchanged: 9 })), false)
  assert.equal(asks(page(), 1), false)
  assert.equal(asks(plan().failed(page())), false)
  assert.equal(asks(plan().missed(page())!), false)
  assert.equal(asks(page({ known: { ...KNOWN, isWhole: false } })), false)
  // Of a page that an earlier run archived, the worker reads from the record whether it is whole.
  assert.equal(asks(page({ known: undefined })), true)
})

test('RFC 9110 15.4.5: a change that the full GET finds after a 304 puts the server in doubt, longer each time, until it admits a change', () => {
  const asks = (one: KnownPage) => plan().former(one).isConditional
  const whole = (one: KnownPage, isChanged: boolean) => plan().received(one, ANSWER, isChanged, NOW_MS)
  /** How many visits in a row must find no change until it is asked again whether the page has changed. */
  const trial = (one: KnownPage): number => (asks(one) ? 0 : 1 + trial(whole(one, false)))
  const doubted = whole(page({ unchanged: 9 }), true)
  assert.equal(asks(doubted), false)
  assert.equal(trial(doubted), 10)
  assert.equal(trial(whole(whole(doubted, false), true)), 10, 'a change begins them again')
  // Then one 304 at a time is believed.
  const tried = { ...doubted, calm: 10 }
  const believed = plan().notModified(tried, KNOWN)
  assert.deepEqual([asks(tried), asks(believed)], [true, false])
  assert.equal(asks(whole(believed, false)), true)
  const again = whole(believed, true)
  assert.equal(trial(again), 20)
  let most = again
  for (let n = 0; n < 20; n++) most = whole({ ...most, unchanged: 1 }, true)
  assert.equal(trial(most), 160)
  // One that is asked whether it changed, and says so, is honest.
  assert.deepEqual(plan().received(tried, ANSWER, true, NOW_MS).caught, 0)
  assert.equal(asks(whole(page({ unchanged: 3 }), true)), true)
})

test('recrawl: a page is gone after 404 or 410 three times in a row', () => {
  const twice = plan().missed(plan().missed(page())!)!
  assert.equal(twice.misses, 2)
  assert.equal(plan().missed(twice), undefined)
  assert.equal(plan().received(twice, ANSWER, true, NOW_MS).misses, 0)
  assert.equal(plan().failed(twice).misses, 0, 'three in a row')
})

test('recrawl: what changed more often of late is worth more, and so is what is nearer to a seed', () => {
  const gain = (one: KnownPage, hops = 2) => plan().again({ url: URL_OF_PAGE, hops }, one).gain
  const lively = plan().received(page(), ANSWER, true, NOW_MS)
  const calm = plan().notModified(page(), KNOWN)
  const atOnce = (one: KnownPage) => gain({ ...one, intervalMs: DAY_MS })
  assert.ok(atOnce(lively) > atOnce(page()) && atOnce(page()) > atOnce(calm))
  assert.ok(gain(page({ intervalMs: 2 * DAY_MS })) > gain(page()), 'what it finds stays fresh for longer')
  assert.ok(gain(page(), 0) > gain(page(), 5))
  let dead = page()
  for (let n = 0; n < 1000; n++) dead = plan().notModified(dead, KNOWN)
  assert.ok(gain(dead) >= 0 && Number.isFinite(gain(dead)))
})

test('recrawl: the state of a page survives in the note of its link, its ETag byte for byte', () => {
  const one = page({ unchanged: 3, misses: 1, chance: 0.25, caught: 2, calm: 7 })
  const note = writePageNote(URL_OF_PAGE, { from: 'http://a.com/' }, one)
  assert.deepEqual(readPageNote(URL_OF_PAGE, note), one)
  assert.deepEqual(readNote(note), { from: 'http://a.com/' })
  const bare = { ...one, known: undefined, facts: { ...one.facts, language: undefined } }
  const back = readPageNote(URL_OF_PAGE, writePageNote(URL_OF_PAGE, {}, bare))!
  assert.deepEqual({ ...back, facts: { ...back.facts, language: undefined } }, bare)
  // The body is in the record of another URL.
  const shared = page({ known: { ...KNOWN, original: { ...KNOWN.original, url: 'http://b.com/' } } })
  assert.deepEqual(readPageNote(URL_OF_PAGE, writePageNote(URL_OF_PAGE, {}, shared)), shared)
  for (const text of ['', '[]', '{"page":[]}', '{"page":["x",1]}', 'null', '{"page":{}}', '{"page":[1,2,3]}'])
    assert.equal(readPageNote(URL_OF_PAGE, text), undefined, text)
})

test('shared recrawl: a machine finds its own record by the note, and takes no record of another for its own', () => {
  const one = page()
  const note = writePageNote(URL_OF_PAGE, {}, one, 'a')
  assert.deepEqual(readPageNote(URL_OF_PAGE, note, 'a'), one)
  const theirs = readPageNote(URL_OF_PAGE, note, 'b')!
  assert.equal(theirs.place.file, `a/${one.place.file}`)
  assert.equal(theirs.known!.original.file, theirs.place.file)
  // It says so to the next machine, and to the first one again.
  const back = readPageNote(URL_OF_PAGE, writePageNote(URL_OF_PAGE, {}, theirs, 'b'), 'a')
  assert.deepEqual(back, one)
  assert.equal(
    plan().unknown(0).place.file,
    readPageNote('x', writePageNote('x', {}, plan().unknown(0), 'a'), 'b')!.place.file,
  )
})

test('ours: a note is never longer than a frontier accepts; what matters least is left out first', () => {
  const quotes = '"'.repeat(1000)
  const validators = { etag: quotes, lastModified: quotes }
  const facts = { ...ANSWER.facts, title: '世'.repeat(1000) }
  const long = page({ facts, known: { ...KNOWN, validators } })
  const note = writePageNote(URL_OF_PAGE, { from: `http://a.com/${'x'.repeat(1900)}` }, long)
  assert.ok(Buffer.byteLength(note) <= 4096)
  const back = readPageNote(URL_OF_PAGE, note)!
  assert.deepEqual(back.known!.original, KNOWN.original)
  assert.equal(back.intervalMs, long.intervalMs)
})

test('recrawl: If-None-Match exactly as received, and always If-Modified-Since', () => {
  assert.deepEqual(conditionsOf(KNOWN), [
    ...['If-None-Match', 'W/"a b\\"\xe9"'],
    ...['If-Modified-Since', 'yesterday, about noon'],
  ])
  const bare = { ...KNOWN, validators: {} }
  assert.deepEqual(conditionsOf(bare), ['If-Modified-Since', 'Fri, 02 Jan 2026 03:04:05 GMT'])
  const later = { ...bare, receivedDate: '2026-01-03T03:04:05.678Z' }
  assert.deepEqual(conditionsOf(later), ['If-Modified-Since', 'Sat, 03 Jan 2026 03:04:05 GMT'], 'of the last body')
})

test('ours: validators that could not be sent back, or are too long, are not kept', () => {
  assert.deepEqual(validatorsOf(['ETag', '"1"', 'eTaG', '"2"', 'Last-Modified', 'x', 'X', 'y']), {
    etag: '"2"',
    lastModified: 'x',
  })
  assert.deepEqual(validatorsOf(['etag', '"a\rb"', 'last-modified', '']), { etag: undefined, lastModified: undefined })
  assert.deepEqual(validatorsOf(['etag', 'x'.repeat(1001), 'last-modified', 'x'.repeat(1000)]), {
    etag: undefined,
    lastModified: 'x'.repeat(1000),
  })
})

test('recrawl: a body that came again with the same payload has its own date, in the state of the page, too', () => {
  const again = { visitedAtMs: NOW_MS, isHinted: false }
  const note = writePageNote(URL_OF_PAGE, {}, page())
  const ticket = { url: URL_OF_PAGE, hops: 1, note, again } as unknown as Ticket
  const records = { recordId: 'urn:uuid:2', date: '2026-01-09T00:00:00.000Z', payloadDigest: 'A'.repeat(32) }
  const facts = {
    title: '',
    opening: '',
    bytes: 1,
    tokens: 1,
    linksOut: 0,
    validators: {},
    textDigest: 'B',
    isWhole: true,
  }
  const result = { kind: 'page', keep: 'yes', same: 'payload', answer: { records, sentAtMs: NOW_MS }, page: facts }
  const noteAfter = (more: object) => {
    const next = planAfterPage(ticket, { ...result, ...more } as never, plan())({ ...PLACE, offset: 9 })
    return readPageNote(URL_OF_PAGE, next.note)!.known!
  }
  const same = noteAfter({ original: KNOWN.original })
  assert.deepEqual([same.original, same.receivedDate], [KNOWN.original, records.date])
  const other = noteAfter({ same: 'nothing' })
  assert.deepEqual([other.original.offset, other.original.date, other.receivedDate], [9, records.date, undefined])
})

test('recrawl: a page that may not be visited now is planned at the longest interval, within its spread', () => {
  const { afterMs } = plan().muchLater({ url: URL_OF_PAGE, hops: 0 }, page())
  assert.ok(afterMs >= 0.9 * SETTINGS.recrawlMaxMs && afterMs <= 1.1 * SETTINGS.recrawlMaxMs, String(afterMs))
})
