import assert from 'node:assert/strict'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { membersOf, pack } from '../../src/archive/gzip-member.ts'
import { finishIndex } from '../../src/archive/index-files.ts'
import { openArchive } from '../../src/archive/open-archive.ts'
import { readWarc, readWhole } from '../../src/archive/read.ts'
import {
  archiveRecords,
  notModifiedRecords,
  type Original,
  type Records,
  revisitRecords,
} from '../../src/archive/records.ts'
import { type RecordLocation, scanFile } from '../../src/archive/scan.ts'
import { findAnswer, visitsOf } from '../../src/archive/visits-of.ts'
import { crawlFolder, exchange, fileName, indexLines, options, page, START_MS } from './sample.ts'

const URL = 'http://a.example/x|{y}?q=^z'
const TARGET = 'http://a.example/x%7C%7By%7D?q=%5Ez'
const BODY = Buffer.from('<title>First</title>the same as ever')
const DAY_MS = 86_400_000

const about = (day: number) => ({ isPage: true, dateMs: START_MS + day * DAY_MS, hops: 3 })
const first = archiveRecords(exchange({ url: URL, body: BODY, headers: ['Server', 'old'] }), about(0))
const originalAt = (place: RecordLocation): Original => ({
  ...place,
  recordId: first.recordId,
  url: URL,
  date: first.date,
  payloadDigest: first.payloadDigest,
})
const same = (original: Original, day: number) =>
  revisitRecords(exchange({ url: URL, body: BODY, headers: ['Server', `day ${day}`] }), about(day), original)
const notModified = (original: Original, day: number) =>
  notModifiedRecords(
    exchange({
      url: URL,
      status: 304,
      statusText: 'Not Modified',
      headers: ['ETag', `"${day}"`],
      body: Buffer.alloc(0),
    }),
    about(day),
    original,
  )

test('recrawl: a revisit and a 304 have the fields that replayers need, and the request closes their group', async t => {
  const crawl = crawlFolder(t)
  const { writer } = openArchive(crawl, options())
  const original = originalAt(writer.append([first])[0]!)
  writer.append([same(original, 1), notModified(original, 2)])
  await writer.close()
  const records = [...readWarc(join(crawl, 'archive', original.file))].slice(3)
  assert.deepEqual(
    records.map(({ type }) => type),
    ['revisit', 'request', 'revisit', 'metadata', 'request'],
  )
  const revisits = records.filter(({ type }) => type === 'revisit')
  for (const [i, profile] of ['identical-payload-digest', 'server-not-modified'].entries()) {
    const { fields } = revisits[i]!
    const day = new Date(START_MS + (i + 1) * DAY_MS).toISOString()
    for (const [name, value] of [
      ['warc-profile', `http://netpreserve.org/warc/1.1/revisit/${profile}`],
      ['warc-refers-to', `<${first.recordId}>`],
      ['warc-refers-to-target-uri', TARGET],
      ['warc-refers-to-date', first.date],
      ['warc-payload-digest', `sha1:${first.payloadDigest}`],
      ['warc-truncated', 'length'],
      ['warc-target-uri', TARGET],
      ['warc-date', day],
      ['escalona-url', URL],
      ['escalona-page', 'yes'],
      ['escalona-hops', '3'],
    ] as const)
      assert.equal(fields.get(name), value, `${profile}: ${name}`)
  }
  assert.match(Buffer.from(revisits[0]!.block).toString(), /^HTTP\/1\.1 200 OK\r\nServer: day 1\r\n.*\r\n\r\n$/s)
  assert.equal(revisits[1]!.block.length, 0)
  const metadata = records[3]!
  assert.equal(metadata.fields.get('warc-concurrent-to'), revisits[1]!.fields.get('warc-record-id'))
  assert.equal(metadata.fields.get('content-type'), 'application/warc-fields')
  assert.match(Buffer.from(metadata.block).toString(), /^status-line: HTTP\/1\.1 304 Not Modified\r\nETag: "2"\r\n/)
})

test('recrawl: a revisit is read back with the body of its original, and is found beside it', async t => {
  const crawl = crawlFolder(t)
  const { writer } = openArchive(crawl, options())
  const original = originalAt(writer.append([first])[0]!)
  writer.append(Array.from({ length: 1000 }, (_, n) => page(n)))
  const places = writer.append([same(original, 1), notModified(original, 2)])
  await writer.sync()
  assert.notEqual(places[0]!.file, original.file)
  const seen = () =>
    visitsOf(crawl, URL).map(({ kind, status, dateMs, mime, url }) => {
      assert.equal(url, TARGET)
      return [kind, status, Math.ceil((dateMs + 1000 - START_MS) / DAY_MS) - 1, mime]
    })
  const expected = [
    ['response', 200, 0, 'unk'],
    ['revisit', 200, 1, 'warc/revisit'],
    ['revisit', 304, 2, 'warc/revisit'],
  ]
  assert.deepEqual(seen(), expected, 'in progress')
  await writer.close()
  assert.deepEqual(seen(), expected, 'in parts')
  finishIndex(crawl)
  assert.deepEqual(seen(), expected, 'in the index')
  assert.deepEqual(findAnswer(crawl, URL), places[1])
  assert.deepEqual(findAnswer(crawl, TARGET), places[1])
  const wholes = visitsOf(crawl, URL).map(place => readWhole(crawl, place).message)
  for (const { body, status } of wholes) assert.deepEqual([Buffer.from(body), status], [BODY, 200])
  // A 304 has the head of its original.
  assert.deepEqual(
    wholes.map(({ headers }) => headers[1]),
    ['old', 'day 1', 'old'],
  )
  const lines = indexLines(crawl).filter(line => line.includes('a.example'))
  assert.deepEqual(
    lines.map(line => JSON.parse(line.slice(line.indexOf(' {'))).mime),
    ['unk', 'warc/revisit', 'warc/revisit'],
  )
  assert.ok(lines[1]!.includes('"status": "200"') && !lines[2]!.includes('"status"'))
})

