// A folder that the former version left, after a crash: fixtures/version-2 was made by commit 848c85b. It has a snapshot with
// open leases, and after it a journal with ties, refused links, links given back and a renewed lease.
import assert from 'node:assert/strict'
import { cpSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Frontier } from '../../src/frontier/frontier.ts'
import { openLocal } from '../../src/frontier/local/open.ts'
import { copyFrontier, filesOf, removeFrontier, temporaryFrontier } from '../contract/maker.ts'
import { countsAre, done, drain, take, viewsOf } from '../contract/sentences/sentence.ts'

const FIXTURE = fileURLToPath(new URL('../../../test/frontier/fixtures/version-2', import.meta.url))
const T = 1_700_000_000_000
/** When it is opened. */
const NOW = T + 2000
const OPTIONS = { strategy: 'explore', delayMs: 10, clock: () => NOW } as const

const COUNTS = { known: 32, waiting: 28, done: 1, refused: 3, hosts: 11 }

/** Each host with its own delay, when it is ready (after T), and its waiting links: URL, depth and hops. */
const HOSTS: readonly (readonly [string, number, number, string])[] = [
  ['a.com', 0, 1110, '/3 1 24, /deep/er 2 400'],
  ['b.com', 0, 110, '/1 1 8, /2 1 16, /3 1 24'],
  ['c.com', 700, 710, '/3 1 24, /1 1 8, /2 1 16'],
  ['d.com', 0, 5000, '/2 1 16, /3 1 24'],
  ['www.a.com', 0, 2010, '/ 0 0'],
  ['é.example', 0, 2010, '/ö 1 0'],
  ['e.com', 0, -T, ''],
  ['many.com', 0, 2010, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0].map(n => `/${n}/${'x'.repeat(20)} 2 0`).join(', ')],
  ['f.com', 0, 2010, '/2 0 0, /1 1 0'],
  ['g.com', 0, -T, '/1 3 16'],
  ['last.com', 0, -T, '/ 0 1'],
]

async function withFixture(during: (folder: string) => Promise<void>): Promise<void> {
  const folder = temporaryFrontier()
  try {
    cpSync(FIXTURE, folder, { recursive: true })
    await during(folder)
  } finally {
    removeFrontier(folder)
  }
}

async function isAllThere(frontier: Frontier, pages: number): Promise<void> {
  await countsAre(frontier, { ...COUNTS, pages })
  const urls = ['a.com/1', 'd.com/1', 'e.com/1', 'a.com/2', 'never.com/']
  const explained = await frontier.explain(urls.map(url => `http://${url}`))
  assert.deepEqual(explained, [
    { state: 'done', host: 'a.com', isPage: false },
    { state: 'refused', host: 'd.com', reason: 'robots' },
    { state: 'refused', host: 'e.com', reason: 'cleared' },
    { state: 'refused', host: 'a.com', reason: 'scope' },
    { state: 'unknown' },
  ])
}

test('ours: a folder of the former version opens with everything in place', () =>
  withFixture(async folder => {
    const names = readdirSync(FIXTURE)
    assert.ok(names.some(name => name.startsWith('snapshot')))
    for (const name of names) assert.ok(statSync(join(FIXTURE, name)).size < 4096)
    const frontier = await openLocal({ ...OPTIONS, folder, formerPages: 1, onRepair: assert.fail })
    await isAllThere(frontier, 1)
    const views = await viewsOf(frontier, T)
    for (const [place, [host, delayMs, readyMs, links]] of HOSTS.entries()) {
      const view = views[place]!
      const { items } = await frontier.waiting(host, { limit: 100 })
      assert.deepEqual([view.host, view.delayMs, view.server, view.failures], [host, delayMs, undefined, 0])
      assert.equal(view.readyInMs, Math.max(0, readyMs), host)
      const shown = items.map(
        ({ url, pathDepth, hops }) => `${url.slice(`http://${host}`.length)} ${pathDepth} ${hops}`,
      )
      assert.equal(shown.join(', '), links, host)
    }
    await frontier.close()
  }))

test('ours: what was tied is not any more: each host is leased by its own time', () =>
  withFixture(async folder => {
    const frontier = await openLocal({ ...OPTIONS, folder })
    const hosts = (await take(frontier, 99, NOW + 10_000)).map(({ host }) => host)
    assert.deepEqual(
      hosts.toSorted(),
      HOSTS.map(([host]) => host)
        .filter(host => host !== 'e.com')
        .toSorted(),
    )
    await frontier.close()
  }))

test('ours: a folder of the former version goes on as one of this, with its pages, also after a crash', () =>
  withFixture(async folder => {
    const first = await openLocal({ ...OPTIONS, folder, formerPages: 7 })
    assert.equal(await first.offer([{ url: 'http://new.com/', pathDepth: 0, hops: 0, note: 'from' }]), 1)
    const crashed = temporaryFrontier()
    copyFrontier(folder, crashed)
    await first.close()
    for (const place of [folder, crashed]) {
      // It was converted: what is said now about former pages counts for nothing.
      const second = await openLocal({ ...OPTIONS, folder: place, formerPages: 99, snapshotBytes: 1 })
      await countsAre(second, { ...COUNTS, known: 33, waiting: 29, hosts: 12, pages: 7 })
      const leased = await drain(second, NOW + 10_000)
      assert.equal(leased.length, 29)
      assert.equal(leased.find(({ url }) => url === 'http://new.com/')?.note, 'from')
      await second.close()
      const third = await openLocal({ ...OPTIONS, folder: place })
      await countsAre(third, { known: 33, done: 30, refused: 3, hosts: 12, pages: 36 })
      await third.close()
    }
    removeFrontier(crashed)
  }))

test('ours: snapshots are taken while old segments still hold texts, which are read as they were written', () =>
  withFixture(async folder => {
    const frontier = await openLocal({ ...OPTIONS, folder, snapshotBytes: 1 })
    const [ticket] = await take(frontier, 1, NOW + 10_000)
    await frontier.settle([done(ticket!)], NOW + 10_000)
    await frontier.close()
    assert.ok(filesOf(folder).includes('journal-00000001.log'))
    const again = await openLocal({ ...OPTIONS, folder })
    assert.equal((await drain(again, NOW + 20_000)).length, COUNTS.waiting - 1)
    await again.close()
  }))
