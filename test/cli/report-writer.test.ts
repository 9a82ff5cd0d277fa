import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { unixClock } from '../../src/base/clock.ts'
import { ReportWriter } from '../../src/cli/crawl/report-writer.ts'
import { CrawlSession } from '../../src/run/session.ts'
import { webUrl } from '../../src/url/web.ts'
import { plainHost, smallWeb } from '../journey/small-web.ts'

test('report: the report is written soon after the first page of a crawl, and once more at its end', async t => {
  const web = await smallWeb(t, [plainHost('a.test', '127.0.0.1', 15)])
  const seed = webUrl(web.url('a.test'))
  assert.ok(typeof seed !== 'string')
  const session = await CrawlSession.open({
    folder: web.folder,
    seeds: [seed],
    add: false,
    retry: [],
    given: { hosts: new Map([['a.test', '127.0.0.1']]), allowNetworks: ['127.0.0.0/8'], workers: 1, delayMs: 50 },
    version: '1',
    clock: unixClock,
  })
  const troubles: string[] = []
  const reports = new ReportWriter(session, web.folder, message => troubles.push(message), 100)
  const path = join(web.folder, 'report.json')
  let endedWhileRunning: unknown
  await wait(250)
  assert.ok(!existsSync(path), 'a report without a page')
  const running = session.run()
  for (let n = 0; n < 200 && endedWhileRunning === undefined; n++) {
    await wait(10)
    if (existsSync(path)) endedWhileRunning = JSON.parse(readFileSync(path, 'utf8')).endedBecause ?? 'still running'
  }
  const end = await running
  rmSync(path, { force: true })
  await reports.finish(end)
  assert.equal(endedWhileRunning, 'still running')
  assert.match(readFileSync(path, 'utf8'), /nothing left/)
  assert.match(readFileSync(join(web.folder, 'report.html'), 'utf8'), /<title>/)
  assert.deepEqual(troubles, [])
})
