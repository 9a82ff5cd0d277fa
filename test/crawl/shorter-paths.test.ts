// A link that was held because of the page it was found on is followed when a better page leads to it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Link } from '../../src/frontier/frontier.ts'
import { openLocal } from '../../src/frontier/local/open.ts'
import { ShorterPaths } from '../../src/run/opening/shorter-paths.ts'

const URL = 'http://a.test/p'

function link(hops: number, refused?: string): Link {
  const plain = { url: URL, rank: 1, hops }
  return refused === undefined ? plain : { ...plain, refused }
}

test('held links: a link held for its depth waits once a page nearer to a seed leads to it, as near as that page says', async () => {
  const frontier = await openLocal({})
  const paths = new ShorterPaths(frontier, true)
  await frontier.offer([link(3, 'max-depth')])
  await paths.ahead([[link(1)]])
  const { tickets } = await frontier.take(1)
  const [ticket] = tickets
  assert.deepEqual([ticket?.url, ticket?.hops, (await paths.shortest(ticket!)).hops], [URL, 3, 1])
  await frontier.close()
})

test('held links: another machine that gets the ticket of such a link finds out how near it is', async () => {
  const frontier = await openLocal({})
  await frontier.offer([link(3, 'max-depth')])
  await new ShorterPaths(frontier, true, 2).ahead([[link(1)]])
  const { tickets } = await frontier.take(1)
  assert.deepEqual([tickets[0]?.hops, (await new ShorterPaths(frontier, true, 2).shortest(tickets[0]!)).hops], [3, 1])
  await frontier.close()
})

test('held links: a link held by the scope stays held, and nothing is asked when no link can be held for its path', async () => {
  const frontier = await openLocal({})
  await frontier.offer([link(3, 'scope'), { ...link(3, 'max-depth'), url: 'http://a.test/q' }])
  await new ShorterPaths(frontier, true).ahead([[link(1)]])
  await new ShorterPaths(frontier, false).ahead([[{ ...link(1), url: 'http://a.test/q' }]])
  const { waiting, refusedFor } = await frontier.counts()
  assert.deepEqual([waiting, refusedFor], [0, { scope: 1, 'max-depth': 1 }])
  await frontier.close()
})

test('held links: of two pages of one batch the nearer one decides', async () => {
  const frontier = await openLocal({})
  const pages = await new ShorterPaths(frontier, true).ahead([[link(2, 'max-depth')], [link(1)]])
  assert.deepEqual(pages, [[], [link(1)]])
  await frontier.close()
})
