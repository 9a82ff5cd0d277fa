// What a disk can do to files: a tail that was never written whole, a bit that is no longer what it was, a file that is
// gone. A torn tail that was not acknowledged is cut off and reported; everything else is an error, and never a silent loss.
import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { openLocal } from '../../src/frontier/local/open.ts'
import { removeFrontier, syncedUpTo, temporaryFrontier } from '../contract/maker.ts'
import type { Operation } from '../contract/operations.ts'
import { RandomSource, SOAK, seeds } from '../model/random-source.ts'
import { type History, type Opening, openedWith, recordHistory } from './history.ts'

/** Some small calls, so that every byte of their frames can be tried. */
const LAST_CALLS: readonly Operation[] = [
  { do: 'offer', links: [{ url: 'http://last.com/1', rank: 1, hops: 2 }] },
  { do: 'setDelay', host: 'last.com', delayMs: 70 },
  { do: 'take', max: 1, passMs: 70_000 },
  { do: 'place', pick: 0, server: '192.0.2.9', passMs: 2 },
  {
    do: 'settle',
    settlements: [{ pick: 0, outcome: { kind: 'again' }, links: [], shown: 'silence', delayMs: 5 }],
    passMs: 1,
  },
  { do: 'hold', host: 'other.com', forMs: 900, passMs: 3 },
  { do: 'offer', links: [{ url: 'http://last.com/robots.txt', kind: 'robots', rank: 0, hops: 0, note: 'n' }] },
  { do: 'offer', links: [{ url: 'http://other.com/', rank: 0, hops: 0 }] },
  { do: 'take', max: 2, passMs: 30_000 },
  { do: 'renew', picks: [1], passMs: 1 },
  { do: 'giveBack', picks: [0] },
  { do: 'settleFormer', visits: [{ url: 'http://other.com/', isPage: true, links: [] }], passMs: 1 },
  { do: 'clear', host: 'last.com' },
]

/** Opens folders with changed files, one after the other in the same place. */
async function tryAll<T>(
  history: History,
  changes: Iterable<T>,
  changed: (files: Map<string, Buffer>, change: T) => void,
  judge: (opening: Opening, change: T) => void,
): Promise<void> {
  const folder = temporaryFrontier()
  try {
    for (const change of changes) {
      rmSync(folder, { recursive: true, force: true })
      mkdirSync(folder)
      const files = new Map(history.files)
      changed(files, change)
      const opening = await openedWith(history, files, writeFileSync, folder).catch(error => {
        throw new Error(`with the change ${JSON.stringify(change)}`, { cause: error })
      })
      judge(opening, change)
    }
  } finally {
    removeFrontier(folder)
  }
}

/** A segment begins with a header, which is safe before anything is acknowledged. */
const HEADER_BYTES = 16

/** Every so many bytes are tried, and always those where a frame ends. */
const STEP = SOAK > 1 ? 1 : 4
const EVERY = STEP === 1 ? 'every byte' : `every ${STEP}th byte`

test(`ours: cut at ${EVERY} of its last frames, the journal opens with everything before`, async t => {
  for (const seed of seeds(t, 1, 1)) await cutEverywhere(t, seed, await recordHistory(seed, 60, LAST_CALLS), 300)
})

test(`ours: cut at ${EVERY} after a snapshot, the journal opens with everything before`, async t => {
  for (const seed of seeds(t, 1, 1)) {
    const history = await recordHistory(seed, 60, LAST_CALLS, 600)
    assert.ok([...history.files.keys()].some(name => name.startsWith('snapshot')))
    await cutEverywhere(t, seed, history, Number.POSITIVE_INFINITY)
  }
})

