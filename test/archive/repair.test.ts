import assert from 'node:assert/strict'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { finishIndex } from '../../src/archive/index-files.ts'
import { syncedPath } from '../../src/archive/names.ts'
import { checkLength, openArchive } from '../../src/archive/open-archive.ts'
import { readWarc } from '../../src/archive/read.ts'
import { unansweredRecords } from '../../src/archive/records.ts'
import { locationOf, type RecordLocation, scanFile } from '../../src/archive/scan.ts'
import type { EscalonaError } from '../../src/base/errors.ts'
import { SyncedMark } from '../../src/base/files/synced-mark.ts'
import { crawlFolder, indexLines, options, page, robots, START_MS } from './sample.ts'

const FIRST = 'escalona-a1b2c3d4-20260102030405-00001.warc.gz'

/** An archive that was killed with `pages` pages in its file, none of them synced, and where they lie. */
async function killed(
  context: TestContext,
  pages: number,
): Promise<{ crawl: string; path: string; places: RecordLocation[] }> {
  const crawl = crawlFolder(context)
  const { writer } = openArchive(crawl, options())
  const places = writer.append(Array.from({ length: pages }, (_, n) => page(n)))
  await writer.close()
  const path = join(crawl, 'archive', `${FIRST}.open`)
  unfinish(crawl)
  return { crawl, path, places }
}

/** Takes the first file back to where it was before it was finished. */
function unfinish(crawl: string): void {
  const path = join(crawl, 'archive', FIRST)
  renameSync(path, `${path}.open`)
  rmSync(join(crawl, 'index', 'escalona-a1b2c3d4-20260102030405-00001.cdxj'))
}

function recordsIn(crawl: string): number {
  return [...readWarc(join(crawl, 'archive', FIRST))].length
}

test('rule 5.12: cut at every byte of the last record, the file reads cleanly again', async context => {
  const { crawl, path, places } = await killed(context, 3)
  const whole = readFileSync(path)
  const start = places[2]!.offset
  for (let end = start; end < whole.length; end++) {
    writeFileSync(path, whole.subarray(0, end))
    const { archived, tornBytes } = scanFile(path, FIRST, start)
    assert.deepEqual([archived.length, tornBytes], [2, end - start], `cut at ${end}`)
    if (end > start) assert.throws(() => scanFile(path, FIRST), { code: 'ARCHIVE_DAMAGED' }, `finished, cut at ${end}`)
    assert.throws(() => scanFile(path, FIRST, start + 1), { code: 'ARCHIVE_DAMAGED' }, `synced, cut at ${end}`)
    if ((end - start) % 25 !== 0) continue
    const repairs: string[] = []
    const { writer, recent } = openArchive(crawl, options(repairs))
    assert.equal(recent.length, 2, `cut at ${end}`)
    assert.equal(repairs.length, end === start ? 0 : 1, `cut at ${end}`)
    writer.append([page(2)])
    await writer.close()
    // All as it was, but for the words of the new run about itself.
    const after = readFileSync(join(crawl, 'archive', FIRST))
    const { offset, length } = [...readWarc(join(crawl, 'archive', FIRST))][5]!
    assert.equal(offset, start)
    assert.ok(Buffer.concat([after.subarray(0, start), after.subarray(start + length)]).equals(whole), `cut at ${end}`)
    unfinish(crawl)
  }
})

test('WARC 1.1 6.5: a request without an answer is a group of its own: cut inside it, all of it goes', async context => {
  const crawl = crawlFolder(context)
  const { writer } = openArchive(crawl, options())
  const request = { url: 'http://a.example/', ip: '192.0.2.7', requestHead: 'GET / HTTP/1.1\r\n\r\n' }
  const [first, failed] = writer.append([page(0), unansweredRecords(request, START_MS, 'timeout')])
  const [second] = writer.append([page(1)])
  await writer.close()
  const path = join(crawl, 'archive', FIRST)
  const whole = readFileSync(path)
  const { archived, requests, cdx, pages } = scanFile(path, FIRST)
  assert.deepEqual([archived.length, requests, cdx.length, pages], [2, 3, 2, 2])
  assert.deepEqual(locationOf(archived[1]!), second)
  for (let end = failed!.offset + 1; end < second!.offset; end++) {
    writeFileSync(path, whole.subarray(0, end))
    assert.equal(scanFile(path, FIRST, first!.offset).end, failed!.offset, `cut at ${end}`)
    assert.throws(() => scanFile(path, FIRST), { code: 'ARCHIVE_DAMAGED' }, `finished, cut at ${end}`)
  }
})

