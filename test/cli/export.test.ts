import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { crawlOf } from '../export/crawl-folder.ts'
import { escalona, MAIN, temporaryFolder } from './run-cli.ts'

const PAGES = [
  { url: 'http://a.example/', html: '<title>A</title><p>one<a href="/b">b</a>' },
  { url: 'http://a.example/b', html: '<title>B</title><p>two' },
]

test('export: export writes to standard output, or a file whose name says the format, and says what it did', async t => {
  const { folder } = await crawlOf(t, PAGES)
  const out = temporaryFolder(t)
  const plain = escalona(['export', folder])
  assert.equal(plain.code, 0, plain.stderr)
  const titles = plain.stdout
    .toString()
    .trim()
    .split('\n')
    .map(line => (JSON.parse(line) as { title: string }).title)
  assert.deepEqual(titles, ['A', 'B'])
  assert.match(plain.stderr, /^escalona: 2 rows from 2 visits of pages exported as jsonl, [\d.]+ s\n$/)
  const csv = escalona(['export', folder, '--table', 'links', '-q', '--workers', '1', '-o', join(out, 'links.csv')])
  assert.deepEqual([csv.code, csv.stdout.length, csv.stderr], [0, 0, ''])
  const expected = 'from,to,anchor,rel,internal\r\nhttp://a.example/,http://a.example/b,b,,true\r\n'
  assert.equal(readFileSync(join(out, 'links.csv'), 'utf8'), expected)
  const parquet = escalona(['export', folder, '-o', join(out, 'pages.parquet')], { env: { LC_ALL: 'pt_BR' } })
  assert.match(parquet.stderr, /^escalona: 2 linhas de 2 visitas a p/)
  assert.equal(readFileSync(join(out, 'pages.parquet')).toString('latin1', 0, 4), 'PAR1')
  assert.deepEqual(readdirSync(out).sort(), ['links.csv', 'pages.parquet'])
})

test('ours: export refuses what it could not mean, with a hint, and writes nothing', async t => {
  const { folder } = await crawlOf(t, PAGES)
  const link = join(temporaryFolder(t), 'link.jsonl')
  symlinkSync(join(folder, 'pages.jsonl'), link)
  const wrong: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [['--table', 'page'], /--table takes one of pages, links, hosts, not page; did you mean pages\?/],
    [['--format', 'parket'], /--format takes one of jsonl, csv, parquet, wet, not parket; did you mean parquet\?/],
    [['--workers', '0'], /--workers takes a whole number from 1 to 256, not 0/],
    [['--table', 'links', '--format', 'wet'], /wet has the text of pages/],
    [['--table', 'hosts', '--text'], /hosts has no text/],
    [['-o', join(folder, 'pages.jsonl')], /is in the folder of the crawl/],
    [['-o', link], /is in the folder of the crawl/],
  ]
  const before = readFileSync(join(folder, 'pages.jsonl'), 'utf8')
  for (const [args, message] of wrong) {
    const { code, stdout, stderr } = escalona(['export', folder, ...args])
    assert.deepEqual([code, stdout.length], [2, 0], args.join(' '))
    assert.match(stderr, message)
  }
  assert.equal(readFileSync(join(folder, 'pages.jsonl'), 'utf8'), before)
  const nowhere = escalona(['export', join(folder, 'nowhere')])
  assert.deepEqual([nowhere.code, /there is no folder/.test(nowhere.stderr)], [2, true])
})

test('ours: export says which pages are missing, ends when nobody reads on, and leaves the old file when it is killed', async t => {
  const { folder } = await crawlOf(
    t,
    Array.from({ length: 1100 }, (_, n) => ({ url: `http://a.example/${n}`, html: `<p>${'word '.repeat(200)}` })),
  )
  const out = temporaryFolder(t)
  const reader = spawn(process.execPath, [MAIN, 'export', folder, '--text', '-q'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  reader.stdout.once('data', () => reader.stdout.destroy())
  assert.equal(await new Promise(resolve => reader.on('close', resolve)), 0)
  const archive = join(folder, 'archive')
  const [first] = readdirSync(archive).filter(name => name.endsWith('.warc.gz'))
  renameSync(join(archive, first!), join(out, 'moved'))
  const path = join(out, 'pages.jsonl')
  const partly = escalona(['export', folder, '-q', '-o', path])
  assert.deepEqual([partly.code, readFileSync(path, 'utf8').trim().split('\n').length], [1, 100])
  assert.match(
    partly.stderr,
    /1,000 visits of pages could not be read and are missing; the first: cannot read .*00001\.warc\.gz/,
  )
  renameSync(join(out, 'moved'), join(archive, first!))
  writeFileSync(path, 'old')
  const killed = spawn(process.execPath, [MAIN, 'export', folder, '--text', '-q', '-o', path], { stdio: 'ignore' })
  const ended = new Promise(resolve => killed.on('close', (_, signal) => resolve(signal)))
  while (!readdirSync(out).some(name => name.endsWith('.tmp')) && killed.exitCode === null) await wait(2)
  killed.kill('SIGTERM')
  assert.equal(await ended, 'SIGTERM')
  assert.deepEqual([readFileSync(path, 'utf8'), readdirSync(out).sort()], ['old', ['pages.jsonl']])
})
