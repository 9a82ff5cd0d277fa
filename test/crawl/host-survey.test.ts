import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { diskUse } from '../../src/folder/stats/disk-use.ts'
import { Survey } from '../../src/folder/stats/host-survey.ts'
import { temporaryFolder } from '../cli/run-cli.ts'

test('ours: a survey adds up hosts by domain, and finds delays, queues and hosts that are down', () => {
  const survey = new Survey()
  for (let n = 0; n < 500; n++) {
    const isDown = n === 7
    survey.add({ host: `h${n}.d${n % 50}.com.br`, pages: n % 5, waiting: n, delayMs: n === 9 ? 30_000 : 0, isDown })
  }
  const { hosts, domains, pagesByHost, pagesByDomain, waitingByHost, crawlDelays, down } = survey.result()
  assert.deepEqual([hosts, domains, down], [400, 40, 1])
  assert.equal(pagesByDomain.others.names, 0)
  const sum = (rows: readonly { count: number }[]) => rows.reduce((all, { count }) => all + count, 0)
  assert.equal(sum(pagesByDomain.top), sum(pagesByHost.top) + pagesByHost.others.count)
  assert.deepEqual(waitingByHost.top[0], { name: 'h499.d49.com.br', count: 499 })
  assert.deepEqual(crawlDelays, { top: [{ name: 'h9.d9.com.br', count: 30_000 }], others: { names: 0, count: 0 } })
})

test('ours: disk use is counted by kind; of what is not there, as nothing', async t => {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'archive', 'deep'), { recursive: true })
  writeFileSync(join(folder, 'archive', 'a.warc.gz'), 'x'.repeat(1000))
  writeFileSync(join(folder, 'archive', 'deep', 'b.warc.gz'), 'x'.repeat(100))
  writeFileSync(join(folder, 'pages.jsonl'), 'x'.repeat(10))
  writeFileSync(join(folder, 'failures.jsonl'), 'x'.repeat(5))
  writeFileSync(join(folder, 'stats.json'), 'x')
  assert.deepEqual(await diskUse(folder), { archive: 1100, index: 0, frontier: 0, lists: 15, other: 1 })
  assert.deepEqual(await diskUse(join(folder, 'none')), { archive: 0, index: 0, frontier: 0, lists: 0, other: 0 })
})
