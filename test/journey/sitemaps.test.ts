import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readWarc } from '../../src/archive/read.ts'
import { readSitemapsFile, writeSitemapsFile } from '../../src/folder/sitemaps-file.ts'
import { type CrawlOptions, crawl } from '../../src/library/crawl.ts'
import type { CrawlEvent } from '../../src/settings/events.ts'
import { CrawlView, openCrawl } from '../../src/view/crawl-view.ts'
import { historyLines } from '../../src/view/history-lines.ts'
import { ONLY_IN_SOAK } from '../model/random-source.ts'
import { pageWith, type Reply, robotsTxt, type SmallHost, type SmallWeb, smallWeb } from './small-web.ts'

/** A host with these answers; every other path below `/p/` is a page. */
function host(name: string, address: string, answers: Readonly<Record<string, Reply>>): SmallHost {
  return {
    name,
    address,
    answer: path => answers[path] ?? (path === '/' || path.startsWith('/p/') ? pageWith(path, []) : undefined),
  }
}

function xml(body: string): Reply {
  return { headers: { 'Content-Type': 'application/xml' }, body }
}

function urls(...locations: readonly string[]): Reply {
  return xml(`<urlset>${locations.map(loc => `<url><loc>${loc}</loc></url>`).join('')}</urlset>`)
}

function index(...locations: readonly string[]): Reply {
  return xml(`<sitemapindex>${locations.map(loc => `<sitemap><loc>${loc}</loc></sitemap>`).join('')}</sitemapindex>`)
}

function named(...locations: readonly string[]): Reply {
  return robotsTxt(`User-agent: *\nDisallow: /no/\n${locations.map(loc => `Sitemap: ${loc}\n`).join('')}`)
}

/** Collects a small web; what came of it. */
async function collect(t: TestContext, hosts: readonly SmallHost[], options: (web: SmallWeb) => CrawlOptions) {
  const web = await smallWeb(t, hosts)
  const events: CrawlEvent[] = []
  const collecting = crawl({
    folder: web.folder,
    delayMs: 1,
    retries: 0,
    workers: 1,
    allowNetworks: ['127.0.0.0/8'],
    hosts: new Map(hosts.map(({ name, address }) => [name, address])),
    onEvent: event => void events.push(event),
    ...options(web),
  })
  const pages: string[] = []
  for await (const { url } of collecting) pages.push(url.replace(`:${web.port}`, '').replace('http://', ''))
  const asked = web.log.map(({ host, path }) => `${host}${path}`)
  const sitemaps = events.flatMap(event => (event.kind === 'sitemap' ? [event] : []))
  return { web, collecting, pages: pages.sort(), asked, sitemaps, stats: collecting.stats!.toJSON() }
}

const A = 'http://a.test:{{port}}'
const B = 'http://b.test:{{port}}'

test('sitemaps: with --scope host, the sitemaps of robots.txt lead to pages that nothing links to', async t => {
  const { pages, asked, stats, web, sitemaps } = await collect(
    t,
    [
      host('a.test', '127.0.0.1', {
        '/robots.txt': named(`${A}/index.xml`, `${A}/no/forbidden.xml`, `${A}/missing.xml`, '/feed'),
        '/index.xml': index(`${A}/moved.xml`, `${A}/list.txt`, `${A}/index.xml`, `${B}/other.xml`),
        '/moved.xml': { status: 302, headers: { Location: '/urls.xml' } },
        '/urls.xml': urls(`${A}/p/1`, `${A}/p/2`, `${A}/no/page`, `${B}/p/1`, 'ftp://a.test/'),
        '/list.txt': { headers: { 'Content-Type': 'text/plain' }, body: `${A}/p/3\n${A}/p/1\n` },
        '/feed': xml(`<rss><channel><item><link>${A}/p/4</link></item></channel></rss>`),
      }),
      host('b.test', '127.0.0.2', {}),
    ],
    ({ url }) => ({ seeds: [url('a.test')], scope: 'host' }),
  )
  assert.deepEqual(pages, ['a.test/', 'a.test/p/1', 'a.test/p/2', 'a.test/p/3', 'a.test/p/4'])
  assert.ok(asked.every(place => place.startsWith('a.test/') && !place.startsWith('a.test/no/')))
  assert.equal(new Set(asked).size, asked.length, 'nothing is asked for twice')
  assert.deepEqual(stats.sitemaps, { sitemapindex: 1, urlset: 1, text: 1, rss: 1, robots: 1, 'status-404': 1 })
  assert.equal(stats.sitemapEntries, 4 + 5 + 2 + 1)
  assert.equal(stats.refusedLinks['sitemap-host'], 2)
  assert.equal(stats.refusedLinks.protocol, 1)
  assert.deepEqual(sitemaps.find(({ why }) => why === 'robots')?.url, web.url('a.test', '/no/forbidden.xml'))
  const crawled = await openCrawl(web.folder)
  t.after(() => crawled.close())
  const story = await crawled.explain(web.url('a.test', '/p/3'))
  assert.equal(story.from, web.url('a.test', '/list.txt'))
})

