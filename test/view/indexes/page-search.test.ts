import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { PAGES_FILE } from '../../../src/archive/names.ts'
import { type PageLine, PagesFile } from '../../../src/archive/pages-file.ts'
import { OutcomeIndex } from '../../../src/view/indexes/outcome-index.ts'
import type { ListedPages } from '../../../src/view/questions/page-shapes.ts'

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'escalona-page-search-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function lineOf(n: number, changes: Partial<PageLine> = {}): PageLine {
  return {
    ...{ url: `http://host${n % 10}.example/page/${n}`, status: 200, title: `Page ${n}`, bytes: 1000 + n, tokens: 5 },
    change: 'new',
    ...{ hops: 1, linksOut: 2, dateMs: 1_700_000_000_000 + n, file: 'escalona-00001.warc.gz', offset: n, length: 9 },
    ...changes,
  }
}

async function written(t: TestContext, lines: readonly PageLine[]): Promise<OutcomeIndex> {
  const folder = folderFor(t)
  const file = new PagesFile(join(folder, PAGES_FILE), { files: [], onRepair: () => {} })
  file.append(lines)
  await file.close()
  const index = new OutcomeIndex(folder)
  t.after(() => index.close())
  return index
}

/** Follows `nextOffset` to the end. */
async function all(index: OutcomeIndex, q: string, limit: number): Promise<PageLine[]> {
  const items: PageLine[] = []
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const list: ListedPages = await index.find({ q, offset, limit })
    assert.ok(list.items.length <= limit)
    assert.ok(list.nextOffset === undefined || list.nextOffset > offset, 'the search does not move on')
    items.push(...list.items)
    offset = list.nextOffset
  }
  return items
}

test('page search: pages are found by URL and title, in any case, newest first; other keys of a line are not searched', async t => {
  const lines = [
    lineOf(0, { title: 'Ein Überblick über "Zitate" und \\ Striche' }),
    lineOf(1, { title: 'SÃO PAULO, a cidade' }),
    lineOf(2, { from: 'http://needle.example/' }),
    lineOf(3, { url: 'http://Needle.example/PATH?x=1' }),
    lineOf(4, { title: 'line\u2028separator and \u0007 bell' }),
    lineOf(5, { title: 'a needle in the title' }),
  ]
  const index = await written(t, lines)
  const found = async (q: string) => (await all(index, q, 2)).map(({ offset }) => offset)
  assert.deepEqual(await found('NEEDLE'), [5, 3])
  assert.deepEqual(await found(' path?X '), [3])
  assert.deepEqual(await found('são paulo'), [1])
  assert.deepEqual(await found('überBLICK'), [0])
  assert.deepEqual(await found('"zitate" und \\'), [0])
  assert.deepEqual(await found('escalona-00001'), [])
  assert.deepEqual(await found('2023-11'), [])
  assert.deepEqual(await found('.example/page'), [5, 4, 2, 1, 0])
  assert.deepEqual(await found('x'.repeat(100_000)), [])
  assert.deepEqual(await found(''), [5, 4, 3, 2, 1, 0])
})

test('page search: a search of many pages ends after a short time and goes on where it stopped, to the same result', async t => {
  const lines = Array.from({ length: 30_000 }, (_, n) =>
    lineOf(n, n % 9999 === 0 ? { title: `The Needle ${n}` } : { title: 'x'.repeat(400) }),
  )
  const index = await written(t, lines)
  const first = await index.find({ q: '', offset: 0, limit: 3 })
  assert.deepEqual(first.items, lines.slice(-3).reverse())
  const found = (await all(index, 'needle', 50)).map(({ offset }) => offset)
  assert.deepEqual(found, [29_997, 19_998, 9999, 0])
  const { total, items, nextOffset } = await index.find({ offset: 29_990, limit: 200 })
  assert.deepEqual([total, items.length, nextOffset], [30_000, 10, undefined])
  assert.deepEqual(await index.pageLineOf(lines[1234]!.url), lines[1234])
})

