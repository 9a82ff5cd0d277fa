// A crawl on a disk that does not keep up.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type WebUrl, webUrl } from '../../src/url/web.ts'
import { watchDisk } from '../frontier/disk-watch.ts'

const disk = await watchDisk()
const { CrawlSession } = await import('../../src/run/session.ts')

const HOSTS = 12
/** Of an archived page: ten of them are more than 64 MiB. */
const RECORD_BYTES = 7_000_000
/** Whoever is not asked after this is not going to be. */
const PATIENCE_MS = 2000

test('ours: when 64 MiB wait for the disk no new pages are asked for, and it goes on when they are safe', async t => {
  const body = `<title>large</title><!-- ${randomBytes(RECORD_BYTES).toString('base64')} -->`
  let asked = 0
  const server = createServer((request, response) => {
    const host = Number(/\d+/.exec(request.headers.host!)![0])
    if (request.url === '/robots.txt') response.end(`User-agent: *\nCrawl-delay: ${1 + host}`)
    else {
      asked++
      response.setHeader('content-type', 'text/html').end(body)
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const folder = mkdtempSync(join(tmpdir(), 'escalona-slow-disk-'))
  t.after(() => {
    disk.endHold()
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true })
  })
  const { port } = server.address() as AddressInfo
  const names = Array.from({ length: HOSTS }, (_, n) => `h${n}.test`)
  const own = {
    allowNetworks: ['127.0.0.0/8'],
    serverDelayMs: 0,
    perServer: 100,
    concurrency: HOSTS,
    timeoutMs: 60_000,
  }
  let nowMs = 1_700_000_000_000
  let robots = 0
  const session = await CrawlSession.open({
    folder,
    seeds: names.map(name => webUrl(`http://${name}:${port}/`) as WebUrl),
    add: false,
    retry: [],
    given: { ...own, workers: 1, hosts: new Map(names.map(name => [name, '127.0.0.1'])) },
    version: '1.0',
    clock: () => nowMs,
    onHappening: ({ kind }) => {
      if (kind === 'crawl-delay') robots++
    },
  })
  const ended = session.run()
  while (robots < HOSTS) await sleep(10)
  disk.hold(/warc/)
  // Each second one more host may be asked; the next second comes when all answers are in.
  for (let isHeldUp = false; !isHeldUp && asked < HOSTS; ) {
    const before = asked
    nowMs += 1000
    session.goOn()
    for (let ms = 0; ms < PATIENCE_MS && asked === before; ms += 10) await sleep(10)
    isHeldUp = asked === before
    while ((await session.progress()).openRequests > 0) await sleep(10)
  }
  assert.ok(asked >= 9 && asked <= 11, `${asked} of ${HOSTS} pages were asked for`)
  disk.endHold()
  nowMs += HOSTS * 1000
  session.goOn()
  assert.equal((await ended).because, 'nothing left')
  assert.equal(session.stats.pages, HOSTS)
})
