// What fails while it is opened leaves no file open: a program that tries again would run out of them.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { finishIndex } from '../../src/archive/index-files.ts'
import { finishedPath, openPath, partPath } from '../../src/archive/names.ts'
import { openArchive } from '../../src/archive/open-archive.ts'
import { PagesFile } from '../../src/archive/pages-file.ts'
import { readRecord, readWarc } from '../../src/archive/read.ts'
import { EscalonaError } from '../../src/base/errors.ts'
import { crawlFolder, fileName, options, page } from './sample.ts'

const OPEN_FILES = '/proc/self/fd'
const NO_PROC = process.platform !== 'linux' && 'the open files of a process are counted in /proc'

function leavesNothingOpen(attempt: () => unknown, code: string): void {
  const before = readdirSync(OPEN_FILES).length
  for (let n = 0; n < 5; n++) assert.throws(attempt, { code })
  assert.equal(readdirSync(OPEN_FILES).length, before, code)
}

async function ended(t: TestContext): Promise<string> {
  const crawl = crawlFolder(t)
  const { writer } = openArchive(crawl, options())
  writer.append(Array.from({ length: 30 }, (_, n) => page(n)))
  await writer.close()
  return crawl
}

test("open files: an archive that can't be opened, or read, leaves no file open", { skip: NO_PROC }, async t => {
  const crawl = await ended(t)
  // The mark has no place: this fails when the last file is open already.
  mkdirSync(join(crawl, 'archive', 'synced', 'x'), { recursive: true })
  leavesNothingOpen(() => openArchive(crawl, options()), 'ARCHIVE_UNUSABLE')
  rmSync(join(crawl, 'archive', 'synced'), { recursive: true })
  renameSync(openPath(crawl, fileName(1)), finishedPath(crawl, fileName(1)))
  truncateSync(finishedPath(crawl, fileName(1)), 5000)
  leavesNothingOpen(() => openArchive(crawl, options()), 'ARCHIVE_DAMAGED')
  leavesNothingOpen(() => [...readWarc(finishedPath(crawl, fileName(1)))], 'ARCHIVE_DAMAGED')
  leavesNothingOpen(() => readRecord(crawl, fileName(1), 4990), 'ARCHIVE_DAMAGED')
  mkdirSync(partPath(crawl, fileName(2)))
  leavesNothingOpen(() => finishIndex(crawl), 'ARCHIVE_INDEX_UNWRITTEN')
})

test("open files: a pages.jsonl that can't be opened leaves no file open", { skip: NO_PROC }, t => {
  const path = join(crawlFolder(t), 'pages.jsonl')
  writeFileSync(path, Buffer.alloc(20 << 20, 'x'))
  leavesNothingOpen(() => new PagesFile(path, { files: [], onRepair: assert.fail }), 'ARCHIVE_DAMAGED')
  let calls = 0
  const fence = () => {
    if (++calls % 3 === 0) throw new EscalonaError('TEST_LOST', 'another process has taken over')
  }
  leavesNothingOpen(() => new PagesFile(path, { files: [], onRepair: assert.fail, fence }), 'TEST_LOST')
  const onRepair = () => {
    throw new Error('nobody listens')
  }
  const repairing = () => {
    writeFileSync(path, 'no line\n')
    return new PagesFile(path, { files: [], onRepair })
  }
  leavesNothingOpen(repairing, 'ARCHIVE_PAGES_STOPPED')
})

test('open files: a writer that fails when it begins a file leaves none open', { skip: NO_PROC }, async t => {
  const before = readdirSync(OPEN_FILES).length
  const crawl = crawlFolder(t)
  const now = () => {
    throw new Error('the clock has stopped')
  }
  const { writer } = openArchive(crawl, { ...options(), now })
  assert.throws(() => writer.append([page(0)]), { code: 'ARCHIVE_STOPPED' })
  await writer.close()
  assert.equal(readdirSync(OPEN_FILES).length, before)
})