test('ours: an old file that ends inside a request without an answer was cut', async context => {
  const crawl = crawlFolder(context)
  const { writer } = openArchive(crawl, options())
  const request = { url: 'http://a.example/', ip: '', requestHead: 'GET / HTTP/1.1\r\n\r\n' }
  const [, failed] = writer.append([page(0), unansweredRecords(request, START_MS, 'reset')])
  await writer.close()
  const path = join(crawl, 'archive', FIRST)
  const whole = readFileSync(path)
  checkLength(crawl, FIRST)
  for (const end of [failed!.offset + 1, failed!.offset + failed!.length, whole.length - 1]) {
    writeFileSync(path, whole.subarray(0, end))
    assert.throws(() => checkLength(crawl, FIRST), { code: 'ARCHIVE_DAMAGED' }, `cut at ${end}`)
  }
})

test('ours: cut inside the first record, the file begins again', async context => {
  const { crawl, path } = await killed(context, 1)
  for (const end of [0, 1, 20, 60]) {
    truncateSync(path, end)
    const { writer, recent } = openArchive(crawl, options())
    assert.deepEqual(recent, [])
    writer.append([page(0)])
    await writer.close()
    assert.equal(recordsIn(crawl), 3)
    unfinish(crawl)
  }
})

test('ours: zeros that a power cut left behind are cut', async context => {
  const { crawl, path, places } = await killed(context, 3)
  const whole = readFileSync(path)
  for (const end of [places[2]!.offset, places[2]!.offset + 5, places[2]!.offset + 100, whole.length - 20]) {
    writeFileSync(path, Buffer.concat([whole.subarray(0, end), Buffer.alloc(whole.length - end + 4096)]))
    const { writer, recent } = openArchive(crawl, options())
    assert.equal(recent.length, 2, `zeros from ${end}`)
    await writer.close()
    assert.equal(recordsIn(crawl), 5)
    unfinish(crawl)
  }
})

test('ours: a flipped bit is damage, wherever it is', async context => {
  const { crawl, path } = await killed(context, 2)
  const whole = readFileSync(path)
  const records = [...readWarc(path)]
  let harmless = 0
  for (let at = 0; at < whole.length; at++) {
    const bytes = Buffer.from(whole)
    bytes[at]! ^= 1 << (at % 8)
    writeFileSync(path, bytes)
    try {
      scanFile(path, FIRST)
      // Deflate ends with up to seven bits that nobody reads.
      assert.deepEqual([...readWarc(path)], records, `bit at byte ${at}`)
      harmless++
    } catch (error) {
      assert.equal((error as EscalonaError).code, 'ARCHIVE_DAMAGED', `bit at byte ${at}`)
    }
  }
  assert.ok(harmless <= records.length, `${harmless} of ${records.length} records`)
  const middle = Buffer.from(whole)
  middle[whole.length >> 1]! ^= 1
  writeFileSync(path, middle)
  new SyncedMark(syncedPath(crawl)).write({ file: FIRST, bytes: whole.length, crc: 0 })
  assert.throws(() => openArchive(crawl, options()), { code: 'ARCHIVE_DAMAGED' })
  assert.ok(readFileSync(path).equals(middle), 'nothing was changed')
})

test('ours: a piece missing in the middle is damage', async context => {
  const { crawl, path, places } = await killed(context, 4)
  const whole = readFileSync(path)
  new SyncedMark(syncedPath(crawl)).write({ file: FIRST, bytes: whole.length, crc: 0 })
  const requestOfSecond = places[1]!.offset + places[1]!.length
  for (const [from, to] of [
    [places[1]!.offset, requestOfSecond],
    [requestOfSecond, places[2]!.offset],
    [requestOfSecond, places[2]!.offset + places[2]!.length],
    [0, places[0]!.offset],
    [places[1]!.offset + 10, places[1]!.offset + 11],
  ] as const) {
    writeFileSync(path, Buffer.concat([whole.subarray(0, from), whole.subarray(to)]))
    assert.throws(() => openArchive(crawl, options()), { code: 'ARCHIVE_DAMAGED' }, `${from} to ${to}`)
  }
})

