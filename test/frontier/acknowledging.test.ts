// What an answer of a frontier in a folder promises.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { openLocal } from '../../src/frontier/local/open.ts'
import { removeFrontier, temporaryFrontier } from '../contract/maker.ts'
import { openTimed } from '../contract/timed.ts'

const DONE = { outcome: { kind: 'done', isPage: true }, shown: 'answer', links: [], delayMs: 0 } as const
const LINK = { url: 'http://a.com/1', rank: 0, hops: 0 }

test('promise 6: that a link is known already is not said before it would survive a crash', async () => {
  const folder = temporaryFrontier()
  const frontier = await openLocal({ folder })
  try {
    const answers: string[] = []
    await Promise.all([
      frontier.offer([LINK]).then(fresh => answers.push(`first: ${fresh}`)),
      frontier.offer([LINK]).then(fresh => answers.push(`second: ${fresh}`)),
    ])
    assert.deepEqual(answers, ['first: 1', 'second: 0'])
  } finally {
    await frontier.close()
    removeFrontier(folder)
  }
})

test('ours: snapshots do not come in the way of calls that are under way', async () => {
  // On a disk that syncs at once, the two come closest to each other.
  const folder = temporaryFrontier(existsSync('/dev/shm') ? '/dev/shm' : undefined)
  const frontier = await openLocal({ folder, snapshotBytes: 1 })
  try {
    for (let round = 0; round < 100; round++) {
      // Nothing of this needs old segments, so each snapshot removes them.
      await Promise.all(Array.from({ length: 1 + (round % 6) }, (_, n) => frontier.setDelay(`h${n}.com`, round)))
    }
    assert.equal((await frontier.counts()).hosts, 6)
  } finally {
    await frontier.close()
    removeFrontier(folder)
  }
})

test('ours: a folder and the folders around it are made when they are missing', async () => {
  const folder = temporaryFrontier()
  try {
    const frontier = await openLocal({ folder: `${folder}/deep/down` })
    await frontier.offer([LINK])
    await frontier.close()
    const again = await openLocal({ folder: `${folder}/deep/down` })
    assert.equal((await again.counts()).known, 1)
    await again.close()
  } finally {
    removeFrontier(folder)
  }
})

test('ours: two folders are two frontiers, and memory is a third', async () => {
  const [first, second] = [temporaryFrontier(), temporaryFrontier()]
  const frontiers = await Promise.all([openLocal({ folder: first }), openLocal({ folder: second }), openLocal()])
  try {
    for (const frontier of frontiers) assert.equal(await frontier.offer([LINK]), 1)
    await frontiers[0].clear()
    const counts = await Promise.all(frontiers.map(frontier => frontier.counts()))
    assert.deepEqual(
      counts.map(({ known }) => known),
      [0, 1, 1],
    )
  } finally {
    for (const frontier of frontiers) await frontier.close()
    for (const folder of [first, second]) removeFrontier(folder)
  }
})

test('ours: closing twice does no harm', async () => {
  const folder = temporaryFrontier()
  try {
    const frontier = await openLocal({ folder })
    await Promise.all([frontier.close(), frontier.close()])
    await frontier.close()
    const again = await openLocal({ folder })
    await frontier.close()
    await assert.rejects(openLocal({ folder }), { code: 'FRONTIER_LOCKED' })
    await again.close()
  } finally {
    removeFrontier(folder)
  }
})

test('ours: the same seed and the same calls give the same tickets', async () => {
  const order = async (seed: number) => {
    const frontier = await openTimed({ strategy: 'explore', exploreChance: 0.5, seed })
    const links = Array.from({ length: 200 }, (_, n) => ({ url: `http://h${n % 50}.com/${n}`, rank: 0, hops: 0 }))
    await frontier.offer(links)
    const urls: string[] = []
    for (let nowMs = 1; nowMs <= 100; nowMs++) {
      for (const { id, url } of (await frontier.take(1, nowMs)).tickets) {
        urls.push(url)
        await frontier.settle([{ ticketId: id, ...DONE }], nowMs)
      }
    }
    await frontier.close()
    return urls.join(' ')
  }
  assert.equal(await order(7), await order(7))
  assert.notEqual(await order(7), await order(8))
})
