import assert from 'node:assert/strict'
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type PageLine, PagesFile, parsePageLine } from '../../src/archive/pages-file.ts'
import { crawlFolder, START_MS } from './sample.ts'

const never = (message: string) => assert.fail(message)
const NEW = { files: [], onRepair: never }

function line(n: number, file = 'escalona-00001.warc.gz'): PageLine {
  return {
    url: `http://example.com/${n}`,
    status: 200,
    title: `Page ${n}`,
    bytes: 20_000,
    tokens: 300,
    hops: 2,
    linksOut: 31,
    dateMs: START_MS,
    change: 'new',
    file,
    offset: n * 100,
    length: 90,
  }
}

test('rule 5.11: pages.jsonl has a line a page', async context => {
  const path = join(crawlFolder(context), 'pages.jsonl')
  const pages = new PagesFile(path, NEW)
  pages.append([line(1), line(2)])
  await pages.sync()
  assert.equal(pages.lines, 2)
  await pages.close()
  const [first] = readFileSync(path, 'utf8').split('\n')
  assert.deepEqual(JSON.parse(first!), {
    url: 'http://example.com/1',
    status: 200,
    title: 'Page 1',
    bytes: 20_000,
    tokens: 300,
    hops: 2,
    linksOut: 31,
    time: '2026-01-02T03:04:05.678Z',
    change: 'new',
    file: 'escalona-00001.warc.gz',
    offset: 100,
    length: 90,
  })
})

test('ours: a torn line is cut, and the file goes on', async context => {
  const path = join(crawlFolder(context), 'pages.jsonl')
  const pages = new PagesFile(path, NEW)
  pages.append([line(1), { ...line(2), title: 'Olá, 世界' }])
  await pages.close()
  const whole = readFileSync(path)
  const firstEnd = whole.indexOf('\n') + 1
  for (let end = firstEnd; end < whole.length; end++) {
    writeFileSync(path, whole.subarray(0, end))
    rmSync(`${path}.synced`, { force: true })
    const repairs: string[] = []
    const again = new PagesFile(path, {
      files: ['escalona-00001.warc.gz'],
      onRepair: message => repairs.push(message),
    })
    assert.equal(again.lines, 1)
    assert.equal(repairs.length, end === firstEnd ? 0 : 1)
    assert.ok(again.isKnown(line(1)) && !again.isKnown(line(2)))
    await again.close()
    assert.ok(readFileSync(path).equals(whole.subarray(0, firstEnd)))
  }
})

test('ours: it knows which pages of the newest files have a line, and of no others', async context => {
  const path = join(crawlFolder(context), 'pages.jsonl')
  const pages = new PagesFile(path, NEW)
  const files = ['escalona-00001.warc.gz', 'escalona-00002.warc.gz', 'escalona-00003.warc.gz']
  for (const file of files) pages.append(Array.from({ length: 9000 }, (_, n) => line(n, file)))
  // A title that looks like a key.
  pages.append([{ ...line(7777777, files[0]), title: `","file":"${files[2]}","offset":123456700,` }])
  await pages.close()
  const again = new PagesFile(path, { files: files.slice(1), onRepair: never })
  assert.equal(again.lines, 27_001)
  for (const n of [0, 1, 4500, 8999]) {
    assert.deepEqual(
      files.map(file => again.isKnown(line(n, file))),
      [false, true, true],
    )
  }
  for (const file of files) {
    assert.ok(!again.isKnown(line(9000, file)) && !again.isKnown(line(7777777, file)))
    assert.ok(!again.isKnown(line(1234567, file)))
  }
  await again.close()
})

test('ours: nothing in a line is obeyed by a terminal, and no title is endless', async context => {
  const path = join(crawlFolder(context), 'pages.jsonl')
  const title = '\u001b[2J\u009b31m\u007f\u2028\n"\\\ud800'
  const pages = new PagesFile(path, NEW)
  pages.append([
    { ...line(1), title },
    { ...line(2), title: 'x'.repeat(1e6) },
  ])
  await pages.close()
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  assert.equal(lines.length, 2)
  assert.match(lines[0]!, /^[\x20-\x7e]+$/)
  assert.equal(JSON.parse(lines[0]!).title, title)
  assert.equal(JSON.parse(lines[1]!).title.length, 1000)
})

test('ours: a line is read as it was written, and nothing else is a line', async context => {
  const path = join(crawlFolder(context), 'pages.jsonl')
  const pages = new PagesFile(path, NEW)
  pages.append([line(1)])
  await pages.close()
  const text = readFileSync(path, 'utf8').trimEnd()
  assert.deepEqual(parsePageLine(text), line(1))
  for (const key of Object.keys(JSON.parse(text))) {
    const wrong = { ...JSON.parse(text), [key]: null }
    assert.equal(parsePageLine(JSON.stringify(wrong)), undefined, key)
  }
  for (const wrong of ['', 'null', '1', '[]', text.slice(0, -1), `${text}x`])
    assert.equal(parsePageLine(wrong), undefined)
})

test('ours: a file that was moved away begins again, and that is reported', async context => {
  const path = join(crawlFolder(context), 'pages.jsonl')
  const pages = new PagesFile(path, NEW)
  pages.append([line(1)])
  await pages.close()
  rmSync(path)
  const repairs: string[] = []
  const again = new PagesFile(path, { files: [], onRepair: message => repairs.push(message) })
  again.append([line(2)])
  await again.close()
  assert.match(repairs.join(), /pages\.jsonl is gone/)
  await new PagesFile(path, NEW).close()
})

test('ours: a file that is no list of lines is refused', async context => {
  const path = join(crawlFolder(context), 'pages.jsonl')
  writeFileSync(path, '{}\n')
  for (let i = 0; i < 40; i++) appendFileSync(path, Buffer.alloc(1 << 20, 'x'))
  assert.throws(() => new PagesFile(path, NEW), { code: 'ARCHIVE_DAMAGED' })
})

test('pages.jsonl: a bit that flips anywhere in what was synced is an error, and not before the mark is removed', async context => {
  const path = join(crawlFolder(context), 'pages.jsonl')
  const pages = new PagesFile(path, NEW)
  pages.append([line(1), line(2)])
  await pages.sync()
  pages.append([line(3)])
  await pages.close()
  const whole = readFileSync(path)
  const url = whole.indexOf('http://') + 'http://'.length
  for (const at of [url, whole.length >> 1, whole.length - 3]) {
    const flipped = Buffer.from(whole)
    flipped[at]! ^= 1
    writeFileSync(path, flipped)
    assert.throws(() => new PagesFile(path, NEW), {
      code: 'ARCHIVE_DAMAGED',
      message: /pages\.jsonl.*checksum is wrong/,
    })
  }
  writeFileSync(path, whole)
  const again = new PagesFile(path, NEW)
  assert.equal(again.lines, 3)
  again.append([line(4)])
  await again.close()
  assert.equal(new PagesFile(path, NEW).lines, 4)
})
