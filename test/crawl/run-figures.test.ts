import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Stats } from '../../src/folder/stats/stats.ts'
import type { FrontierCounts, Outlook } from '../../src/frontier/frontier.ts'
import { openLocal } from '../../src/frontier/local/open.ts'
import type { CrawlFolder } from '../../src/run/opening/crawl-folder.ts'
import { RunFigures } from '../../src/run/run-figures.ts'

test('report: of a shared crawl it has the counts of its own survey, not older ones that progress shows meanwhile', async () => {
  const frontier = await openLocal({})
  const before = await frontier.counts()
  let now: FrontierCounts = before
  let answer: (outlook: Outlook) => void = () => {}
  const shown = {
    counts: async () => now,
    outlook: () => new Promise<Outlook>(resolve => (answer = resolve)),
    hosts: async () => ({ items: [], next: undefined }),
  }
  const shared = { place: { where: 'redis://127.0.0.1:6379/web' }, machinesSeen: 2, machines: 2 }
  const folder = { frontier: { ...shown, backlog: async () => [] }, shared } as never as CrawlFolder
  const figures = new RunFigures(folder, new Stats(0), before, () => 0)
  await figures.progress(0, 0)

  now = { ...before, pages: 278 }
  const survey = figures.survey()
  for (let turn = 0; turn < 5; turn++) await figures.progress(0, 0)
  answer(await frontier.outlook())
  assert.equal((await survey).frontier.pages, 278)
  await frontier.close()
})
