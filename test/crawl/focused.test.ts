import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { PageLine } from '../../src/archive/pages-file.ts'
import type { LinkToRank } from '../../src/decide/link-rank.ts'
import { type CrawlOptions, crawl } from '../../src/library/crawl.ts'
import { PageScores } from '../../src/library/page-scores.ts'

const LEAVES = 4
const DEEP = '/1/2/3/4/5/6/7/8/9/10'

/** The home page leads to the hubs a and b, in that order, and each hub to pages of its own. */
async function withHubs(work: (options: CrawlOptions, home: string) => Promise<void>): Promise<void> {
  const hub = (name: string) => Array.from({ length: LEAVES }, (_, n) => `/${name}${n}`)
  const server = createServer(({ url = '' }, response) => {
    const links = url === '/' ? ['/a', '/b'] : url === '/deep' ? [DEEP] : url.length === 2 ? hub(url[1]!) : []
    response.setHeader('content-type', 'text/html')
    response.end(
      url === '/robots.txt'
        ? ''
        : links.map(to => `<a href="${to}">text of ${to}</a> <a href="${to}">twice</a>`).join(''),
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const home = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const folder = mkdtempSync(join(tmpdir(), 'escalona-focused-'))
  try {
    const own = { seeds: [home], folder, delayMs: 0, workers: 1, allowNetworks: ['127.0.0.0/8'] }
    await work(own, home)
  } finally {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function order(options: CrawlOptions, home: string): Promise<string> {
  const urls: string[] = []
  for await (const { url } of crawl(options)) urls.push(url.replace(home, '/'))
  return urls.join(' ')
}

const FOUND = '/ /a /b /a0 /a1 /a2 /a3 /b0 /b1 /b2 /b3'
const FOCUSED = '/ /a /b /b0 /b1 /b2 /b3 /a0 /a1 /a2 /a3'

test('library: the links of a page inherit the score that onPage returns, also one that comes late', async () => {
  await withHubs(async (options, home) => {
    const onPage: CrawlOptions['onPage'] = async ({ url }) => {
      await new Promise(resolve => setTimeout(resolve, 5))
      return { score: url.endsWith('/b') ? 1 : 0.5 }
    }
    assert.equal(await order({ ...options, onPage }, home), FOCUSED)
  })
})

test('library: without scores the order is that of discovery, and a program may leave in the middle', async () => {
  await withHubs(async (options, home) => {
    for await (const _ of crawl({ ...options, onPage: ({ url }) => void url })) break
    assert.equal(await order({ ...options, onPage: () => {} }, home), FOUND)
  })
})

test('library: rankLink gets the text of each link, and the score of its page', async () => {
  await withHubs(async (options, home) => {
    const seen = new Map<string, LinkToRank>()
    const rankLink: CrawlOptions['rankLink'] = link => {
      seen.set(link.url.replace(home, '/'), link)
      return /of .b\d/.test(link.text) ? 1 : 0
    }
    const onPage: CrawlOptions['onPage'] = ({ hops }) => ({ score: hops / 10 })
    assert.equal(await order({ ...options, rankLink, onPage }, home), FOCUSED)
    const { url, ...b1 } = seen.get('/b1')!
    assert.deepEqual(b1, { text: 'text of /b1', hops: 2, from: `${home}b`, score: 0.1 })
  })
})

test('library: explain does not speak of levels where rankLink left a link to the depth of its path', async () => {
  await withHubs(async (options, home) => {
    const run = crawl({ ...options, seeds: [`${home}deep`], limit: 1, rankLink: () => undefined })
    await run.run()
    assert.deepEqual((await run.explain(home.slice(0, -1) + DEEP)).rank, { value: 11, by: 'depth' })
  })
})

test('library: a score or a rank that is none ends the crawl', async () => {
  await withHubs(async options => {
    await assert.rejects(crawl({ ...options, onPage: () => ({ score: 2 }) }).run(), { code: 'CRAWL_BAD_SCORE' })
    await assert.rejects(crawl({ ...options, rankLink: () => -1 }).run(), { code: 'CRAWL_BAD_RANK' })
  })
})

const page = (offset: number) => ({ file: 'f', offset }) as PageLine

test('library: pages wait for their scores until the first page got none, and again from the first score on', async () => {
  const scores = new PageScores()
  assert.ok(scores.areWanted)
  const first = [scores.of(page(1)), scores.of(page(2))]
  scores.tell(page(1), undefined)
  assert.deepEqual(await Promise.all(first), [undefined, undefined])
  assert.ok(!scores.areWanted)
  scores.tell(page(3), { score: 0.5 })
  assert.ok(scores.areWanted)
  const second = [scores.of(page(4)), scores.of(page(5))]
  scores.tell(page(4), { score: 0.25 })
  assert.equal(await second[0], 0.25)
  scores.end()
  assert.equal(await second[1], undefined)
  assert.ok(!scores.areWanted)
})

test('library: a page that is handed out before it waits for its score gets it all the same', async () => {
  const scores = new PageScores()
  scores.tell(page(1), { score: 0.5 })
  scores.tell(page(2), undefined)
  assert.equal(await settledOr(scores.of(page(1))), 0.5)
  assert.equal(await settledOr(scores.of(page(2))), undefined)
})

test('library: no page waits for a score after the end, nor after a release until the program returns', async () => {
  const scores = new PageScores()
  scores.release()
  assert.ok(!scores.areWanted)
  assert.equal(await settledOr(scores.of(page(1))), undefined)
  scores.tell(page(2), { score: 0.5 })
  assert.ok(scores.areWanted)
  scores.end()
  assert.equal(await settledOr(scores.of(page(3))), undefined)
})

function settledOr(score: Promise<number | undefined>): Promise<unknown> {
  return Promise.race([score, new Promise(resolve => setImmediate(resolve, 'waits'))])
}