test('sitemaps: a sitemap may name the pages of a host whose robots.txt names it, and of no other', async t => {
  const { pages, stats, asked } = await collect(
    t,
    [
      host('a.test', '127.0.0.1', { '/robots.txt': named(`${B}/both.xml`) }),
      host('b.test', '127.0.0.2', {
        '/robots.txt': robotsTxt('User-agent: *\nDisallow: /p/secret\n'),
        '/both.xml': urls(`${A}/p/1`, `${B}/p/2`, `${B}/p/secret`, 'http://c.test:{{port}}/p/3'),
      }),
      host('c.test', '127.0.0.3', {}),
    ],
    ({ url }) => ({ seeds: [url('a.test')], sitemaps: 'yes' }),
  )
  assert.deepEqual(pages, ['a.test/', 'a.test/p/1', 'b.test/p/2'])
  assert.equal(stats.refusedLinks['sitemap-host'], 1)
  assert.ok(
    asked.indexOf('b.test/robots.txt') < asked.indexOf('b.test/both.xml'),
    'its host is asked for its rules first',
  )
})

test('sitemaps: without --scope, and with --no-sitemaps, no sitemap is asked for; a seed may be one', async t => {
  const site = host('a.test', '127.0.0.1', { '/robots.txt': named(`${A}/urls.xml`), '/urls.xml': urls(`${A}/p/1`) })
  const any = await collect(t, [site], ({ url }) => ({ seeds: [url('a.test')] }))
  assert.deepEqual(any.pages, ['a.test/'])
  const off = await collect(t, [site], ({ url }) => ({ seeds: [url('a.test')], scope: 'host', sitemaps: 'no' }))
  assert.deepEqual(off.pages, ['a.test/'])
  const seed = await collect(t, [site], ({ url }) => ({ seeds: [`sitemap:${url('a.test', '/urls.xml')}`] }))
  assert.deepEqual(seed.pages, ['a.test/p/1'])
  const { stats, web, collecting } = seed
  assert.deepEqual(stats.sitemaps, { urlset: 1 })
  assert.deepEqual(stats.hops, [0, 1])
  assert.equal(collecting.end?.because, 'nothing left')
  const [file] = readdirSync(join(web.folder, 'archive'))
  const records = [...readWarc(join(web.folder, 'archive', file!))]
  const record = records.find(one => one.fields.get('warc-target-uri') === web.url('a.test', '/urls.xml'))
  assert.match(Buffer.from(record!.block).toString(), /<urlset>/)
})

test('sitemaps: a sitemap that was given as a seed and cannot be read is counted and explained', async t => {
  const { web } = await collect(t, [host('a.test', '127.0.0.1', {})], ({ url }) => ({
    seeds: [`sitemap:${url('a.test', '/none.xml')}`],
  }))
  const look = new CrawlView(web.folder)
  const { sitemaps } = await look.status()
  assert.deepEqual(sitemaps, { read: 0, notRead: 1, reasons: [{ reason: 'status-404', count: 1 }] })
  const said = async (path: string) => historyLines(await look.explain(web.url('a.test', path))).map(({ text }) => text)
  const about = await said('/none.xml')
  assert.ok(
    about.includes('it is a seed') && about.some(text => /as a sitemap, a robots\.txt/.test(text)),
    about.join('\n'),
  )
  assert.ok((await said('/other')).some(text => /no page has linked to it/.test(text)))
  await look.close()
})

test('sitemaps: an index that names itself, and indexes in indexes, end', async t => {
  const { pages, stats, asked, collecting } = await collect(
    t,
    [
      host('a.test', '127.0.0.1', {
        '/robots.txt': named(`${A}/0.xml`),
        '/0.xml': index(`${A}/0.xml`, `${A}/1.xml`),
        '/1.xml': index(`${A}/0.xml`, `${A}/2.xml`),
        '/2.xml': index(`${A}/3.xml`, `${A}/deep.xml`),
        '/3.xml': index(`${A}/4.xml`),
        '/4.xml': urls(`${A}/p/4`),
        '/deep.xml': urls(`${A}/p/3`),
      }),
    ],
    ({ url }) => ({ seeds: [url('a.test')], scope: 'host' }),
  )
  assert.equal(collecting.end?.because, 'nothing left')
  assert.deepEqual(pages, ['a.test/', 'a.test/p/3'])
  assert.equal(stats.refusedLinks['sitemap-depth'], 1)
  assert.equal(asked.length, 8)
  assert.equal(new Set(asked).size, asked.length)
})

