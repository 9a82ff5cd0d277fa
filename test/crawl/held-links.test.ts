import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { HeldLinks } from '../../src/decide/filtered-links.ts'
import { openLocal } from '../../src/frontier/local/open.ts'

function heldLink(n: number) {
  return { url: `http://a.com/${n}`, rank: 1, hops: 1, refused: 'scope' }
}

test('held links: no more links are held back than are wanted, and those of earlier runs count', async () => {
  const frontier = await openLocal()
  await frontier.offer([1, 2].map(heldLink))
  const held = new HeldLinks(frontier, 5, await frontier.counts())
  assert.deepEqual(
    [3, 4, 5, 6, 7].map(() => held.take()),
    [true, true, true, false, false],
  )
})

test('held links: a link that is found again and again takes the place of one', async () => {
  const frontier = await openLocal()
  const held = new HeldLinks(frontier, 5, await frontier.counts())
  for (let n = 0; n < 100; n++) {
    if (held.take()) await frontier.offer([heldLink(1)])
    await turn()
  }
  for (let n = 2; n <= 9; n++) {
    if (held.take()) await frontier.offer([heldLink(n)])
    for (let turns = 0; turns < 3; turns++) await turn()
  }
  assert.equal((await frontier.counts()).refusedFor.scope, 5)
})

test('held links: with --max-held 0 nothing is remembered', async () => {
  const frontier = await openLocal()
  assert.equal(new HeldLinks(frontier, 0, await frontier.counts()).take(), false)
})
