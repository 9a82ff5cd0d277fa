// A process from which the folder was taken writes nothing that counts, not even the write that it had begun.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { finishIndex } from '../../src/archive/index-files.ts'
import { openPath } from '../../src/archive/names.ts'
import { openArchive } from '../../src/archive/open-archive.ts'
import { PagesFile } from '../../src/archive/pages-file.ts'
import { readWarc } from '../../src/archive/read.ts'
import { EscalonaError } from '../../src/base/errors.ts'
import { crawlFolder, fileName, indexLines, lineOf, options, page } from './sample.ts'

const LOST = { code: 'TEST_LOST' }

/** A fence that can be shut. */
class Gate {
  isShut = false
  calls = 0
  readonly fence = (): void => {
    this.calls++
    if (this.isShut) throw new EscalonaError('TEST_LOST', 'another process has taken over')
  }
}

function open(crawl: string, gate: Gate, tookOver = false) {
  const { writer, recent } = openArchive(crawl, { ...options(), fence: gate.fence, tookOver })
  const files = new Set(recent.map(one => one.file))
  const more = { files, onRepair: assert.fail, fence: gate.fence, tookOver }
  return { writer, recent, pages: new PagesFile(join(crawl, 'pages.jsonl'), more) }
}

function contents(crawl: string): Map<string, string> {
  const files = readdirSync(crawl, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const paths = files.map(entry => join(entry.parentPath, entry.name))
  return new Map(paths.map(path => [path, readFileSync(path, 'latin1')]))
}

test('ours: behind a shut fence nothing is written, and everything says why', async t => {
  const crawl = crawlFolder(t)
  const gate = new Gate()
  const { writer, pages } = open(crawl, gate)
  const [place] = writer.append([page(0)])
  pages.append([lineOf(0, place!)])
  const before = contents(crawl)
  gate.isShut = true
  assert.throws(() => writer.append([page(1)]), LOST)
  assert.throws(() => pages.append([lineOf(1, place!)]), LOST)
  gate.isShut = false
  // Once lost is lost for good.
  assert.throws(() => writer.append([page(1)]), LOST)
  await assert.rejects(writer.sync(), LOST)
  await assert.rejects(pages.sync(), LOST)
  await writer.close()
  await pages.close()
  assert.deepEqual(contents(crawl), before)
})

test('ours: a folder that is lost during a sync is noticed before the sync counts', async t => {
  const crawl = crawlFolder(t)
  const gates = [new Gate(), new Gate()]
  const { writer } = open(crawl, gates[0]!)
  const { pages } = open(crawlFolder(t), gates[1]!)
  const [place] = writer.append([page(0)])
  pages.append([lineOf(0, place!)])
  const syncs = [writer.sync(), pages.sync()]
  await Promise.resolve()
  for (const gate of gates) gate.isShut = true
  await Promise.all(syncs.map(sync => assert.rejects(sync, LOST)))
  await writer.close()
  await pages.close()
  assert.deepEqual(readdirSync(join(crawl, 'archive')), [`${fileName(1)}.open`])
})

test('ours: a full file is not finished behind a shut fence', async t => {
  const crawl = crawlFolder(t)
  const gate = new Gate()
  const { writer, pages } = open(crawl, gate)
  writer.append(Array.from({ length: 1001 }, (_, n) => page(n)))
  const syncing = writer.sync()
  await Promise.resolve()
  gate.isShut = true
  await assert.rejects(syncing, LOST)
  await writer.close()
  await pages.close().catch(() => {})
  assert.deepEqual(
    readdirSync(join(crawl, 'archive')).sort(),
    [1, 2].map(n => `${fileName(n)}.open`),
  )
  assert.deepEqual(readdirSync(join(crawl, 'index')), [])
})

test('ours: an opening behind a shut fence changes nothing', async t => {
  const crawl = await crawledUntilFrozen(t)
  const before = contents(crawl.folder)
  const gate = new Gate()
  gate.isShut = true
  assert.throws(() => open(crawl.folder, gate), LOST)
  assert.deepEqual(contents(crawl.folder), before)
  await crawl.end()
})

/** A crawl whose process is frozen after its last check: its fence is open, and it is about to write. */
async function crawledUntilFrozen(t: TestContext) {
  const folder = crawlFolder(t)
  const gate = new Gate()
  const { writer, pages } = open(folder, gate)
  const numbers = Array.from({ length: 5 }, (_, n) => n)
  pages.append(writer.append(numbers.map(page)).map((place, n) => lineOf(n, place)))
  await writer.sync()
  await pages.sync()
  const end = async () => {
    gate.isShut = true
    await writer.close().catch(() => {})
    await pages.close().catch(() => {})
  }
  return { folder, writer, pages, end }
}

test('one owner: what a frozen owner still writes when another has taken over changes nothing', async t => {
  const late = await crawledUntilFrozen(t)
  const { folder } = late
  const { writer, pages, recent } = open(folder, new Gate(), true)
  assert.equal(recent.length, 5)
  assert.deepEqual(readdirSync(join(folder, 'archive')), [fileName(1)])
  const [place] = writer.append([page(5)])
  assert.equal(place!.file, fileName(2))
  pages.append([lineOf(5, place!)])
  await writer.sync()
  const before = contents(folder)
  // Whatever comes from the old owner now, it comes too late.
  const [lost] = late.writer.append([page(6)])
  late.pages.append([lineOf(6, lost!)])
  await late.writer.sync()
  await late.pages.sync()
  before.delete(join(folder, 'archive', 'synced'))
  const after = contents(folder)
  for (const [path, text] of before) {
    if (!path.endsWith('.synced')) assert.equal(after.get(path), text, path)
  }
  const [next] = writer.append([page(7)])
  pages.append([lineOf(7, next!)])
  await late.end()
  await writer.close()
  await pages.close()
  finishIndex(folder)
  const names = readdirSync(join(folder, 'archive')).sort()
  assert.deepEqual(names, [1, 2].map(fileName))
  assert.deepEqual(
    names.map(name => [...readWarc(join(folder, 'archive', name))].length),
    [1 + 2 * 5, 1 + 2 * 2],
  )
  assert.equal(indexLines(folder).length, 7)
  assert.equal(readFileSync(join(folder, 'pages.jsonl'), 'utf8').split('\n').length, 8)
})

test('ours: a file that the old owner begins at the last moment keeps its number', async t => {
  const crawl = crawlFolder(t)
  const { writer } = openArchive(crawl, { ...options(), tookOver: true })
  writeFileSync(openPath(crawl, fileName(1)), '')
  const [place] = writer.append([page(0)])
  assert.equal(place!.file, fileName(2))
  await writer.close()
  const again = openArchive(crawl, options())
  assert.equal(again.recent.length, 1)
  await again.writer.close()
  assert.deepEqual(readdirSync(join(crawl, 'archive')), [fileName(2)])
})
