// Every byte of a WARC file may be hostile: bounded memory, a clear end, and what was read before counts.
import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { walkWarc } from '../../src/archive/any-warc.ts'
import { audit } from '../../src/audit/audit.ts'
import { RandomSource, seeds } from '../model/random-source.ts'
import { pages, record, recordsOf, WarcFolder } from './synthetic-warc.ts'

const ORIGIN = 'http://a.example'

async function walked(path: string, wanted = 1 << 16): Promise<[string, number, number]> {
  let records = 0
  let bytes = 0
  const end = await walkWarc(path, {
    wants: () => wanted,
    record: ({ block }) => {
      records++
      bytes += block.length
    },
  })
  return [end, records, bytes]
}

test('any-warc: the same records, plain, one member per record, one member for all, and empty lines between', async t => {
  const folder = new WarcFolder(t)
  const records = recordsOf(pages(ORIGIN, 10, 1000))
  const expected = await walked(folder.add('plain.warc', records))
  assert.deepEqual(expected.slice(0, 2), ['whole', 21])
  assert.deepEqual(await walked(folder.add('members.warc.gz', records)), expected)
  assert.deepEqual(await walked(folder.add('one.warc.gz', [Buffer.concat(records)])), expected)
  const spaced = records.flatMap(one => [Buffer.from('\r\n\r\n\n'), one])
  assert.deepEqual(await walked(folder.add('spaced.warc', spaced)), expected)
})

test('any-warc: a file cut at any byte is read as far as its records are whole', async t => {
  const folder = new WarcFolder(t)
  const records = recordsOf(pages(ORIGIN, 2, 1000))
  const whole = Buffer.concat(records)
  const ends = records.map((_, n) => Buffer.concat(records.slice(0, n + 1)).length - 4)
  for (let length = 0; length < whole.length; length += 7) {
    const path = folder.add('cut.warc', [whole.subarray(0, length)])
    const [end, count] = await walked(path)
    assert.equal(count, ends.filter(one => one <= length).length, `${length} bytes`)
    assert.ok(['whole', 'cut', 'foreign'].includes(end))
  }
  const packed = folder.add('cut.warc.gz', records)
  truncateSync(packed, gzipSync(records[0]!).length + 40)
  assert.deepEqual((await walked(packed)).slice(0, 2), ['cut', 1])
})

test('any-warc: heads without an end, lengths that lie, and other bytes end the reading', async t => {
  const folder = new WarcFolder(t)
  const [good] = recordsOf([])
  const bad: [string, Buffer, string][] = [
    ['endless head', Buffer.from(`WARC/1.0\r\n${'X: y\r\n'.repeat(20_000)}`), 'damaged'],
    ['no length', Buffer.from('WARC/1.0\r\nWARC-Type: response\r\n\r\n'), 'damaged'],
    ['a negative length', Buffer.from('WARC/1.0\r\nWARC-Type: response\r\nContent-Length: -1\r\n\r\n'), 'damaged'],
    ['a length of 10^15', Buffer.from(`WARC/1.0\r\nWARC-Type: a\r\nContent-Length: ${'9'.repeat(15)}\r\n\r\nx`), 'cut'],
    [
      'a length of 10^16',
      Buffer.from(`WARC/1.0\r\nWARC-Type: a\r\nContent-Length: ${'9'.repeat(16)}\r\n\r\nx`),
      'damaged',
    ],
    ['other bytes', Buffer.from('<html>'), 'damaged'],
  ]
  for (const [name, bytes, end] of bad)
    assert.deepEqual((await walked(folder.add('bad.warc', [good!, bytes]))).slice(0, 2), [end, 1], name)
  for (const bytes of ['', '\r\n\r\n', 'WARC', '<html>', '\x1f\x8b\x08garbage'])
    assert.deepEqual((await walked(folder.add('foreign.warc', [Buffer.from(bytes, 'latin1')]))).slice(0, 2), [
      'foreign',
      0,
    ])
  const damaged = Buffer.concat([gzipSync(Buffer.alloc(1 << 20)), Buffer.from('\x1f\x8b\x08damaged', 'latin1')])
  writeFileSync(join(folder.path, 'damaged.warc.gz'), damaged)
  assert.equal((await walked(join(folder.path, 'damaged.warc.gz')))[0], 'foreign')
})

test('any-warc: a record of 200 MB out of 200 kB takes no more memory than was asked for', async t => {
  const folder = new WarcFolder(t)
  const bomb = record('response', ['WARC-Target-URI: http://a.example/'], Buffer.alloc(200 << 20))
  const path = folder.add('bomb.warc.gz', [bomb])
  global.gc?.()
  const before = process.memoryUsage().arrayBuffers
  let most = 0
  const end = await walkWarc(path, {
    wants: () => {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
      return 1000
    },
    record: ({ block, blockBytes }) => {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
      assert.deepEqual([block.length, blockBytes], [1000, 200 << 20])
    },
  })
  assert.equal(end, 'whole')
  assert.ok(most < 100 << 20, `${most} bytes`)
})

test('audit: random bytes in an archive never break it', async t => {
  const folder = new WarcFolder(t)
  for (const seed of seeds(t, 40, 40)) {
    const random = new RandomSource(seed)
    const bytes = Buffer.concat(recordsOf(pages(ORIGIN, 10, 1000)))
    for (let n = 0; n < 20; n++) bytes[random.below(bytes.length)] = random.below(256)
    const { requests } = await audit([folder.add('noise.warc', [bytes])], { delayMs: 100 })
    assert.ok(requests <= 20, `seed ${seed}`)
  }
})

test('audit: folders are searched, no file is read twice, and what is not there is named', async t => {
  const folder = new WarcFolder(t)
  mkdirSync(join(folder.path, 'crawl', 'archive'), { recursive: true })
  const path = folder.add('crawl/archive/1.warc.gz', recordsOf(pages(ORIGIN, 3, 1000)))
  folder.add('crawl/archive/2.warc.gz.open', recordsOf(pages(ORIGIN, 2, 1000, 60_000)))
  folder.add('crawl/notes.txt', [Buffer.from('nothing')])
  symlinkSync(folder.path, join(folder.path, 'crawl', 'round.warc'))
  symlinkSync(join(folder.path, 'gone'), join(folder.path, 'crawl', 'gone.warc'))
  const { requests, files } = await audit([path, join(folder.path, 'crawl')])
  assert.deepEqual([requests, files.length], [5, 2])
  await assert.rejects(audit([join(folder.path, 'none')]), { code: 'FILE_UNREADABLE' })
  mkdirSync(join(folder.path, 'empty'))
  await assert.rejects(audit([join(folder.path, 'empty')]), { code: 'AUDIT_NO_FILES' })
})
