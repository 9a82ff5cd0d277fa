// The frontier's own structures, each against the simplest thing that does the same.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SplitIndex } from '../../src/base/structures/hash-index.ts'
import { HostTable, SparseNumbers } from '../../src/frontier/local/memory/hosts.ts'
import { LinkIndex } from '../../src/frontier/local/memory/link-index.ts'
import { LinkTable, PAGE, TAKEN, WAITING } from '../../src/frontier/local/memory/links.ts'
import { LookupKey } from '../../src/frontier/local/memory/lookup-key.ts'
import { Notes } from '../../src/frontier/local/memory/notes.ts'
import { Rows } from '../../src/frontier/local/memory/rows.ts'
import { LineHeap } from '../../src/frontier/local/memory/skew-heap.ts'
import { TextOffsets } from '../../src/frontier/local/memory/text-offsets.ts'
import { currentPairs, RequeuedLinks, WaitingLists } from '../../src/frontier/local/memory/waiting-lists.ts'
import { ListMaker } from '../../src/frontier/local/snapshot/read-snapshot.ts'
import { RandomSource, seeds } from '../model/random-source.ts'

test('ours: rows keep their words and doubles while chunks are added, and a copy keeps what was', () => {
  const rows = new Rows(6, 8)
  const wordOf = (row: number, word: number) => row * 10 + word
  for (let row = 0; row < 2000; row++) {
    rows.reach(row)
    for (const word of [0, 1, 4, 5]) rows.set(row, word, wordOf(row, word))
    rows.setDouble(row, 1, row / 3)
  }
  const kept = rows.keep()
  for (let row = 0; row < 2000; row++) {
    for (const word of [0, 1, 4, 5]) assert.equal(rows.get(row, word), wordOf(row, word))
    assert.equal(rows.getDouble(row, 1), row / 3)
    rows.set(row, 0, -1)
    rows.setDouble(row, 1, -1)
  }
  for (let row = 0; row < 2000; row++) assert.deepEqual([kept.get(row, 0), kept.getDouble(row, 1)], [row * 10, row / 3])
})

test('ours: sparse numbers are 0 where nothing was set, also beyond the last', () => {
  const numbers = new SparseNumbers()
  numbers.set(5, 0)
  numbers.set(100_000, 2.5)
  const copy = numbers.keep()
  numbers.set(100_000, 0)
  assert.deepEqual(
    [5, 99_999, 100_000, 1e7].map(place => [numbers.get(place), copy.get(place)]),
    [
      [0, 0],
      [0, 0],
      [0, 2.5],
      [0, 0],
    ],
  )
})

test('ours: a split index finds every id by its hash, however the hashes fall', t => {
  for (const seed of seeds(t, 2, 1)) {
    const random = new RandomSource(seed)
    for (const expected of [0, 50_000]) {
      const index = new SplitIndex(expected)
      // Evenly, all in one corner, and some several times.
      const hashes = Array.from({ length: 20_000 }, (_, n) => {
        if (n % 3 === 0) return random.below(2 ** 31) | (random.below(2) << 31)
        return n % 3 === 1 ? random.below(2 ** 20) : (n % 100) - 50
      })
      for (const [n, hash] of hashes.entries()) index.add(hash, n + 1)
      for (const [n, hash] of hashes.entries()) {
        const part = index.part(hash)
        let place = part.search(hash)
        while (place >= 0 && part.id(place) !== n + 1) place = part.searchOn(place, hash)
        assert.ok(place >= 0, `ESCALONA_SEED=${seed}: ${n}, ${hash}`)
      }
    }
  }
})

test('columns: a link index finds every link and no other, loaded or added, while its parts grow and are split', t => {
  for (const seed of seeds(t, 2, 1)) {
    const random = new RandomSource(seed)
    const half = () => random.below(2 ** 31) * 2 + random.below(2)
    // Evenly; all in one part, which is split many times; and such that differ in their last bits only.
    const prints = Array.from({ length: 30_000 }, (_, n) => {
      if (n % 3 === 0) return { low: half() | 0, high: half() | 0 }
      return n % 3 === 1 ? { low: half() | 0, high: half() & 0xfffff } : { low: n, high: Math.imul(n >> 8, 0x9e3779b1) }
    })
    for (const loaded of [0, 20_000]) {
      const index = new LinkIndex((link, low) => (prints[link - 1]!.low ^ low) << 8 === 0, loaded)
      for (const [n, { low, high }] of prints.entries()) {
        if (n === loaded && loaded > 0) index.finishLoading()
        index.add(low, high, n + 1)
      }
      for (const [n, { low, high }] of prints.entries()) {
        assert.equal(index.find(low, high), n + 1, `ESCALONA_SEED=${seed}: ${n}`)
        if (n % 3 === 0) assert.equal(index.find(low ^ (1 << (n % 32)), high), 0)
        if (n % 3 === 0) assert.equal(index.find(low, high ^ (1 << (n % 32))), 0)
      }
    }
  }
})

