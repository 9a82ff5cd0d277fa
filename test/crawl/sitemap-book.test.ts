import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { HintBook, SitemapBook } from '../../src/decide/sitemap-book.ts'
import { type HintRecord, noSitemaps, readSitemapsFile, writeSitemapsFile } from '../../src/folder/sitemaps-file.ts'
import type { Hint } from '../../src/frontier/frontier.ts'

const DAY_MS = 24 * 3_600_000

/** Notes about hosts, as a frontier keeps them. */
function notes() {
  const kept = new Map<string, Uint8Array>()
  return {
    note: async (host: string, key: string, bytes: Uint8Array) => void kept.set(`${host} ${key}`, bytes),
    noted: async (host: string, key: string) => kept.get(`${host} ${key}`),
  }
}

test('sitemaps: each file once a day, 1,000 per host, of which others may name half', () => {
  const book = new SitemapBook(notes())
  const admitted = (of: string, from: number, count: number, nowMs = 0) => {
    let yes = 0
    for (let n = from; n < from + count; n++) if (book.admits(`https://a.org/${n}.xml`, of, nowMs) === 'yes') yes++
    return yes
  }
  assert.equal(book.admits('https://a.org/0.xml', 'a.org', 0), 'yes')
  assert.equal(book.admits('https://a.org/0.xml', 'a.org', 1), 'read')
  assert.equal(book.admits('https://a.org/0.xml', 'b.org', 1), 'yes', 'for another host it is read, too')
  assert.equal(admitted('evil.org', 1000, 2000), 499)
  assert.equal(admitted('a.org', 1, 2000), 499)
  assert.equal(book.admits('https://a.org/x.xml', 'a.org', 1), 'too many')
  assert.equal(book.admits('https://b.org/x.xml', 'b.org', 1), 'yes')
  assert.equal(book.admits('https://a.org/0.xml', 'a.org', DAY_MS - 1), 'read')
  assert.equal(book.admits('https://a.org/0.xml', 'a.org', DAY_MS), 'yes')
})

test('sitemaps: a host may send the crawl to 20 others for sitemaps, and no further', () => {
  const book = new SitemapBook(notes())
  const verdicts = Array.from({ length: 300 }, (_, n) => book.admits(`https://${n}.org/s.xml`, 'a.org', 0))
  assert.equal(verdicts.filter(verdict => verdict === 'yes').length, 20)
  assert.equal(verdicts[20], 'too many')
  assert.equal(book.admits('https://0.org/t.xml', 'a.org', 0), 'yes', 'those it sent to before count once')
  assert.equal(book.admits('https://299.org/s.xml', 'b.org', 0), 'yes', 'each host has its own')
  assert.equal(book.admits('https://a.org/own.xml', 'a.org', 0), 'yes')
  assert.equal(book.admits('https://299.org/s.xml', 'a.org', DAY_MS), 'yes')
})

test('sitemaps: the sitemaps of a robots.txt are offered once a day, by one machine', async () => {
  const shared = notes()
  const [one, other] = [new SitemapBook(shared), new SitemapBook(shared)]
  assert.equal(await one.isDue('https://a.org', 0), true)
  one.look('https://a.org', 0)
  assert.equal(one.isDue('https://a.org', DAY_MS - 1), false)
  assert.equal(await one.isDue('http://a.org', 0), true, 'another scheme has another robots.txt')
  await shared.note('a.org', 'sitemaps https', new Uint8Array(0))
  assert.equal(await other.isDue('https://a.org', 0), false)
})

test('sitemaps: a later run knows which sitemaps were read; a file that is damaged, or a time to come, says nothing', t => {
  const folder = mkdtempSync(join(tmpdir(), 'escalona-sitemaps-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const kept = noSitemaps()
  new SitemapBook(notes(), kept.readAtMs).look('https://a.org', DAY_MS)
  kept.hints.set('a.org', { isTrue: 1, isUntrue: 4 })
  writeSitemapsFile(folder, kept)
  assert.deepEqual(readSitemapsFile(folder), kept)
  const later = new SitemapBook(notes(), readSitemapsFile(folder).readAtMs)
  assert.equal(later.isDue('https://a.org', 2 * DAY_MS - 1), false)
  assert.deepEqual(
    [DAY_MS - 1, DAY_MS, 2 * DAY_MS].map(nowMs => later.wasRead('https://a.org', nowMs)),
    [false, true, false],
  )
  for (const text of ['{"readAtMs":{"x":"y"},"hints":{"h":[1]}}', '{"readAtMs":null,"hints":7}', '[', 'null']) {
    writeFileSync(join(folder, 'sitemaps.json'), text)
    assert.deepEqual(readSitemapsFile(folder), noSitemaps())
  }
})

test('ours: what a book remembers is bounded', () => {
  const book = new SitemapBook(notes())
  for (let host = 0; host < 1000; host++)
    for (let n = 0; n < 250; n++) book.admits(`https://${host}.org/${n}`, `${host}.org`, 0)
  assert.equal(book.admits('https://999.org/0', '999.org', 0), 'read')
  assert.equal(book.admits('https://0.org/0', '0.org', 0), 'yes', 'the oldest is forgotten')
})

/** A book of hints for a frontier where every page is planned. */
function hintBook(records: Map<string, HintRecord>, clock = () => 0) {
  const hinted: Hint[] = []
  const hint = async (hints: readonly Hint[], most = Infinity) => {
    const some = hints.slice(0, most)
    hinted.push(...some)
    return some.length
  }
  return { hinted, book: new HintBook({ plans: { hint }, records, clock, leastMs: () => 3000 }) }
}

function hintsAt(host: string, count: number): Hint[] {
  return Array.from({ length: count }, (_, n) => ({ url: `https://${host}/${n}`, changedAtMs: 1 }))
}

test('sitemaps: a host of which most hints were untrue is no longer believed, in the next run neither', async () => {
  const records = new Map<string, HintRecord>()
  const { book: first } = hintBook(records)
  for (const isTrue of [true, false, false, true]) first.learn('a.org', isTrue)
  assert.equal(await first.offer(hintsAt('a.org', 1)), 1, 'four visits prove nothing')
  first.learn('a.org', false)
  for (const isTrue of [false, true, true, true, false]) first.learn('b.org', isTrue)
  const { book, hinted } = hintBook(records)
  for (const one of [first, book]) assert.equal(await one.offer([...hintsAt('a.org', 9), ...hintsAt('b.org', 9)]), 9)
  assert.equal(hinted.length, 9)
  assert.ok(hinted.every(({ url, leastMs }) => url.startsWith('https://b.org/') && leastMs === 3000))
})

test('sitemaps: five pages of a host are hinted at per day until it is known how true its hints are', async () => {
  let nowMs = 0
  const { book } = hintBook(new Map(), () => nowMs)
  assert.equal(await book.offer(hintsAt('a.org', 3)), 3)
  const both = [book.offer(hintsAt('a.org', 1000)), book.offer(hintsAt('a.org', 1000))]
  assert.deepEqual(await Promise.all(both), [2, 0])
  assert.equal(await book.offer(hintsAt('b.org', 1000)), 5, 'each host has its own trial')
  nowMs = DAY_MS
  assert.equal(await book.offer(hintsAt('a.org', 1000)), 5)
  for (let n = 0; n < 5; n++) book.learn('a.org', true)
  assert.equal(await book.offer(hintsAt('a.org', 1000)), 1000)
})