/** Cuts the last file of the journal all over its frames, as far as they reach into so many last bytes. */
async function cutEverywhere(t: TestContext, seed: number, history: History, lastBytes: number): Promise<void> {
  const { moments, journal } = history
  const whole = history.files.get(journal)!
  assert.equal(whole.length, moments.at(-1)!.journalBytes)
  /** Which moment a journal of this length holds. */
  const momentAt = (length: number) => {
    const within = moments.findLastIndex(moment => moment.journal === journal && moment.journalBytes <= length)
    return Math.max(
      within,
      moments.findIndex(moment => moment.journal === journal),
    )
  }
  const from = whole.length <= lastBytes ? 0 : moments[momentAt(whole.length - lastBytes)]!.journalBytes
  const ends = new Set(moments.filter(moment => moment.journal === journal).map(({ journalBytes }) => journalBytes))
  const offset = new RandomSource(seed).below(STEP)
  const lengths = Array.from({ length: whole.length - from + 1 }, (_, n) => from + n).filter(
    length => length % STEP === offset || ends.has(length),
  )
  await tryAll(
    history,
    lengths,
    (files, length) => files.set(journal, whole.subarray(0, length)).set('synced', syncedUpTo(journal, HEADER_BYTES)),
    (opening, length) => {
      const where = `ESCALONA_SEED=${seed}, cut to ${length} of ${whole.length}: ${JSON.stringify(opening)}`
      if (length < HEADER_BYTES) {
        assert.ok(opening.kind === 'refused' && opening.code === 'FRONTIER_DAMAGED', where)
        return
      }
      assert.ok(opening.kind === 'opened', where)
      const expected = momentAt(length)
      assert.ok(opening.moments.includes(expected), `${where}, and not ${expected}`)
      const isTorn = moments[expected]!.journalBytes !== length
      assert.equal(opening.repairs.length, isTorn ? 1 : 0, where)
      for (const repair of opening.repairs) assert.ok(repair.includes(journal), repair)
    },
  )
  t.diagnostic(`${lengths.length} cuts in ${whole.length - from} bytes, ${moments.length} moments`)
}

test('ours: cut in its first bytes before frontier.txt was made, the journal opens as the empty frontier', async () => {
  const history = await recordHistory(2, 10)
  const whole = history.files.get(history.journal)!
  await tryAll(
    history,
    Array.from({ length: HEADER_BYTES + 1 }, (_, n) => n),
    (files, length) => {
      files.clear()
      files.set(history.journal, whole.subarray(0, length))
    },
    (opening, length) => {
      assert.ok(
        opening.kind === 'opened' && opening.moments.includes(0),
        `cut to ${length}: ${JSON.stringify(opening)}`,
      )
    },
  )
})

test('frontier: a journal that holds less than was acknowledged is an error, wherever it is cut', async t => {
  for (const snapshotBytes of [1e9, 600]) {
    const history = await recordHistory(9, 60, LAST_CALLS, snapshotBytes)
    const { journal } = history
    const whole = history.files.get(journal)!
    const ends = history.moments.filter(moment => moment.journal === journal).map(({ journalBytes }) => journalBytes)
    // After a snapshot at the very end, the journal has nothing but its header.
    const cuts = [0, 1, HEADER_BYTES - 1, HEADER_BYTES, whole.length >> 1, whole.length - 1, ...ends.slice(0, -1)]
    const lengths = cuts.filter(length => length < whole.length)
    await tryAll(
      history,
      lengths,
      (files, length) => files.set(journal, whole.subarray(0, length)),
      (opening, length) => {
        const where = `${length} of ${whole.length}: ${JSON.stringify(opening)}`
        assert.ok(opening.kind === 'refused' && opening.code === 'FRONTIER_DAMAGED', where)
        assert.ok(opening.message.includes(journal) && /acknowledged/.test(opening.message), where)
      },
    )
    t.diagnostic(`${lengths.length} cuts, snapshots after ${snapshotBytes} bytes`)
  }
})

test('frontier: a journal replaced by something else, or by nothing but zeros, is an error', async () => {
  const history = await recordHistory(10, 60, LAST_CALLS, 600)
  const { journal } = history
  const { length } = history.files.get(journal)!
  const texts = ['{}', 'x'.repeat(15), 'x'.repeat(16), 'x'.repeat(2 * length)]
  await tryAll(
    history,
    [...texts.map(text => Buffer.from(text)), Buffer.alloc(length), Buffer.alloc(2 * length)],
    (files, bytes) => files.set(journal, bytes),
    opening => assert.ok(opening.kind === 'refused' && opening.code === 'FRONTIER_DAMAGED', JSON.stringify(opening)),
  )
})