test('columns: fingerprints that begin alike by intention are an error that says so, not an endless loop', () => {
  for (const expected of [0, 10_000]) {
    const index = new LinkIndex(() => false, expected)
    assert.throws(
      () => {
        for (let n = 1; ; n++) index.add(n << 8, 5, n)
      },
      { code: 'INDEX_FULL' },
    )
  }
})

test('columns: places of texts are as they were added, near, far, and from segment to segment', t => {
  for (const seed of seeds(t, 3, 2)) {
    const random = new RandomSource(seed)
    const places = new TextOffsets()
    const rows = new Rows(2, 8)
    const added = [0]
    for (let link = 1; link < 5000; link++) {
      const isFirst = random.chance(0.01)
      const step = random.chance(0.1) ? random.pick([0, 255, 256, 100_000]) : 1 + random.below(100)
      added.push((isFirst ? 16 : added.at(-1)!) + step)
      rows.reach(link)
      rows.set(link, 0, (random.below(1000) << 8) | places.add(link, added[link]!, isFirst))
    }
    for (let link = 1; link < 5000; link++) {
      assert.equal(places.of(link, rows), added[link], `ESCALONA_SEED=${seed}: ${link}`)
    }
  }
})

test('ours: a line heap has the one on top that joined first, whoever leaves from anywhere', t => {
  for (const seed of seeds(t, 10, 5)) {
    const random = new RandomSource(seed)
    const hosts = new HostTable()
    const key = new LookupKey()
    for (let n = 1; n <= 300; n++)
      hosts.setLineNumber(hosts.add(key.readName(`h${n}`)), random.below(2 ** 30) + n / 1000)
    const heap = new LineHeap(hosts)
    const tops = [0, 0]
    const members = [new Set<number>(), new Set<number>()]
    for (let step = 0; step < 3000; step++) {
      const which = random.below(2)
      const host = 1 + random.below(300)
      if (members[which]!.delete(host)) tops[which] = heap.remove(tops[which]!, host)
      else if (!members[1 - which]!.has(host)) {
        members[which]!.add(host)
        tops[which] = heap.add(tops[which]!, host)
      }
      for (const n of [0, 1]) {
        const first = [...members[n]!].sort((a, b) => hosts.lineNumber(a) - hosts.lineNumber(b))[0] ?? 0
        assert.equal(tops[n], first, `ESCALONA_SEED=${seed}, step ${step}`)
      }
    }
  }
})

test('ours: lists give links by depth, then by arrival; those put back come first, those passed over never', t => {
  for (const seed of seeds(t, 10, 5)) {
    const random = new RandomSource(seed)
    const hosts = new HostTable()
    const links = new LinkTable()
    const lists = new WaitingLists(hosts, links)
    const host = hosts.add(new LookupKey().readName('h'))
    let naive: { link: number; depth: number }[] = []
    for (let step = 0; step < 1000; step++) {
      const depth = random.pick([0, 1, 2, 3, 7, 8, 63, 64, 255])
      const dice = random.below(10)
      if (dice < 5) {
        const link = links.add(step, step, WAITING, 1, 0)
        lists.append(host, depth, link)
        naive.splice(naive.filter(one => one.depth <= depth).length, 0, { link, depth })
      } else if (dice < 9) {
        const link = lists.takeFirst(host)
        const first = naive.shift()
        assert.equal(link, first?.link ?? 0, `ESCALONA_SEED=${seed}, step ${step}`)
        if (first === undefined) continue
        assert.equal(lists.takenRank, first.depth)
        if (dice < 8) links.setState(link, TAKEN)
        else {
          lists.putBack(host, first.depth, link)
          naive.splice(naive.filter(one => one.depth < first.depth).length, 0, first)
        }
      } else if (naive.length > 0) {
        const { link } = naive[random.below(naive.length)]!
        links.finish(link, PAGE)
        lists.passOver(host, link)
        naive = naive.filter(one => one.link !== link)
      }
      assert.equal(lists.count(host), naive.length)
      if (step % 50 === 0)
        assert.deepEqual(
          [...lists.of(host)],
          naive.map(one => one.link),
        )
    }
  }
})

