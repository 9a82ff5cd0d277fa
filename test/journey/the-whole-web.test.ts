// One crawl of everything that the synthetic web has; what lies in the folder and in the server's log is compared with what
// is known about the web, as sets.
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { seeds } from '../model/random-source.ts'
import { expected, forbids, pageAt } from '../web/synthetic-web.ts'
import { archivedUrls, pagesIn, reportOf } from './collected.ts'
import { crawl, differences, journey, requestedUrls, twice, urlsOf } from './crawl.ts'
import { crawlDelaysOf, politeness } from './politeness.ts'

const DELAY_MS = 30
const NONE = { missing: [], extra: [] }

test('rule 5.1: a crawl archives exactly the reachable, allowed HTML pages, once each', async t => {
  const [seed = 1] = seeds(t, 0, 1)
  const trip = await journey(t, { seed, hosts: 60 })
  const { web, server, folder } = trip
  const wanted = expected(web)
  const ending = await crawl(trip, '-n', '100000', '--delay', `${DELAY_MS}ms`, '--timeout', '1s', '--retries', '1')
  const { pages, refused, refusedLinks, failed, frontier } = reportOf(folder)
  t.diagnostic(`seed ${seed}: ${pages} pages, ${server.log.length} requests in ${ending.tookMs.toFixed(0)} ms`)
  assert.deepEqual([ending.code, ending.stdout], [0, ''], ending.stderr)

  await t.test(
    'rule 5.11: WARC files, pages.jsonl and index hold the same pages: those that are expected',
    async () => {
      const archived = await archivedUrls(folder)
      assert.deepEqual(differences(archived, urlsOf(wanted.archived, trip)), NONE)
      assert.deepEqual(twice(archived), [])
      assert.equal(pages, wanted.archived.size)
    },
  )

  await t.test('rule 5.4: what robots.txt forbids was never asked for, nor anything that nobody links to', () => {
    const asked = requestedUrls(trip)
    assert.deepEqual(differences(asked, urlsOf(wanted.requested, trip)), NONE)
    const isForbidden = ({ host, path }: { host: string; path: string }) => {
      const site = web.sites.find(one => one.name === host)
      return site === undefined || (pageAt(web, host + path)?.kind !== 'robots.txt' && forbids(site, host + path))
    }
    assert.deepEqual(server.log.filter(isForbidden), [])
    assert.deepEqual(
      server.log.filter(request => !request.isKnown),
      [],
    )
  })

  await t.test('rule 5.3: a URL is asked for once, but for what failed', () => {
    const mayComeAgain = new Set(
      [...wanted.requested].filter(place => ['later', 'failure'].includes(pageAt(web, place)!.kind)),
    )
    const again = new Set(twice(requestedUrls(trip)))
    assert.deepEqual(again, new Set(urlsOf(mayComeAgain, trip)))
  })

  await t.test(
    'rules 5.4 and 5.5: no host was asked twice at once or within its delay, and no server beyond its limits',
    () => {
      const manners = { delayMs: DELAY_MS, crawlDelaysMs: crawlDelaysOf(web) }
      const { complaints, pairs, shortestMs, mostAtServer, aheadMs } = politeness(server.log, manners)
      t.diagnostic(
        `${pairs} pairs of requests, the closest ${shortestMs.toFixed(1)} ms apart; at most ${mostAtServer} at a server, ` +
          `${aheadMs.toFixed(1)} ms ahead of its gaps`,
      )
      assert.ok(pairs > 500)
      assert.deepEqual(complaints, [])
    },
  )

  await t.test('rule 5.11: every page has its title, its hops and its links', () => {
    for (const page of pagesIn(folder)) {
      const known = pageAt(web, page.url.replace('http://', '').replace(`:${server.port}`, ''))!
      if (known.title !== undefined) assert.equal(page.title, known.title, page.url)
      const isSeed = web.seeds.some(place => page.url === urlsOf([place], trip)[0])
      assert.equal(page.hops === 0, isSeed, page.url)
      if (known.kind === 'page') assert.equal(page.linksOut, new Set(known.leadsTo).size, page.url)
    }
  })

  await t.test('rule 5.8: what was refused or failed is counted by its name', () => {
    const counts = wanted.refused
    for (const name of ['protocol', 'malformed', 'nofollow', 'too-long', 'too-many-segments', 'repeated-segment']) {
      assert.equal(refusedLinks[name], counts[name], name)
    }
    assert.equal(refusedLinks['too-many-redirects'], counts['too-many-redirects'])
    assert.equal(refused.address, counts.address)
    // Each once, when its turn comes. Only a robots.txt that was read refuses; the others keep their links waiting.
    const shut = [...wanted.forbidden].filter(isShut)
    assert.deepEqual([refused.robots, refusedLinks.robots], [wanted.forbidden.size - shut.length, undefined])
    assert.deepEqual([frontier.down, frontier.waiting, frontier.leased], [shut.length, shut.length, 0])
    assert.equal(failed.dns, counts.dns)
    const typed = [...wanted.requested].filter(place => ['type', 'unwanted'].includes(pageAt(web, place)!.kind))
    assert.equal(refused.type, typed.length + 1, 'and an answer without content')
    for (const status of [401, 403, 404, 410]) assert.equal(refused[`status-${status}`], 1, String(status))
    assert.deepEqual([failed['status-500'], failed.reset, failed.length], [1, 1, 1])
    assert.deepEqual([failed['robots-status-500'], failed['robots-status-503'], failed['robots-timeout']], [1, 1, 1])
    assert.ok(refused.noindex! + refused.noarchive! >= 4)

    function isShut(place: string): boolean {
      return (
        web.sites.find(site => place.startsWith(`${site.name}/`))!.robots.forbidden === 'everything' &&
        !isDisallowed(place)
      )
    }
    function isDisallowed(place: string): boolean {
      return web.sites.find(site => place.startsWith(`${site.name}/`))!.kind === 'robots: everything'
    }
  })

  await t.test('rule 5.1: the body of a refused type is not downloaded', () => {
    const film = server.log.find(request => request.path === '/files/film')!
    assert.ok(film.sentBytes < 16 << 20, `${film.sentBytes} bytes`)
  })

  await t.test('rule 5.16: every request names the crawler and a contact', () => {
    for (const { agent } of server.log) assert.match(agent ?? '', /^escalona\/\d\S* \(\+https?:\/\/\S+\)$/)
  })

  await t.test('rule 5.11: the folder is as it should be', () => {
    for (const name of ['archive', 'frontier', 'index.cdxj', 'pages.jsonl', 'report.html', 'report.json']) {
      assert.ok(existsSync(join(folder, name)), name)
    }
    for (const name of readdirSync(join(folder, 'archive'))) assert.match(name, /\.warc\.gz$/)
  })

  await t.test(
    'rule 5.3: the same command again asks nobody but those that did not answer, for their robots.txt',
    async () => {
      const before = server.log.length
      const kinds = ['robots: error', 'robots: unavailable', 'robots: silent', 'robots: reset']
      const silent = web.sites.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => `${name}/robots.txt`)
      const again = await crawl(trip, '-n', '100000', '--delay', `${DELAY_MS}ms`, '--timeout', '1s', '--retries', '1')
      assert.equal(again.code, 0, again.stderr)
      const asked = server.log.slice(before).map(({ host, path }) => host + path)
      assert.deepEqual(asked.sort(), silent.sort())
      assert.deepEqual(differences(await archivedUrls(folder), urlsOf(wanted.archived, trip)), NONE)
    },
  )
})