test('sitemaps: a host is asked for 1,000 sitemaps, however many its index names', ONLY_IN_SOAK, async t => {
  const many = Array.from({ length: 60_000 }, (_, n) => `${A}/many/${n}.xml`)
  const { pages, stats, asked, collecting } = await collect(
    t,
    [host('a.test', '127.0.0.1', { '/robots.txt': named(`${A}/many.xml`), '/many.xml': index(...many) })],
    ({ url }) => ({ seeds: [url('a.test')], scope: 'host', delayMs: 0, serverDelayMs: 0 }),
  )
  assert.equal(collecting.end?.because, 'nothing left')
  assert.deepEqual(pages, ['a.test/'])
  assert.equal(asked.filter(place => place.startsWith('a.test/many/')).length, 999)
  assert.equal(stats.refusedLinks['sitemap-files'], 50_000 - 999)
})

test('sitemaps: pages are offered while their sitemap is still being read', async t => {
  const lines = Array.from({ length: 3000 }, (_, n) => `${A}/p/${n}\n`)
  let asked = () => {}
  const isAsked = new Promise<void>(resolve => (asked = resolve))
  const { sitemaps } = await collect(
    t,
    [
      {
        name: 'a.test',
        address: '127.0.0.1',
        answer: path => {
          if (path === '/robots.txt') return named(`${B}/list.txt`)
          if (path.startsWith('/p/')) asked()
          return pageWith(path, [])
        },
      },
      {
        name: 'b.test',
        address: '127.0.0.2',
        // It ends when one of its pages was asked for.
        answer: path => (path === '/list.txt' ? { pieces: [lines.join(''), isAsked, `${A}/p/last\n`] } : undefined),
      },
    ],
    ({ url }) => ({ seeds: [url('a.test')], sitemaps: 'yes', include: ['*/', '*/p/7', '*/p/last'] }),
  )
  assert.deepEqual(
    sitemaps.map(({ form, entries }) => [form, entries]),
    [['text', 3001]],
  )
})

test('sitemaps: a lastmod after the last visit makes a page due; one before, and one in the future, do not', async t => {
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString()
  let round = 1
  const dated = (path: string, date: string) => `<url><loc>${A}${path}</loc><lastmod>${date}</lastmod></url>`
  const site: SmallHost = {
    name: 'a.test',
    address: '127.0.0.1',
    answer: path => {
      if (path === '/robots.txt') return named(`${A}/urls.xml`)
      const dates = [dated('/p/old', day(-9)), dated('/p/new', day(round === 1 ? -9 : 0)), dated('/p/future', day(9))]
      if (path === '/urls.xml') return xml(`<urlset>${dates.join('')}</urlset>`)
      return `${pageWith(path, [])}round ${round}`
    },
  }
  const options = { scope: 'host', recrawl: 'due', recrawlFirstMs: 86_400_000 } as const
  const { web } = await collect(t, [site], ({ url }) => ({ seeds: [url('a.test')], ...options }))
  round = 2
  const before = web.log.length
  await crawl({ folder: web.folder }).run()
  assert.equal(web.log.length, before, 'nothing is due, and the sitemaps were read today')
  for (const [recrawlMinMs, visited] of [
    [3_600_000, []],
    [1, ['/p/new']],
  ] as const) {
    const kept = readSitemapsFile(web.folder)
    for (const [origin, readAtMs] of kept.readAtMs) kept.readAtMs.set(origin, readAtMs - 86_400_000)
    writeSitemapsFile(web.folder, kept)
    const before = web.log.length
    await crawl({ folder: web.folder, recrawlMinMs }).run()
    const asked = web.log.slice(before).map(({ path }) => path)
    assert.ok(asked.includes('/urls.xml'), String(asked))
    assert.deepEqual(
      asked.filter(path => path.startsWith('/p/')),
      visited,
      'a hint makes no page due before the shortest interval',
    )
  }
  assert.deepEqual(readSitemapsFile(web.folder).hints, new Map([[`a.test:${web.port}`, { isTrue: 1, isUntrue: 0 }]]))
})
