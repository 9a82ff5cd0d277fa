// Killed at any moment, or on a disk that takes no more: what was synced is there, once, and every file reads cleanly.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readRecord, readWarc } from '../../src/archive/read.ts'
import { RandomSource, seeds } from '../model/random-source.ts'
import { crawlFolder, indexLines } from './sample.ts'

const PAGES = 2300
const COLLECTING = fileURLToPath(new URL('./collecting.js', import.meta.url))

interface Run {
  readonly begunWith: number
  /** Pages that were synced, as far as it could say so. */
  readonly synced: number
  readonly end: string
}

/** Collects until it has said `batches` times that a batch is safe, and is killed a moment later. */
function collect(crawl: string, batches: number, afterMs: number, before: readonly string[] = []): Promise<Run> {
  const [program, ...args] = [...before, process.execPath, COLLECTING, crawl, String(PAGES)]
  const child = spawn(program!, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  let isDoomed = false
  child.stdout.setEncoding('utf8').on('data', text => {
    said += text
    if (isDoomed || said.split('\n').length - 2 < batches) return
    isDoomed = true
    setTimeout(() => child.kill('SIGKILL'), afterMs)
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => {
      const lines = said.split('\n').slice(0, -1)
      const begunWith = Number(/^open (\d+)$/.exec(lines[0] ?? '')?.[1])
      const synced = Math.max(begunWith, ...lines.filter(line => /^\d+$/.test(line)).map(Number))
      resolve({ begunWith, synced, end: lines.at(-1) ?? '' })
    })
  })
}

/** Everything is there, exactly once. */
function check(crawl: string): void {
  const names = readdirSync(join(crawl, 'archive')).sort()
  const found = names.map(name => {
    const records = [...readWarc(join(crawl, 'archive', name))]
    return records
      .filter(record => record.fields.has('escalona-page'))
      .map(record => record.fields.get('warc-target-uri')!)
  })
  assert.deepEqual(
    found.map(urls => urls.length),
    [1000, 1000, 300],
  )
  assert.deepEqual(
    found.flat().map(url => Number(/page-(\d+)/.exec(url)![1])),
    Array.from({ length: PAGES }, (_, n) => n),
  )
  const lines = readFileSync(join(crawl, 'pages.jsonl'), 'utf8').trimEnd().split('\n')
  const pages = lines.map(line => JSON.parse(line) as { url: string; file: string; offset: number })
  assert.equal(new Set(pages.map(({ url }) => url)).size, PAGES)
  assert.equal(pages.length, PAGES)
  for (const { url, file, offset } of pages.filter((_, i) => i % 97 === 0)) {
    assert.ok(readRecord(crawl, file, offset).fields.get('warc-target-uri')!.endsWith(`/${url}.html`))
  }
  const index = indexLines(crawl)
  assert.deepEqual(index, [...index].sort())
  assert.equal(index.filter(line => line.includes('/page-')).length, PAGES)
}

test('rule 5.12: killed at random moments, the archive holds each page exactly once', async t => {
  for (const seed of seeds(t, 0, 1)) {
    const random = new RandomSource(seed)
    const crawl = crawlFolder(t)
    let synced = 0
    let end = ''
    for (let life = 0; life < 5; life++) {
      const run = await collect(crawl, random.below(8), random.below(20))
      if (Number.isNaN(run.begunWith)) continue
      assert.ok(run.begunWith >= synced, `ESCALONA_SEED=${seed}: ${synced} were safe, it went on at ${run.begunWith}`)
      ;({ synced, end } = run)
    }
    if (end !== 'done') ({ end } = await collect(crawl, PAGES, 0))
    assert.equal(end, 'done')
    check(crawl)
  }
})

test('ours: a disk that takes no more stops the archive with a code, and nothing synced is lost', async t => {
  const crawl = crawlFolder(t)
  let synced = 0
  // A file may not grow beyond so many blocks of 512 bytes.
  for (const blocks of [4, 150, 333]) {
    const limited = `trap '' XFSZ; ulimit -f ${blocks}; exec "$@"`
    const run = await collect(crawl, PAGES, 0, ['sh', '-c', limited, 'sh'])
    assert.match(run.end, /^ARCHIVE_(?:PAGES_)?STOPPED$/)
    assert.ok(run.begunWith >= synced)
    synced = run.synced
  }
  assert.ok(synced > 100)
  assert.equal((await collect(crawl, PAGES, 0)).end, 'done')
  check(crawl)
})