test('ours: failures count for their host as long as they hold, and are listed beside pages by their time', async t => {
  const folder = folderFor(t)
  const failure = (n: number, rest: object) => `${JSON.stringify({ url: `http://a.example/${n}`, ...rest })}\n`
  const pages = new PagesFile(join(folder, PAGES_FILE), { files: [], onRepair: () => {} })
  pages.append([1, 3, 5].map(n => lineOf(n, { url: `http://a.example/page-${n}`, dateMs: n })))
  pages.append([lineOf(9, { url: 'http://b.example/', dateMs: 9 })])
  await pages.close()
  const path = join(folder, 'failures.jsonl')
  appendFileSync(path, failure(1, { from: 'http://x.example/', reason: 'timeout', attempts: 3, atMs: 2 }))
  appendFileSync(path, failure(2, { reason: 'status-404', attempts: 1, status: 404, atMs: 4 }))
  appendFileSync(path, failure(3, { reason: 'address', attempts: 1, atMs: 6 }))
  appendFileSync(path, failure(4, { reason: 'dns', attempts: 1, atMs: 7 }))
  const index = new OutcomeIndex(folder)
  t.after(() => index.close())
  const shown = async () =>
    (await index.latest('a.example', 100)).map(one => (one.kind === 'page' ? one.page.url : one.failure.reason))
  const urlOf = (n: number) => `http://a.example/page-${n}`
  assert.deepEqual(await shown(), ['dns', 'address', urlOf(5), 'status-404', urlOf(3), 'timeout', urlOf(1)])
  assert.equal(index.failedOf('a.example'), 3, 'a setting keeps one of them out')
  assert.equal(index.failedOf('b.example'), 0)
  appendFileSync(path, failure(1, { requeued: true, atMs: 8 }))
  assert.equal(await index.failureLineOf('http://a.example/1'), undefined)
  assert.equal(index.failedOf('a.example'), 2)
  assert.deepEqual(await shown(), ['dns', 'address', urlOf(5), 'status-404', urlOf(3), urlOf(1)])
  appendFileSync(path, failure(1, { reason: 'reset', attempts: 3, atMs: 9 }))
  assert.equal((await index.failureLineOf('http://a.example/1'))?.reason, 'reset')
  assert.equal(index.failedOf('a.example'), 3)
  const [newest] = await index.latest('a.example', 1)
  assert.ok(newest?.kind === 'ended')
  assert.match(newest.sentence.en, /connection/)
  assert.match(newest.sentence.pt, /conexão/)
})

test('page search: a page that was visited several times is listed and found once, by its newest visit', async t => {
  const lines = Array.from({ length: 40 }, (_, n) =>
    lineOf(n % 10, { dateMs: n, title: `Visit ${n} of page ${n % 10}` }),
  )
  const index = await written(t, lines)
  const { items, total, nextOffset } = await index.find({ offset: 0, limit: 20 })
  assert.deepEqual(
    [items.map(({ dateMs }) => dateMs), total, nextOffset],
    [[39, 38, 37, 36, 35, 34, 33, 32, 31, 30], 10, undefined],
  )
  const found = await index.find({ q: 'page 7', offset: 0, limit: 20 })
  assert.deepEqual([found.items.map(({ dateMs }) => dateMs), found.total], [[37], 10])
})

test('page search: changes are the visits again that found one, newest first, also several of a page', async t => {
  const lines = [
    ...Array.from({ length: 30 }, (_, n) => lineOf(n, { title: '"change":"changed"' })),
    lineOf(31, { url: 'http://host1.example/', change: 'changed' }),
    lineOf(32, { change: 'same' }),
    lineOf(33, { url: 'http://host1.example/', change: 'changed' }),
    lineOf(34, { url: 'http://host1.example/', change: 'same' }),
    lineOf(35, { change: 'gone', status: 404 }),
  ]
  const index = await written(t, lines)
  const found: number[] = []
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const { items, nextOffset }: ListedPages = await index.changes({ offset, limit: 2 })
    found.push(...items.map(item => item.offset))
    offset = nextOffset
  }
  assert.deepEqual(found, [35, 33, 31])
})
