import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BATCH_COLUMNS, BatchRoom } from '../../src/scheduler/batch.ts'
import type { Pieces } from '../../src/scheduler/pieces.ts'
import { type UrlSlot, UrlStore } from '../../src/scheduler/url-store.ts'
import type { ClassicKernel } from '../../src/url/classic-kernel.ts'
import { RandomSource, seeds } from '../model/random-source.ts'
import { newKernel, newPieces, scanUrls } from './scan-urls.ts'

const MB = 2 ** 20
const MOST_LEAVING = 256
/** More than this many URLs that are gone, beside those that wait, make a sweep worthwhile. */
const LEAST_GONE = 2 ** 16

/** A store beside the Map of waiting texts that it stands for. */
class Checked {
  readonly pieces: Pieces
  readonly store: UrlStore
  private readonly room: BatchRoom
  private readonly leavingAt: number
  readonly waiting = new Map<string, UrlSlot>()
  private readonly kernel: ClassicKernel = newKernel()
  private readonly spoil: (hashes: Int32Array) => void

  /** `spoil` may change the hashes of the rows. */
  constructor(spoil: (hashes: Int32Array) => void = () => {}, pieces = newPieces()) {
    this.spoil = spoil
    this.pieces = pieces
    this.store = new UrlStore(pieces, 0)
    this.room = new BatchRoom(pieces)
    this.leavingAt = pieces.table(MOST_LEAVING * 4, 'slots taken')
  }

  add(texts: readonly string[], where = ''): void {
    this.store.sweepIfWorthwhile()
    scanUrls(this.kernel, texts, (rows, from) => {
      this.spoil(this.kernel.urlHash)
      const batch = this.room.take(this.kernel, rows)
      const { arrived } = this.store
      this.store.add(batch)
      const slots = [...this.pieces.memory.words(batch.at + BATCH_COLUMNS.slot, rows)]
      const added = slots.filter(slot => slot !== 0)
      assert.equal(this.store.arrived - arrived, added.length, where)
      for (const [row, slot] of slots.entries()) {
        const text = texts[from + row]!
        assert.equal(slot === 0, this.waiting.has(text), `${where}: ${text.slice(0, 100)}`)
        if (slot !== 0) this.waiting.set(text, slot)
      }
    })
  }

  /** These texts, which are waiting, leave; they must still be readable. */
  leave(texts: readonly string[], where = ''): void {
    for (let from = 0; from < texts.length; from += MOST_LEAVING) {
      const leaving = texts.slice(from, from + MOST_LEAVING)
      const slots = leaving.map(text => this.waiting.get(text)!)
      this.pieces.memory.words(this.leavingAt, MOST_LEAVING).set(slots)
      this.store.leave(this.leavingAt, leaving.length)
      for (const [i, text] of leaving.entries()) this.checkText(slots[i]!, text, where)
    }
    for (const text of texts) this.waiting.delete(text)
  }

  check(where = ''): void {
    assert.equal(this.store.waiting, this.waiting.size, where)
    assert.equal(new Set(this.waiting.values()).size, this.waiting.size, `${where}: two URLs have one slot`)
    for (const [text, slot] of this.waiting) this.checkText(slot, text, where)
  }

  private checkText(slot: UrlSlot, text: string, where: string): void {
    const stored = this.store.text(slot).toString('latin1')
    if (stored !== text) assert.fail(`${where}: ${stored.slice(0, 100)} where ${text.slice(0, 100)} should be`)
  }
}

function texts(from: number, count: number, tail = ''): string[] {
  return Array.from({ length: count }, (_, n) => `h${(from + n) % 10}.com/${from + n}${tail}`)
}

const SPOILERS: Readonly<Record<string, (hashes: Int32Array) => void>> = {
  'true hashes': () => {},
  'equal hashes': hashes => hashes.fill(7),
  'few hashes': hashes => hashes.forEach((hash, row) => void (hashes[row] = hash & 0x3000)),
}

for (const [name, spoil] of Object.entries(SPOILERS)) {
  test(`ours: random URLs come and go as in a Map: ${name}`, t => {
    for (const seed of seeds(t, 15, 10)) {
      const random = new RandomSource(seed)
      const checked = new Checked(spoil)
      const pool = Array.from({ length: random.pick([5, 300]) }, (_, n) =>
        random.chance(0.5) ? `a.com/${'p'.repeat(random.below(90))}${n}` : `a.com/${n}`,
      )
      for (let step = 0; step < 60; step++) {
        const where = `ESCALONA_SEED=${seed}, step ${step}`
        const what = random.below(100)
        const some = Array.from({ length: random.below(200) }, () => random.pick(pool))
        if (what < 55) checked.add(some, where)
        else if (what < 97)
          checked.leave(
            [...new Set(some)].filter(text => checked.waiting.has(text)),
            where,
          )
        else {
          checked.store.clear()
          checked.waiting.clear()
        }
        checked.check(where)
      }
    }
  })
}