test('frontier: an older copy of the journal, or of all its files but the mark, is an error', async () => {
  const [older, newer] = [await recordHistory(11, 30), await recordHistory(11, 30, LAST_CALLS)]
  await tryAll(
    newer,
    [[newer.journal], [...older.files.keys()].filter(name => name !== 'synced')],
    (files, names) => {
      for (const name of names) files.set(name, older.files.get(name)!)
    },
    opening => assert.ok(opening.kind === 'refused' && opening.code === 'FRONTIER_DAMAGED', JSON.stringify(opening)),
  )
})

test('ours: a tail that was never written whole is cut off and reported, also where the file was made longer first', async () => {
  const history = await recordHistory(3, 60)
  const { moments, journal } = history
  const whole = history.files.get(journal)!
  const frame = whole.subarray(moments.at(-2)!.journalBytes)
  const begun = (bytes: number) => Buffer.concat([frame.subarray(0, bytes), Buffer.alloc(frame.length - bytes)])
  const pieces = [1, 4, 8, 11, 12, 13, frame.length - 1].map(bytes => frame.subarray(0, bytes))
  const zeros = [1, 7, 8, 12, 4096].map(bytes => Buffer.alloc(bytes))
  const tails = [...pieces, ...zeros, ...[1, 4, 8, 11, 12, 13].map(begun)]
  await tryAll(
    history,
    tails.keys(),
    (files, n) => files.set(journal, Buffer.concat([whole, tails[n]!])),
    (opening, n) => {
      const where = `a tail of ${tails[n]!.toString('hex')}: ${JSON.stringify(opening)}`
      assert.ok(opening.kind === 'opened' && opening.moments.includes(moments.length - 1), where)
      assert.equal(opening.repairs.length, 1, where)
    },
  )
})

test('ours: what was cut off stays cut off, and the frontier goes on after it', async () => {
  const history = await recordHistory(4, 60, LAST_CALLS)
  const folder = temporaryFrontier()
  try {
    mkdirSync(folder)
    const whole = history.files.get(history.journal)!
    const torn = new Map(history.files)
      .set(history.journal, whole.subarray(0, -3))
      .set('synced', syncedUpTo(history.journal, HEADER_BYTES))
    const opening = await openedWith(history, torn, writeFileSync, folder)
    assert.ok(opening.kind === 'opened' && opening.repairs.length === 1)
    const again = { ...history.options, folder, onRepair: assert.fail }
    const second = await openLocal(again)
    const { known } = await second.counts()
    assert.equal(await second.offer([{ url: 'http://after.com/', rank: 0, hops: 0 }]), 1)
    await second.close()
    const third = await openLocal(again)
    assert.equal((await third.counts()).known, known + 1)
    await third.close()
  } finally {
    removeFrontier(folder)
  }
})

interface Flip {
  readonly file: string
  readonly at: number
  readonly bit: number
}

/** Anywhere, and more of them at both ends of the journal. */
function randomFlips(random: RandomSource, history: History, count: number): Flip[] {
  const names = [...history.files.keys()]
  return Array.from({ length: count }, () => {
    const file = random.chance(0.75) ? history.journal : random.pick(names)
    const bytes = history.files.get(file)!.length
    const at = random.pick([
      random.below(bytes),
      random.below(Math.min(bytes, 60)),
      bytes - 1 - random.below(Math.min(bytes, 300)),
    ])
    return { file, at, bit: random.below(8) }
  })
}