test('columns: lists that are made from behind are those that links are appended to, at any depth', t => {
  for (const seed of seeds(t, 5, 2)) {
    const random = new RandomSource(seed)
    const hosts = new HostTable()
    for (const name of ['a', 'b', 'c', 'd']) hosts.add(new LookupKey().readName(name))
    const others = new HostTable()
    for (const name of ['a', 'b', 'c', 'd']) others.add(new LookupKey().readName(name))
    const [links, same] = [new LinkTable(), new LinkTable()]
    const [appended, made] = [new WaitingLists(hosts, links), new WaitingLists(others, same)]
    const all = Array.from({ length: random.below(300) }, (_, n) => {
      const link = { id: n + 1, host: 1 + random.below(3), depth: random.pick([0, 1, 2, 6, 7, 8, 255]) }
      appended.append(link.host, link.depth, links.add(n, n, WAITING, 1, n))
      same.add(n, n, WAITING, 1, n)
      return link
    })
    const maker = new ListMaker(made, same, others.known)
    for (const { id, host, depth } of all.toReversed()) maker.putFirst(host, depth, id)
    maker.finish()
    for (let host = 1; host <= hosts.known; host++) {
      assert.equal(made.count(host), appended.count(host), `ESCALONA_SEED=${seed}`)
      assert.deepEqual([...made.of(host)], [...appended.of(host)], `ESCALONA_SEED=${seed}, host ${host}`)
      // What comes later goes to the end of its list, and each has its depth.
      const depth = random.pick([1, 6, 7])
      made.append(host, depth, same.add(1000 + host, host, WAITING, 1, 1000 + host))
      appended.append(host, depth, links.add(1000 + host, host, WAITING, 1, 1000 + host))
      for (let link = appended.takeFirst(host); link !== 0; link = appended.takeFirst(host)) {
        assert.deepEqual([made.takeFirst(host), made.takenRank], [link, appended.takenRank], `ESCALONA_SEED=${seed}`)
      }
    }
  }
})

test('ours: a link that was tried very often is remembered as exactly so', () => {
  const links = new LinkTable()
  const link = links.add(1, 1, WAITING, 1, 0)
  for (let attempts = 1; attempts < 300; attempts++) {
    links.setAttempts(link, attempts)
    links.setState(link, attempts % 2 === 0 ? TAKEN : WAITING)
    assert.deepEqual([links.attempts(link), links.state(link)], [attempts, attempts % 2 === 0 ? TAKEN : WAITING])
  }
  links.finish(link, PAGE)
  assert.equal(links.state(link), PAGE)
})

test('ours: of the times a link came back the last counts, and what is over is dropped', t => {
  for (const seed of seeds(t, 3, 2)) {
    const random = new RandomSource(seed)
    const requeued = new RequeuedLinks()
    const over = new Set<number>()
    const naive = new Map<number, number>()
    for (let step = 0; step < 20_000; step++) {
      const link = 1 + random.below(step < 10_000 ? 3000 : 50)
      if (over.has(link)) continue
      if (random.chance(0.1)) {
        over.add(link)
        naive.delete(link)
        continue
      }
      requeued.add(link, step, one => over.has(one))
      naive.delete(link)
      naive.set(link, step)
    }
    const kept = currentPairs(requeued.copy(), link => over.has(link))
    assert.deepEqual([...kept], [...naive].flat())
  }
})

test('ours: notes make room for newer ones, the oldest first, and keep to their bytes', () => {
  const notes = new Notes(10_000)
  const bytes = new Uint8Array(1000)
  for (let n = 0; n < 20; n++) notes.set(`h${n}`, 'key', bytes, 100)
  const kept = Array.from({ length: 20 }, (_, n) => notes.get(`h${n}`, 'key', 99) !== undefined)
  assert.ok(kept.lastIndexOf(false) < kept.indexOf(true) && kept.filter(Boolean).length >= 5)
  assert.equal(notes.get('h19', 'key', 100), undefined)
  notes.set('h19', 'key', new Uint8Array([1]), 100)
  assert.deepEqual(notes.get('h19', 'key', 0), new Uint8Array([1]))
  notes.set('huge', 'key', new Uint8Array(20_000), 100)
  assert.equal(notes.get('huge', 'key', 0), undefined)
  assert.equal(notes.get('h1', '9key', 0), undefined)
})
