import assert from 'node:assert/strict'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { openLocal } from '../../src/frontier/local/open.ts'
import { openLocalReadOnly } from '../../src/frontier/local/read-only.ts'
import { SNAPSHOT_VERSION } from '../../src/frontier/local/snapshot/snapshot.ts'
import { filesOf, removeFrontier, temporaryFrontier } from '../contract/maker.ts'

function contents(folder: string): Record<string, string> {
  return Object.fromEntries(filesOf(folder).map(name => [name, readFileSync(join(folder, name), 'latin1')]))
}

function withVersion(path: string, change: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path)
  change(bytes)
  writeFileSync(path, bytes)
}

/** Files of a frontier whose only difference is the number of their format. */
const OTHERS: Readonly<Record<string, (folder: string) => void>> = {
  'frontier.txt': folder => {
    const text = 'escalona frontier 2 1 2'
    writeFileSync(join(folder, 'frontier.txt'), `${text} ${crc32(text)}\n`)
  },
  'journal-00000002.log': folder =>
    withVersion(join(folder, 'journal-00000002.log'), bytes => {
      bytes.writeUInt16LE(4, 4)
      bytes.writeUInt16LE(0, 6)
      bytes.writeUInt16LE(crc32(bytes.subarray(0, 16)) & 0xffff, 6)
    }),
  'snapshot-00000002.bin': folder =>
    withVersion(join(folder, 'snapshot-00000002.bin'), bytes => {
      bytes.writeUInt32LE(SNAPSHOT_VERSION + 1, 4)
      bytes.writeUInt32LE(crc32(bytes.subarray(0, -4)), bytes.length - 4)
    }),
}

test('frontier: a file of another format is an error that names it, and nothing is changed', async () => {
  const folder = temporaryFrontier()
  const frontier = await openLocal({ folder, snapshotBytes: 1 })
  await frontier.offer([{ url: 'http://a.com/', rank: 0, hops: 0 }])
  await frontier.close()
  assert.deepEqual(
    Object.keys(OTHERS).filter(name => !filesOf(folder).includes(name)),
    [],
  )
  for (const [name, change] of Object.entries(OTHERS)) {
    const copy = temporaryFrontier()
    cpSync(folder, copy, { recursive: true })
    change(copy)
    const before = contents(copy)
    const isSo = { code: 'FRONTIER_OTHER_FORMAT', message: new RegExp(`${name} has format \\d`) }
    await assert.rejects(openLocal({ folder: copy }), isSo)
    await assert.rejects(openLocalReadOnly({ folder: copy }), isSo)
    assert.deepEqual(contents(copy), before)
    removeFrontier(copy)
  }
  removeFrontier(folder)
})