test('ours: a flipped bit anywhere is an error that names the file, or cuts off the very last frame and says so', async t => {
  let refused = 0
  let cut = 0
  let harmless = 0
  for (const seed of seeds(t, 1, 1)) {
    const random = new RandomSource(seed)
    const history = await recordHistory(seed, 60, LAST_CALLS, seed % 2 === 0 ? 600 : 1e9)
    const last = history.moments.length - 1
    const before = history.moments[last - 1]!
    const startOfLast = before.journal === history.journal ? before.journalBytes : 0
    await tryAll(
      history,
      randomFlips(random, history, 150),
      (files, { file, at, bit }) => {
        const bytes = Buffer.from(files.get(file)!)
        bytes[at]! ^= 1 << bit
        files.set(file, bytes)
      },
      (opening, flip) => {
        const where = `ESCALONA_SEED=${seed}: ${JSON.stringify(flip)} gave ${JSON.stringify(opening)}`
        if (opening.kind === 'refused') {
          assert.match(opening.code, /^FRONTIER_/, where)
          assert.ok(opening.message.includes(flip.file), where)
          refused++
        } else if (opening.repairs.length === 0) {
          assert.ok(opening.moments.includes(last), where)
          harmless++
        } else {
          assert.ok(opening.moments.includes(last - 1), where)
          assert.ok(flip.file === history.journal && flip.at >= startOfLast, where)
          assert.equal(opening.repairs.length, 1, where)
          cut++
        }
      },
    )
  }
  t.diagnostic(`${refused} refused, ${cut} cut the last frame off, ${harmless} changed nothing`)
  assert.ok(refused > 100)
})

test('ours: damage before frames of some megabytes is an error, and not a torn tail', async () => {
  const long = (n: number) => `http://long.com/${n}/${'x'.repeat(60_000)}`
  const batch = (n: number): Operation => ({
    do: 'offer',
    links: Array.from({ length: 40 }, (_, i) => ({ url: long(100 * n + i), rank: 0, hops: 0 })),
  })
  const history = await recordHistory(5, 10, [batch(1), batch(2), batch(3)])
  const { journal, moments } = history
  const flips = [-4, -3]
    .map(n => moments.at(n)!.journalBytes)
    .flatMap(start => [start + 1, start + 5, start + 9, start + 1_000_000])
  await tryAll(
    history,
    flips,
    (files, at) => {
      const bytes = Buffer.from(files.get(journal)!)
      bytes[at]! ^= 1
      files.set(journal, bytes)
    },
    (opening, at) => {
      const where = `${at} of ${history.files.get(journal)!.length}: ${JSON.stringify(opening)}`
      assert.ok(opening.kind === 'refused' && opening.code === 'FRONTIER_DAMAGED', where)
    },
  )
})

test('ours: a file that is gone is an error', async () => {
  const history = await recordHistory(6, 60)
  await tryAll(
    history,
    history.files.keys(),
    (files, name) => files.delete(name),
    (opening, name) => {
      assert.ok(
        opening.kind === 'refused' && opening.code === 'FRONTIER_DAMAGED',
        `${name}: ${JSON.stringify(opening)}`,
      )
    },
  )
})

test('ours: a snapshot that was being written counts for nothing, and is removed', async () => {
  const history = await recordHistory(8, 60, LAST_CALLS, 600)
  const name = [...history.files.keys()].find(one => one.startsWith('snapshot'))!
  const whole = history.files.get(name)!
  const next = name.replace(/\d+/, digits => String(Number(digits) + 1).padStart(8, '0'))
  await tryAll(
    history,
    [0, 1, 8, whole.length >> 1, whole.length - 1, whole.length].flatMap(bytes =>
      [name, next].map(of => ({ of, bytes })),
    ),
    (files, { of, bytes }) => files.set(`${of}.tmp`, whole.subarray(0, bytes)),
    (opening, change) => {
      const where = `${JSON.stringify(change)}: ${JSON.stringify(opening)}`
      assert.ok(opening.kind === 'opened' && opening.moments.includes(history.moments.length - 1), where)
      assert.deepEqual(opening.repairs, [], where)
      assert.ok(!opening.files.some(file => file.endsWith('.tmp')), where)
    },
  )
})

test('ours: files of somebody else do no harm and are not harmed', async () => {
  const history = await recordHistory(7, 40)
  await tryAll(
    history,
    ['notes.txt', 'journal-1.log.bak', '.DS_Store'],
    (files, name) => files.set(name, Buffer.from('mine')),
    opening => assert.ok(opening.kind === 'opened' && opening.moments.includes(history.moments.length - 1)),
  )
})
