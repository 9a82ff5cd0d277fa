// The part of the snapshots that only grows.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { LedgerFile, type LinkEntry } from '../../src/frontier/local/journal/ledger.ts'
import { openLocal } from '../../src/frontier/local/open.ts'
import { copyFrontier, filesOf, removeFrontier, temporaryFrontier } from '../contract/maker.ts'

/** More than it keeps in memory. */
const MANY = 60_000

function entry(n: number): LinkEntry {
  const segment = 1 + Math.floor(n / 20_000)
  return { low: n * 7, high: ~n, host: 1 + (n % 300), rank: n % 256, segment, at: (n % 20_000) * 60 }
}

function addAll(ledger: LedgerFile, from: number, to: number): void {
  for (let n = from; n < to; n++) ledger.add(entry(n))
}

function readAll(folder: string, mark: ReturnType<LedgerFile['mark']>, count: number): LinkEntry[] {
  const found: LinkEntry[] = []
  new LedgerFile(folder).read(mark, count, one => found.push({ ...one }))
  return found
}

function expected(count: number): LinkEntry[] {
  return Array.from({ length: count }, (_, n) => entry(n))
}

async function inFolder(during: (folder: string) => void | Promise<void>): Promise<void> {
  const folder = temporaryFrontier()
  mkdirSync(folder)
  try {
    await during(folder)
  } finally {
    removeFrontier(folder)
  }
}

test('ours: what a ledger was told is read again, up to each of its marks', () =>
  inFolder(folder => {
    const ledger = new LedgerFile(folder)
    addAll(ledger, 0, 10)
    const early = ledger.mark()
    addAll(ledger, 10, MANY)
    const late = ledger.mark()
    ledger.close()
    assert.deepEqual(readAll(folder, early, 10), expected(10))
    assert.deepEqual(readAll(folder, late, MANY), expected(MANY))
  }))

test('ours: behind its mark, a ledger that was read goes on, over whatever stood there', () =>
  inFolder(folder => {
    const first = new LedgerFile(folder)
    addAll(first, 0, 1000)
    const mark = first.mark()
    addAll(first, 5000, 9000)
    first.mark()
    first.close()
    const second = new LedgerFile(folder)
    second.read(mark, 1000, () => {})
    addAll(second, 1000, 1500)
    const later = second.mark()
    second.close()
    assert.deepEqual(readAll(folder, later, 1500), expected(1500))
  }))

test('ours: what could not be written is kept, and written with the rest', () =>
  inFolder(folder => {
    const later = join(folder, 'later')
    const ledger = new LedgerFile(later)
    addAll(ledger, 0, MANY)
    assert.throws(() => ledger.mark(), { code: 'ENOENT' })
    mkdirSync(later)
    const mark = ledger.mark()
    ledger.close()
    assert.deepEqual(readAll(later, mark, MANY), expected(MANY))
  }))

test('ours: a flipped bit, a missing end or a missing file is damage; what stands behind the mark is not looked at', () =>
  inFolder(folder => {
    const ledger = new LedgerFile(folder)
    addAll(ledger, 0, 100)
    const mark = ledger.mark()
    addAll(ledger, 100, 200)
    ledger.mark()
    ledger.close()
    const [name = ''] = filesOf(folder)
    const path = join(folder, name)
    const whole = readFileSync(path)
    const damage = { code: 'FRONTIER_DAMAGED', message: new RegExp(name) }
    for (let at = 0; at < whole.length; at += 7) {
      const bytes = Buffer.from(whole)
      bytes[at]! ^= 4
      writeFileSync(path, bytes)
      if (at < mark.bytes) assert.throws(() => readAll(folder, mark, 100), damage, `${at}`)
      else assert.deepEqual(readAll(folder, mark, 100), expected(100))
    }
    writeFileSync(path, whole)
    truncateSync(path, mark.bytes)
    assert.deepEqual(readAll(folder, mark, 100), expected(100))
    truncateSync(path, mark.bytes - 1)
    assert.throws(() => readAll(folder, mark, 100), damage)
    assert.throws(() => readAll(folder, { ...mark, number: 2 }, 100), { code: 'FRONTIER_DAMAGED' })
  }))

test('ours: when all links are forgotten, another file begins, and the old one goes when nobody needs it', () =>
  inFolder(folder => {
    const ledger = new LedgerFile(folder)
    addAll(ledger, 0, 100)
    const old = ledger.mark()
    ledger.restart()
    addAll(ledger, 0, 50)
    const mark = ledger.mark()
    assert.deepEqual(readAll(folder, old, 100), expected(100))
    assert.equal(filesOf(folder).length, 2)
    ledger.dropBefore(mark)
    ledger.close()
    assert.equal(filesOf(folder).length, 1)
    assert.deepEqual(readAll(folder, mark, 50), expected(50))
  }))

test('ours: a link is written to the ledger once, however many snapshots are taken', async () => {
  const folder = temporaryFrontier()
  const left = temporaryFrontier()
  const link = (n: number) => ({ url: `http://h${n % 97}.com/${n}`, rank: n % 70, hops: 0 })
  const offerAll = async (frontier: Awaited<ReturnType<typeof openLocal>>, from: number, to: number) => {
    for (let n = from; n < to; n += 1000) await frontier.offer(Array.from({ length: 1000 }, (_, i) => link(n + i)))
  }
  try {
    const frontier = await openLocal({ folder, snapshotBytes: 300_000 })
    await offerAll(frontier, 0, 40_000)
    // As a crash leaves it: the ledger is longer than the snapshot says.
    copyFrontier(folder, left)
    await frontier.close()
    const second = await openLocal({ folder: left, snapshotBytes: 300_000 })
    assert.equal((await second.counts()).known, 40_000)
    await offerAll(second, 40_000, MANY)
    await second.close()
    const ledgers = filesOf(left).filter(name => name.startsWith('links-'))
    assert.equal(ledgers.length, 1)
    assert.ok(statSync(join(left, ledgers[0]!)).size < 16 * MANY)

    const third = await openLocal({ folder: left })
    assert.equal((await third.counts()).known, MANY)
    const inMemory = await openLocal()
    await offerAll(inMemory, 0, MANY)
    for (const host of ['h0.com', 'h13.com', 'h96.com']) {
      const page = { limit: 10_000 }
      assert.deepEqual(await third.waiting(host, page), await inMemory.waiting(host, page))
    }
    await third.close()
  } finally {
    removeFrontier(folder)
    removeFrontier(left)
  }
})
