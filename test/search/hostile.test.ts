// Texts, lists and questions that were made to do harm.
import assert from 'node:assert/strict'
import { appendFileSync, readdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Search } from '../../src/search/search.ts'
import { updateIndex } from '../../src/search/update-index.ts'
import { escalona } from '../cli/run-cli.ts'
import { GrowingCrawl } from './growing-crawl.ts'

const ESCAPES = '\u001b]0;owned\u0007\u001b[2J\u202egnp.exe \u2028 \u0000'

test('search: words without end, nothing but different words, and one word a million times are indexed in bounds', async t => {
  const crawl = new GrowingCrawl(t)
  let different = ''
  for (let n = 0; n < 100_000; n++) different += `x${n} `
  await crawl.add([
    { url: 'http://a.example/endless', text: 'a'.repeat(500_000) },
    { url: 'http://a.example/different', text: different },
    { url: 'http://a.example/same', text: 'spam '.repeat(200_000) },
    { url: 'http://a.example/marks', text: `e${'\u0301'.repeat(50_000)} zalgo` },
    { url: 'http://a.example/ligatures', text: `${'\ufdfa'.repeat(5000)} bismillah` },
    { url: 'http://a.example/halves', text: '\ud800 \udc00 halves \ud835' },
    { url: `http://a.example/${'%00'.repeat(300)}`, text: 'nulls' },
    { url: `http://${'a.'.repeat(100)}example/`, text: 'labels' },
    { url: 'http://a.example/empty', text: '' },
  ])
  const { pages, bytes } = await updateIndex(crawl.folder, { workers: 1 })
  assert.equal(pages, 9)
  assert.ok(bytes < 2_000_000, `${bytes} bytes`)
  const search = new Search(crawl.folder, () => 0)
  t.after(() => search.close())
  const expected: Readonly<Record<string, number>> = {
    ['a'.repeat(64)]: 1,
    ['a'.repeat(400)]: 1,
    x99999: 1,
    '"x500 x501 x502"': 1,
    '"x500 x502"': 0,
    spam: 1,
    zalgo: 1,
    bismillah: 1,
    halves: 1,
    nulls: 1,
    'labels site:a.example': 1,
  }
  for (const [q, total] of Object.entries(expected)) {
    const found = await search.find({ q })
    assert.equal(found.total, total, q.slice(0, 40))
    for (const { snippet } of found.items) assert.ok(snippet.map(({ text }) => text).join('').length < 600)
  }
})

test('search: hostile questions are answered or refused', async t => {
  const crawl = new GrowingCrawl(t)
  await crawl.add([{ url: 'http://a.example/', text: 'constructor __proto__ (a+)+$ [object Object]' }])
  await updateIndex(crawl.folder, { workers: 1 })
  const search = new Search(crawl.folder, () => 0)
  t.after(() => search.close())
  const questions = [
    'constructor',
    '__proto__',
    '(a+)+$',
    '"'.repeat(1001),
    `"${'a '.repeat(500)}"`,
    '\ud800 a',
    ESCAPES,
  ]
  for (const q of questions)
    await search.find({ q, host: ESCAPES }).catch(error => assert.equal(error.code, 'SEARCH_BAD_QUERY'))
  assert.equal((await search.find({ q: 'constructor' })).total, 1)
  assert.equal((await search.find({ q: '__proto__' })).total, 1)
})

test('search: nothing that a page or a list says reaches the terminal as a command', async t => {
  const crawl = new GrowingCrawl(t)
  await crawl.add([{ url: 'http://a.example/', title: `Title ${ESCAPES}`, text: `needle <b onload=x> ${ESCAPES} hay` }])
  for (const args of [[], ['--json']]) {
    const { code, stdout, stderr } = escalona(['search', crawl.folder, 'needle', ...args])
    assert.equal(code, 0, stderr)
    assert.match(stdout.toString(), /needle/)
    assert.doesNotMatch((stdout.toString() + stderr).replaceAll('\n', ''), /\p{Cc}|\u202e|\u2028/u)
  }
})

test('search: lines that are damaged and pages that cannot be read are counted, named, and leave the others', async t => {
  const crawl = new GrowingCrawl(t)
  await crawl.add([{ url: 'http://a.example/1', text: 'apples' }])
  appendFileSync(join(crawl.folder, 'pages.jsonl'), 'garbage\n{"url":"javascript:alert(1)"}\n')
  await crawl.add([{ url: 'http://a.example/2', text: 'apples' }])
  const { pages, unread, firstUnread } = await updateIndex(crawl.folder, { workers: 1 })
  assert.deepEqual([pages, unread], [2, 2])
  assert.equal(firstUnread?.key, 'SEARCH_BAD_LINE')
  const { code, stderr } = escalona(['search', crawl.folder, '--rebuild'])
  assert.equal(code, 1)
  assert.match(stderr, /2 pages in the index[\s\S]*2 pages could not be read.*pages\.jsonl is damaged at byte \d+/)
  const archive = join(crawl.folder, 'archive')
  const warc = readdirSync(archive).find(name => name.includes('.warc.gz'))!
  renameSync(join(archive, warc), join(crawl.folder, 'away'))
  const search = new Search(crawl.folder, () => 0)
  t.after(() => search.close())
  const found = await search.find({ q: 'apples' })
  assert.deepEqual(
    found.items.map(({ snippet }) => snippet),
    [[], []],
    'found, though their text cannot be shown',
  )
  renameSync(join(crawl.folder, 'away'), join(archive, warc))
  assert.ok(statSync(join(archive, warc)).size > 0)
})
