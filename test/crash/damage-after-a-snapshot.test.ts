// After a snapshot, old segments of the journal hold nothing but the texts of links that still wait. They are not read
// when the frontier opens, and still no wrong text may be leased.

import assert from 'node:assert/strict'
import { closeSync, openSync, readSync, renameSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { filesOf, removeFrontier, temporaryFrontier } from '../contract/maker.ts'
import { everyPage } from '../contract/player.ts'
import { countsAre, drain, viewsOf } from '../contract/sentences/sentence.ts'
import { openTimed, type TimedFrontier } from '../contract/timed.ts'
import { RandomSource, seeds } from '../model/random-source.ts'

const T = 1_700_000_000_000
const LINKS = 2000
const URLS = new Set(Array.from({ length: LINKS }, (_, n) => `http://h${n % 40}.com/${n}`))
const folder = temporaryFrontier()

before(async () => {
  const frontier = await openTimed({ folder, snapshotBytes: 30_000 })
  const links = [...URLS].map(url => ({ url, rank: 0, hops: 0 }))
  for (let at = 0; at < LINKS; at += 50) await frontier.offer(links.slice(at, at + 50))
  await frontier.close()
})

after(() => removeFrontier(folder))

function named(start: string): string[] {
  return filesOf(folder).filter(name => name.startsWith(start))
}

test('ours: the folder has a snapshot with its ledger, and a segment that they do not repeat', () => {
  assert.equal(named('snapshot').length, 1)
  assert.equal(named('links').length, 1)
  assert.ok(named('journal').length >= 2)
})

test('ours: reopened after a snapshot, every link is there', async () => {
  const frontier = await openTimed({ folder })
  await countsAre(frontier, { known: LINKS, waiting: LINKS, hosts: 40 })
  assert.equal(await frontier.offer([...URLS].map(url => ({ url, rank: 0, hops: 0 }))), 0)
  await frontier.close()
})

test('ours: a flipped bit in a snapshot or its ledger is an error that names the file', async t => {
  for (const seed of seeds(t, 1, 1)) {
    const random = new RandomSource(seed)
    for (const name of [...named('snapshot'), ...named('links')]) {
      for (let n = 0; n < 20; n++) {
        await withFlip(name, random, async () => {
          const opening = openTimed({ folder })
          await assert.rejects(opening, { code: 'FRONTIER_DAMAGED', message: new RegExp(name) })
        })
      }
    }
  }
})

test('ours: a snapshot without its ledger is an error that names the file', async () => {
  const [name = ''] = named('links')
  renameSync(join(folder, name), join(folder, 'aside'))
  await assert.rejects(openTimed({ folder }), { code: 'FRONTIER_DAMAGED', message: new RegExp(name) })
  renameSync(join(folder, 'aside'), join(folder, name))
})

test('ours: a flipped bit in an old segment never leases a URL that nobody offered', async t => {
  const [name = ''] = named('journal')
  let refused = 0
  for (const seed of seeds(t, 1, 1)) {
    const random = new RandomSource(seed)
    for (let n = 0; n < 50; n++) {
      await withFlip(name, random, async at => {
        let frontier: TimedFrontier | undefined
        try {
          frontier = await openTimed({ folder })
          for (const { host } of await viewsOf(frontier)) {
            for (const { url } of await everyPage(cursor => frontier!.waiting(host, cursor)))
              assert.ok(URLS.has(url), `${at}: ${url.slice(0, 60)}…`)
          }
        } catch (error) {
          if ((error as { code?: string }).code !== 'FRONTIER_DAMAGED') throw error
          refused++
        } finally {
          await frontier?.close()
        }
      })
    }
  }
  t.diagnostic(`${refused} refused`)
})

test('ours: after all that, everything is leased once', async () => {
  const frontier = await openTimed({ folder })
  const leased = await drain(frontier, T)
  assert.equal(leased.length, LINKS)
  assert.deepEqual(new Set(leased.map(({ url }) => url)), URLS)
  await frontier.close()
})

/** Flips one random bit of a file, and flips it back afterwards. */
async function withFlip(name: string, random: RandomSource, during: (at: number) => Promise<void>): Promise<void> {
  const path = join(folder, name)
  const at = random.below(statSync(path).size)
  const flip = () => {
    const fd = openSync(path, 'r+')
    const byte = Buffer.alloc(1)
    readSync(fd, byte, 0, 1, at)
    byte[0]! ^= 1 << bit
    writeSync(fd, byte, 0, 1, at)
    closeSync(fd)
  }
  const bit = random.below(8)
  flip()
  try {
    await during(at)
  } finally {
    flip()
  }
}
