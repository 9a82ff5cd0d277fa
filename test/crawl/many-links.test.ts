// Changes that look at every link of a large crawl, on a frontier in a folder: the crawl goes on meanwhile.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { CrawlFrontier } from '../../src/frontier/frontier.ts'
import { openLocal } from '../../src/frontier/local/open.ts'
import { requeueRefused } from '../../src/run/opening/enqueue.ts'
import type { LinkRules } from '../../src/settings/link-rules.ts'

const LINKS = 30_000

async function withLinks(
  t: TestContext,
  refused?: string,
): Promise<{ frontier: CrawlFrontier; reopen(): Promise<CrawlFrontier> }> {
  const folder = mkdtempSync(join(tmpdir(), 'escalona-many-links-'))
  let frontier = await openLocal({ folder })
  t.after(async () => {
    await frontier.close()
    rmSync(folder, { recursive: true, force: true })
  })
  for (let from = 0; from < LINKS; from += 1000) {
    const numbers = Array.from({ length: 1000 }, (_, n) => from + n)
    const link = { rank: 1, hops: 1, ...(refused !== undefined && { refused }) }
    await frontier.offer(numbers.map(n => ({ ...link, url: `http://a.test/${n}` })))
  }
  const reopen = async () => {
    await frontier.close()
    frontier = await openLocal({ folder })
    return frontier
  }
  return { frontier, reopen }
}

/** How many turns the event loop had while this was done. */
async function turnsDuring(change: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await change()
  isDone = true
  return turns
}

test('steering: while all held links are looked at, the event loop has its turns', async t => {
  const { frontier } = await withLinks(t, 'scope')
  const rules = { refusal: () => 'scope' } as unknown as LinkRules
  const turns = await turnsDuring(async () => {
    assert.deepEqual(await requeueRefused(frontier, ['scope'], rules), {})
  })
  assert.ok(turns >= LINKS / 2000, `${turns} turns`)
})

test('steering: while a long queue is cleared the event loop has its turns, and what was cleared is so after a restart', async t => {
  const { frontier, reopen } = await withLinks(t)
  const urls = new Set<string>()
  const turns = await turnsDuring(() =>
    frontier.clear('a.test', links => {
      for (const { url } of links) urls.add(url)
    }),
  )
  assert.equal(urls.size, LINKS)
  assert.ok(turns >= LINKS / 2000, `${turns} turns`)
  const { waiting, refusedFor } = await (await reopen()).counts()
  assert.deepEqual([waiting, refusedFor], [0, { cleared: LINKS }])
})
