import assert from 'node:assert/strict'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type PageLine, PagesFile } from '../../src/archive/pages-file.ts'

test('ours: a line that comes when pages.jsonl is closed goes into no other file, and is in no mark', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'escalona-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'pages.jsonl')
  const pages = new PagesFile(path, { files: [], onRepair: message => assert.fail(message) })
  await pages.close()
  const mark = readFileSync(`${path}.synced`, 'utf8')

  // The system gives the lowest number that is free: those of the file and of its mark.
  const others = ['a', 'b', 'c'].map(name => openSync(join(folder, name), 'w'))
  assert.throws(() => pages.append([{ url: 'http://a.example/' } as PageLine]), { code: 'ARCHIVE_PAGES_STOPPED' })
  await assert.rejects(pages.sync(), { code: 'ARCHIVE_PAGES_STOPPED' })
  for (const other of others) closeSync(other)
  for (const name of ['a', 'b', 'c', 'pages.jsonl']) assert.equal(readFileSync(join(folder, name), 'utf8'), '')
  assert.equal(readFileSync(`${path}.synced`, 'utf8'), mark)
})
