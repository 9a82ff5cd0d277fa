import assert from 'node:assert/strict'
import { chmodSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { GrowingCrawl } from '../search/growing-crawl.ts'
import { escalona } from './run-cli.ts'

const PAGES = [
  { url: 'http://www.a.example/', title: 'Graduação', text: 'O código aberto da universidade. Licença livre.' },
  { url: 'http://b.example/', title: 'Other', text: 'Aberto o código. Licença.', day: 3 },
]

test('search: the first search builds the index, and prints the best pages with what was found', async t => {
  const crawl = new GrowingCrawl(t)
  await crawl.add(PAGES)
  const both = escalona(['search', crawl.folder, 'CODIGO', 'licenca'])
  assert.equal(both.code, 0, both.stderr)
  const lines = both.stdout.toString().split('\n')
  assert.equal(lines.filter(line => /^ \d {2}/.test(line)).length, 2)
  assert.match(both.stdout.toString(), /Aberto o código\. Licença\./)
  assert.match(both.stderr, /^escalona: 2 pages found, [\d.]+ ms\n$/)
  assert.ok(readdirSync(join(crawl.folder, 'search')).includes('index.json'))
  await crawl.add([{ url: 'http://c.example/', text: 'código' }])
  assert.match(escalona(['search', crawl.folder, 'código']).stderr, /3 pages found/, 'new pages are found at once')
})

test('search: an argument with blanks is a phrase; hosts, days, limit and JSON', async t => {
  const crawl = new GrowingCrawl(t)
  await crawl.add(PAGES)
  const found = (...args: string[]) => {
    const { code, stdout, stderr } = escalona(['search', crawl.folder, ...args, '--json'])
    assert.equal(code, 0, stderr)
    const rows = stdout.toString().split('\n').slice(0, -1)
    return rows.map(
      row => JSON.parse(row) as { url: string; dateMs: number; snippet: { isMatch: boolean; text: string }[] },
    )
  }
  const [phrase, ...none] = found('codigo aberto', 'licença')
  assert.deepEqual([phrase?.url, none], ['http://www.a.example/', []])
  const marked = phrase!.snippet.filter(({ isMatch }) => isMatch).map(({ text }) => text)
  assert.deepEqual(marked, ['código aberto', 'Licença'])
  assert.deepEqual(
    found('codigo', '--host', 'a.example').map(({ url }) => url),
    ['http://www.a.example/'],
  )
  assert.equal(found('codigo', '-n', '1').length, 1)
  const later = new Date(Math.max(...found('codigo').map(({ dateMs }) => dateMs))).toISOString().slice(0, 10)
  assert.deepEqual(
    found('codigo', '--since', later).map(({ url }) => url),
    ['http://b.example/'],
  )
})

test('search: nothing found is said, in both languages, and is no error', async t => {
  const crawl = new GrowingCrawl(t)
  await crawl.add(PAGES)
  const { code, stdout, stderr } = escalona(['search', crawl.folder, 'nowhere'])
  assert.deepEqual([code, stdout.length, stderr], [0, 0, 'escalona: no page found; 2 pages are in the index\n'])
  assert.match(escalona(['search', crawl.folder, 'nowhere', '--lang', 'pt']).stderr, /nenhuma p/)
  assert.match(
    escalona(['search', crawl.folder, '--index']).stderr,
    /^escalona: 2 pages in the index, [\d.]+ B, [\d.]+ s\n$/,
  )
})

test('search: wrong use is refused with a hint', async t => {
  const crawl = new GrowingCrawl(t)
  await crawl.add(PAGES)
  const wrong: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [[], /no folder given/],
    [[crawl.folder], /nothing to search for; write words after the folder, or --index/],
    [[crawl.folder, '!'], /there is no word to search for/],
    [[crawl.folder, 'x', '--limit', '0'], /--limit takes a whole number from 1 up/],
    [[crawl.folder, 'x', '--since', 'today'], /today is not a date; write it as 2026-01-31/],
    [[crawl.folder, '--index', '--workers', '0'], /--workers takes a whole number from 1 to 256/],
    [[join(crawl.folder, 'nowhere'), 'x'], /there is no folder/],
  ]
  for (const [args, message] of wrong) {
    const { code, stderr } = escalona(['search', ...args])
    assert.equal(code, 2, args.join(' '))
    assert.match(stderr, message)
  }
})

test('search: a folder that cannot be written to is searched as it is', { skip: process.getuid?.() === 0 }, async t => {
  const crawl = new GrowingCrawl(t)
  await crawl.add(PAGES.slice(0, 1))
  escalona(['search', crawl.folder, '--index'])
  await crawl.add(PAGES.slice(1))
  chmodSync(join(crawl.folder, 'search'), 0o500)
  t.after(() => chmodSync(join(crawl.folder, 'search'), 0o700))
  const { code, stderr } = escalona(['search', crawl.folder, 'codigo'])
  assert.equal(code, 0)
  assert.match(stderr, /searching the index as it is[\s\S]*1 page found/)
})
