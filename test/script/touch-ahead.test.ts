import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CELL, StoreMemory } from '../../src/scheduler/store-memory.ts'
import { TouchAhead } from '../../src/script/touch-ahead.ts'

const MIB = 1 << 20
/** What is touched ahead of the texts. */
const AHEAD_BYTES = MIB / 2
const SMALLEST_PAGE_BYTES = 4096
const FEW_PAGES = AHEAD_BYTES / SMALLEST_PAGE_BYTES / 4

/** How many pages the system hands out while these bytes are written. */
function pagesFor(memory: StoreMemory, from: number, to: number): number {
  const before = process.resourceUsage().minorPageFault
  memory.words(from, (to - from) / 4).fill(1)
  return process.resourceUsage().minorPageFault - before
}

test('touch ahead: pages ahead of the texts are touched as these grow, also in memory that is new, and their bytes stay', () => {
  const memory = new StoreMemory()
  memory.grow(4 * MIB)
  const ahead = new TouchAhead(memory.shared)
  memory.words(MIB, MIB / 4).fill(7)
  for (const textsEnd of [MIB, MIB + 4000, 2 * MIB]) {
    memory.cells[CELL.textsEnd] = textsEnd
    ahead.touch()
  }
  assert.ok(memory.words(MIB, MIB / 4).every(word => word === 7))
  assert.ok(memory.words(2 * MIB, MIB / 4).every(word => word === 0))
  assert.ok(pagesFor(memory, 2 * MIB, 2 * MIB + AHEAD_BYTES) < FEW_PAGES)

  memory.grow(200 * MIB)
  memory.cells[CELL.textsEnd] = 190 * MIB
  ahead.touch()
  assert.ok(pagesFor(memory, 190 * MIB, 190 * MIB + AHEAD_BYTES) < FEW_PAGES)
})

test('touch ahead: at the end of the memory, nothing is touched beyond it', () => {
  const memory = new StoreMemory()
  const { length } = memory.bytes
  for (const textsEnd of [length - 10, length, length + MIB]) {
    memory.cells[CELL.textsEnd] = textsEnd
    assert.doesNotThrow(() => new TouchAhead(memory.shared).touch())
  }
  assert.equal(memory.bytes.length, length)
})