test('ours: killed when a file was full and not renamed, and the next was begun', async context => {
  const { crawl, path } = await killed(context, 1000)
  const { writer, recent } = openArchive(crawl, options())
  assert.equal(recent.length, 1000)
  assert.ok(!existsSync(path) && existsSync(join(crawl, 'archive', FIRST)))
  writer.append([robots(3), page(1000)])
  await writer.close()
  const second = join(crawl, 'archive', 'escalona-a1b2c3d4-20260102030405-00002.warc.gz')
  renameSync(second, `${second}.open`)
  renameSync(join(crawl, 'archive', FIRST), path)
  rmSync(join(crawl, 'index'), { recursive: true })
  const again = openArchive(crawl, options())
  assert.equal(again.recent.length, 1002)
  assert.deepEqual(readdirSync(join(crawl, 'archive')).sort(), [
    FIRST,
    'escalona-a1b2c3d4-20260102030405-00002.warc.gz.open',
    'synced',
  ])
  await again.writer.close()
  finishIndex(crawl)
  assert.equal(indexLines(crawl).length, 1002)
})

test('ours: a file that is there under both names is never overwritten', async context => {
  const { crawl, path } = await killed(context, 1000)
  const finished = path.replace('.open', '')
  copyFileSync(path, finished)
  assert.throws(() => openArchive(crawl, options()), { code: 'ARCHIVE_DAMAGED' })
  assert.ok(existsSync(path) && existsSync(finished))
})

test('ours: what was recent is told with all that its line needs', async context => {
  const { crawl, places } = await killed(context, 2)
  const { writer, recent } = openArchive(crawl, options())
  await writer.close()
  const records = page(1)
  assert.deepEqual(recent[1], {
    ...places[1]!,
    kind: 'response',
    recordId: records.recordId,
    payloadDigest: records.payloadDigest,
    date: records.date,
    url: 'http://host1.example/page-1.html',
    status: 200,
    mime: 'text/html',
    isPage: true,
    hops: 0,
    dateMs: Date.UTC(2026, 0, 2, 3, 4, 5, 679),
  })
})

test('ours: a part of the index that is gone or half written is made again', async context => {
  const { crawl } = await killed(context, 5)
  const { writer } = openArchive(crawl, options())
  await writer.close()
  finishIndex(crawl)
  const index = readFileSync(join(crawl, 'index.cdxj'))
  rmSync(join(crawl, 'index', 'escalona-a1b2c3d4-20260102030405-00001.cdxj'))
  writeFileSync(join(crawl, 'index', 'escalona-a1b2c3d4-20260102030405-00001.cdxj.new'), 'half a li')
  writeFileSync(join(crawl, 'index.cdxj.new'), 'half a li')
  finishIndex(crawl)
  assert.ok(readFileSync(join(crawl, 'index.cdxj')).equals(index))
  await openArchive(crawl, options()).writer.close()
  assert.deepEqual(readdirSync(crawl).sort(), ['archive', 'index', 'index.cdxj'])
  assert.deepEqual(readdirSync(join(crawl, 'index')), ['escalona-a1b2c3d4-20260102030405-00001.cdxj', 'merged'])
})

test('ours: a member that claims more than it can hold is refused', async context => {
  const { crawl, path } = await killed(context, 1)
  mkdirSync(join(crawl, 'other'))
  copyFileSync(path, join(crawl, 'other', 'a.warc.gz'))
  appendFileSync(join(crawl, 'other', 'a.warc.gz'), headClaiming(60, 0xffffffff))
  appendFileSync(join(crawl, 'other', 'a.warc.gz'), Buffer.alloc(200, 7))
  assert.throws(() => [...readWarc(join(crawl, 'other', 'a.warc.gz'))], { code: 'ARCHIVE_DAMAGED' })
})

function headClaiming(bytes: number, plainBytes: number): Buffer {
  const head = Buffer.alloc(32)
  Buffer.from('1f8b08040000000000ff1400736c0800', 'hex').copy(head)
  head.writeUInt32LE(bytes, 16)
  head.writeUInt32LE(plainBytes, 20)
  Buffer.from('65630400', 'hex').copy(head, 24)
  head.writeInt32LE(slowCrc32(head.subarray(0, 28)), 28)
  return head
}

function slowCrc32(bytes: Uint8Array): number {
  let crc = -1
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc
}
