// The table of payloads that threads share.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { KnownPayloads } from '../../src/visit/known-payloads.ts'
import { temporaryFolder } from '../cli/run-cli.ts'

const FILE = 'escalona-a1b2c3d4-20260102030405-00007.warc.gz'

function digest(n: number): string {
  return String(n).padStart(32, 'A')
}

test('known payloads: what one thread adds, another finds; offsets may be larger than four bytes hold', t => {
  const crawl = temporaryFolder(t)
  mkdirSync(join(crawl, 'archive'))
  writeFileSync(join(crawl, 'archive', `${FILE}.open`), '')
  const table = new KnownPayloads(crawl, 100)
  const place = { file: FILE, offset: 5 * 2 ** 32 + 2 ** 31 + 7, length: 3_000_000_000 }
  table.add(digest(1), place)
  const other = new KnownPayloads(crawl, 100, table.memory)
  assert.deepEqual(other.find(digest(1)), place)
  assert.equal(other.find(digest(2)), undefined)
  table.add(digest(1), { ...place, offset: 9 })
  assert.equal(other.find(digest(1))!.offset, 9)
  table.add(digest(3), { ...place, file: 'escalona-00099.warc.gz' })
  assert.equal(other.find(digest(3)), undefined, 'a file that is not there is nobody’s')
})

test('known payloads: the table never grows, and forgets the oldest first', t => {
  const crawl = temporaryFolder(t)
  mkdirSync(join(crawl, 'archive'))
  writeFileSync(join(crawl, 'archive', FILE), '')
  const table = new KnownPayloads(crawl, 1000)
  assert.ok(table.memory.byteLength <= 40 * 1000)
  for (let n = 0; n < 5000; n++) table.add(digest(n), { file: FILE, offset: n, length: 1 })
  const found = Array.from({ length: 5000 }, (_, n) => n).filter(n => table.find(digest(n)) !== undefined)
  assert.ok(found.every(n => table.find(digest(n))!.offset === n))
  assert.ok(found.length > 900 && found.length <= 1000, `${found.length}`)
  assert.ok(found.filter(n => n >= 4500).length > 450, 'the newest are there')
})