test('recrawl: revisits do not count for the 1,000 pages, and are what they were when the archive is opened again', async t => {
  const crawl = crawlFolder(t)
  const { writer } = openArchive(crawl, options())
  const original = originalAt(writer.append([first])[0]!)
  writer.append(Array.from({ length: 998 }, (_, n) => page(n)))
  const [one, two] = writer.append([same(original, 1), notModified(original, 2)])
  await writer.sync()
  const { writer: next, recent } = openArchive(crawl, options())
  const { kind, url, status, isPage, hops, original: known } = recent.at(-1)!
  assert.deepEqual(
    { kind, url, status, isPage, hops },
    { kind: 'revisit', url: URL, status: 304, isPage: true, hops: 3 },
  )
  assert.deepEqual(known, { ...original, url: TARGET })
  assert.deepEqual([recent.at(-2)!.offset, recent.at(-1)!.offset], [one!.offset, two!.offset])
  const [last, over] = next.append([page(998), page(999)])
  assert.deepEqual([last!.file, over!.file], [1, 2].map(fileName))
  await next.close()
  await writer.close().catch(() => {})
})

test('recrawl: a group of a 304 that was cut anywhere is cut off whole; a finished file that was cut is damaged', async t => {
  const crawl = crawlFolder(t)
  const { writer } = openArchive(crawl, options())
  const original = originalAt(writer.append([first])[0]!)
  const [place] = writer.append([notModified(original, 1)])
  await writer.close()
  const path = join(crawl, 'archive', original.file)
  const whole = readFileSync(path)
  for (let end = place!.offset + 1; end < whole.length; end += 5) {
    truncateSync(path, end)
    const { archived, tornBytes } = scanFile(path, original.file, place!.offset)
    assert.deepEqual([archived.length, tornBytes], [1, end - place!.offset], `cut at ${end}`)
    if (end % 9 === 0) assert.throws(() => openArchive(crawl, options()), { code: 'ARCHIVE_DAMAGED' }, `cut at ${end}`)
    writeFileSync(path, whole)
  }
})

test('recrawl: a record of an unknown type is no damage, alone or in a group', async t => {
  const crawl = crawlFolder(t)
  const { writer } = openArchive(crawl, options())
  const [place] = writer.append([first])
  await writer.close()
  const path = join(crawl, 'archive', place!.file)
  const whole = readFileSync(path)
  const strange = membersOf(
    pack(Buffer.from('WARC/1.1\r\nWARC-Type: poem\r\nContent-Length: 4\r\n\r\nrose\r\n\r\n'), {}),
  )
  const requestAt = place!.offset + place!.length
  for (const at of [place!.offset, requestAt, whole.length]) {
    writeFileSync(path, Buffer.concat([whole.subarray(0, at), strange, whole.subarray(at)]))
    const { archived, end } = scanFile(path, place!.file)
    assert.deepEqual([archived.length, end], [1, whole.length + strange.length], `at ${at}`)
  }
  const opened = openArchive(crawl, options())
  opened.writer.append([page(1)])
  await opened.writer.close()
  assert.ok([...readWarc(path)].some(({ type }) => type === 'poem'))
})

test('recrawl: each run that writes to a file says there who it is', async t => {
  const crawl = crawlFolder(t)
  for (const [n, userAgent] of ['one/1', 'two/2', 'three/3'].entries()) {
    const { maker, ...rest } = options()
    const { writer } = openArchive(crawl, { ...rest, maker: { ...maker, userAgent } })
    // A run that archives nothing leaves nothing.
    if (n !== 1) writer.append([page(n)])
    await writer.close()
  }
  const records = [...readWarc(join(crawl, 'archive', fileName(1)))]
  const said = records.map(({ type, block }) =>
    type === 'warcinfo' ? /http-header-user-agent: (.*)\r\n/.exec(Buffer.from(block).toString())?.[1] : type,
  )
  assert.deepEqual(said, ['one/1', 'response', 'request', 'three/3', 'response', 'request'])
})

test('ours: an index.cdxj that lacks the newest answers, or another one in its place, hides nothing', async t => {
  const crawl = crawlFolder(t)
  const records = (day: number): Records => archiveRecords(exchange({ url: URL, body: BODY }), about(day))
  const runs = async (day: number) => {
    const { writer } = openArchive(crawl, options())
    writer.append([records(day)])
    await writer.close()
  }
  await runs(0)
  finishIndex(crawl)
  await runs(1)
  assert.equal(visitsOf(crawl, URL).length, 2)
  finishIndex(crawl)
  writeFileSync(join(crawl, 'index.cdxj'), '')
  assert.equal(visitsOf(crawl, URL).length, 2)
  assert.deepEqual(
    visitsOf(crawl, URL, 1).map(({ dateMs }) => Math.round((dateMs - START_MS) / DAY_MS)),
    [1],
  )
})