test('ours: a URL knows its depth, however deep it is; a slash in a query does not count', () => {
  const checked = new Checked()
  const depths = [0, 1, 2, 63, 64, 254, 255, 256, 70_000]
  checked.add(depths.flatMap(depth => [`a.com${'/d'.repeat(depth)}`, `b.com${'/d'.repeat(depth)}?x=/a/b`]))
  const slots = [...checked.waiting.values()]
  assert.deepEqual(
    slots.map(slot => checked.store.depth(slot)),
    depths.flatMap(depth => [depth, depth]),
  )
})

test('scheduler: beyond 2 GiB of memory all is as before', () => {
  const pieces = newPieces()
  pieces.table(2 ** 31 + 2 ** 29, 'order')
  const checked = new Checked(undefined, pieces)
  const many = texts(0, LEAST_GONE + 5000)
  for (let round = 0; round < 3; round++) {
    checked.add(many)
    checked.check()
    checked.leave(many.slice(0, LEAST_GONE + 4000))
    checked.add(texts(many.length, 1))
    checked.check()
  }
})

test('ours: a URL that left and comes back waits again, before and after a sweep', () => {
  const checked = new Checked()
  const many = texts(0, LEAST_GONE + 1000)
  for (let round = 0; round < 5; round++) {
    checked.add(many)
    checked.check()
    checked.leave(many.slice(0, round % 2 === 0 ? many.length : many.length - 500))
    checked.check()
  }
})

test('ours: many URLs come and go while some stay: texts stay intact, memory does not grow', t => {
  for (const seed of seeds(t, 0, 1)) {
    const random = new RandomSource(seed)
    const checked = new Checked()
    const measured: number[] = []
    let next = 0
    for (let round = 0; round < 80; round++) {
      const where = `ESCALONA_SEED=${seed}, round ${round}`
      const fresh = texts(next, 10_000, random.pick(['', '/x', `/${'long'.repeat(10)}`]))
      next += fresh.length
      checked.add(fresh, where)
      const leaving = [...checked.waiting.keys()].filter(() => random.chance(0.7))
      checked.leave(leaving, where)
      if (random.chance(0.3)) checked.add(leaving.slice(0, 2000), where)
      if (round % 8 === 7) checked.check(where)
      if (round >= 40) measured.push(checked.pieces.openBytes)
    }
    checked.check(`ESCALONA_SEED=${seed}`)
    const most = Math.max(...measured)
    assert.ok(most < 40 * MB, `ESCALONA_SEED=${seed}: ${most / MB} MB of texts are open`)
  }
})

test('ours: thinly scattered texts move together', () => {
  const checked = new Checked()
  const all = texts(0, 300_000, `/${'padding'.repeat(8)}`)
  for (let at = 0; at < all.length; at += 10_000) checked.add(all.slice(at, at + 10_000))
  const before = checked.pieces.openBytes
  checked.leave(all.filter((_, n) => n % 50 !== 0))
  checked.add(['one.com/more'])
  checked.check()
  const after = checked.pieces.openBytes
  assert.ok(after * 10 < before, `${before} bytes were open before, ${after} after`)
  checked.add(all.slice(0, 1000))
  checked.check()
})

test('ours: long texts that come and go need no more memory than those that wait', () => {
  const checked = new Checked()
  checked.add(['stays.com/1'])
  for (let n = 0; n < 100; n++) {
    const long = `a.com/${n}/${'x'.repeat(4 * MB)}`
    checked.add([long])
    checked.leave([long])
  }
  checked.add(['stays.com/2'])
  checked.check()
  const { openBytes } = checked.pieces
  assert.ok(openBytes < 256 * MB, `100 texts of 4 MB came and went; ${openBytes / MB} MB are open`)
})

test('ours: clearing gives all memory back for use', () => {
  const checked = new Checked()
  const many = texts(0, 100_000)
  const round = () => {
    checked.add(many)
    checked.store.clear()
    checked.waiting.clear()
  }
  for (let n = 0; n < 3; n++) round()
  const before = checked.pieces.memory.bytes.length
  for (let n = 0; n < 15; n++) round()
  assert.ok(
    checked.pieces.memory.bytes.length - before < 20 * MB,
    `${(checked.pieces.memory.bytes.length - before) / MB} MB were added`,
  )
  assert.ok(checked.pieces.openBytes < MB)
})
