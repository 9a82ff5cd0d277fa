import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BatchRoom } from '../../src/scheduler/batch.ts'
import { DepthLists } from '../../src/scheduler/depth-lists.ts'
import { Hosts } from '../../src/scheduler/hosts.ts'
import type { Strategy } from '../../src/scheduler/strategy.ts'
import { RandomSource, seeds } from '../model/random-source.ts'
import { arrayBytes, newKernel, newPieces, scanUrls } from './scan-urls.ts'

interface Waiting {
  readonly slot: number
  readonly depth: number
}

/** So many hosts, which have the ids from 1 up. */
function knownHosts(count: number): Hosts {
  const pieces = newPieces()
  const [hosts, room, kernel] = [new Hosts(pieces, 0), new BatchRoom(pieces), newKernel()]
  const names = Array.from({ length: count }, (_, n) => `h${n}.com`)
  scanUrls(kernel, names, rows => {
    hosts.know(room.take(kernel, rows))
  })
  return hosts
}

/** Notes which hosts grew, as a strategy would hear of it: `host/count`. */
function listener(wantsAllGrowth: boolean) {
  const told: string[] = []
  const strategy: Pick<Strategy, 'wantsAllGrowth' | 'grew'> = {
    wantsAllGrowth,
    grew: (host, count) => void told.push(`${host}/${count}`),
  }
  return { strategy, told }
}

/** Appends rows of host, depth and slot in one go. */
function append(lists: DepthLists, rows: readonly (readonly number[])[], { strategy } = listener(true)): void {
  const depths = new Map(rows.map(([, depth, slot]) => [slot, depth!]))
  const arrivals = rows.flatMap(([host, , slot]) => [slot!, host!])
  lists.append(Int32Array.from(arrivals), { depth: slot => depths.get(slot)! }, strategy)
}

function inOrder(list: readonly Waiting[]): number[] {
  return [...list].sort((a, b) => a.depth - b.depth).map(waiting => waiting.slot) // stable: then by arrival
}

test('ours: random operations on the lists of hosts give what sorting gives', t => {
  for (const seed of seeds(t, 40, 20)) {
    const random = new RandomSource(seed)
    const count = random.pick([1, 3, 100])
    const lists = new DepthLists(knownHosts(count))
    const model: Waiting[][] = Array.from({ length: count }, () => [])
    const taken = new Int32Array(100)
    let slots = 0
    const depths = random.pick([
      [0, 1, 2, 3],
      [6, 7, 8, 9],
      [0, 7, 8, 11, 12, 15, 16, 23, 24, 40],
      [1, 30, 100, 1000, 3000],
    ])
    for (let step = 0; step < 2000; step++) {
      const where = `ESCALONA_SEED=${seed}, step ${step}`
      const host = 1 + random.below(count)
      const list = model[host - 1]!
      const what = random.below(100)
      if (what < 50) {
        const rows = Array.from({ length: random.pick([1, 1, 2, 5, 20]) }, () => {
          const depth = random.chance(0.9) ? random.pick(depths) : random.below(60)
          return [1 + random.below(count), depth, ++slots] as const
        })
        const heard = listener(random.chance(0.5))
        const expected: string[] = []
        for (const [rowHost, depth, slot] of rows) {
          const length = model[rowHost - 1]!.push({ slot, depth })
          if (length === 1 || heard.strategy.wantsAllGrowth) expected.push(`${rowHost}/${length}`)
        }
        append(lists, rows, heard)
        assert.deepEqual(heard.told, expected, where)
      } else if (what < 90) {
        const [from, max] = [random.below(10), random.pick([0, 1, 1, 2, 5, 90])]
        const expected = inOrder(list).slice(0, max)
        assert.equal(lists.take(host, max, taken, from), expected.length, where)
        assert.deepEqual([...taken.subarray(from, from + expected.length)], expected, where)
        model[host - 1] = list.filter(waiting => !expected.includes(waiting.slot))
      } else {
        assert.deepEqual([...lists.slotsOf(host)], inOrder(list), where)
      }
      assert.equal(lists.count(host), model[host - 1]!.length, where)
    }
    for (const [n, list] of model.entries()) {
      assert.deepEqual([...lists.slotsOf(n + 1)], inOrder(list), `ESCALONA_SEED=${seed}, at the end`)
    }
  }
})

test('ours: a block of deep queues that grows while others wait keeps them all', () => {
  const lists = new DepthLists(knownHosts(2))
  const expected: number[] = []
  for (let depth = 0; depth < 500; depth++) {
    append(lists, [
      [1, depth, 1000 + depth],
      [2, 499 - depth, 2000 + depth],
    ])
    expected.push(1000 + depth)
  }
  assert.deepEqual([...lists.slotsOf(1)], expected)
  assert.deepEqual(
    [...lists.slotsOf(2)],
    expected.reverse().map(slot => slot + 1000),
  )
})

test('ours: the blocks of deep hosts that run empty are used again', () => {
  const hosts = knownHosts(1000)
  const lists = new DepthLists(hosts)
  const taken = new Int32Array(1)
  const round = (n: number) => {
    const host = 1 + (n % 1000)
    append(lists, [[host, 5000, n]])
    assert.equal(lists.take(host, 1, taken, 0), 1)
    assert.equal(taken[0], n)
  }
  for (let n = 1; n <= 100; n++) round(n)
  const before = arrayBytes()
  for (let n = 1; n <= 3000; n++) round(n)
  const growth = arrayBytes() - before
  assert.ok(growth < 2 ** 20, `${growth} bytes were added`)
})
