// What the real web does to a collector, a row of docs/faults.md each: shared addresses, rotating addresses, black holes,
// hosts that die. The figures are printed; the bounds are wide, since the machine does other things too.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dnsServer } from '../web/dns-server.ts'
import { archivedUrls, reportOf } from './collected.ts'
import { crawl, IS_SOAK, running } from './crawl.ts'
import { politeness } from './politeness.ts'
import { pageWith, plainHost, type Reply, robotsTxt, type SmallHost, smallWeb, urlsOfPlain } from './small-web.ts'

const PATIENT_SECONDS = 600
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

test('real web: one Crawl-delay and one Retry-After of 600 s hold up none of the other names at their address', async t => {
  const names = IS_SOAK ? 100 : 10
  const delayMs = 50
  const address = '127.41.0.1'
  const wishes: Readonly<Record<string, (path: string) => Reply | undefined>> = {
    'n0.shared.test': path =>
      path === '/robots.txt' ? robotsTxt(`User-agent: *\nCrawl-delay: ${PATIENT_SECONDS}\n`) : pageWith('patient', []),
    'n1.shared.test': path =>
      path === '/robots.txt' ? undefined : { status: 503, headers: { 'Retry-After': String(PATIENT_SECONDS) } },
  }
  const hosts = Array.from({ length: names }, (_, n): SmallHost => {
    const name = `n${n}.shared.test`
    const own = wishes[name]
    return own === undefined ? plainHost(name, address, 10) : { name, address, answer: own }
  })
  const web = await smallWeb(t, hosts)
  const others = hosts.filter(({ name }) => wishes[name] === undefined)
  const wanted = others.flatMap(({ name }) => urlsOfPlain(web, name, 10)).sort()
  const around = { longestMs: 120_000 }
  const ending = await running(t, [...web.args, '-n', String(wanted.length), '--delay', `${delayMs}ms`], around).ending
  assert.equal(ending.code, 0, ending.stderr)
  assert.deepEqual(await archivedUrls(web.folder), wanted)
  const crawlDelaysMs = new Map([['n0.shared.test', PATIENT_SECONDS * 1000]])
  const { complaints, pairs, shortestMs, ...servers } = politeness(web.log, { delayMs, crawlDelaysMs })
  t.diagnostic(
    `${wanted.length} pages of ${others.length} hosts at one address in ${seconds(ending.tookMs)} (was: 1 page in 60 s); ` +
      `${pairs} pairs, the closest ${shortestMs.toFixed(1)} ms apart; at most ${servers.mostAtServer} at once, ` +
      `${servers.aheadMs.toFixed(1)} ms ahead of the gaps`,
  )
  assert.deepEqual(complaints, [])
  assert.ok(ending.tookMs < (IS_SOAK ? 90_000 : 20_000), seconds(ending.tookMs))
  for (const [name] of Object.entries(wishes)) {
    assert.ok(web.log.filter(({ host }) => host === name).length <= 2, `${name} was asked again`)
  }
})

test('real web: hosts on rotating addresses, two in turn, stay where they are and are all asked', async t => {
  const [hosts, addresses] = IS_SOAK ? [400, 40] : [120, 12]
  const address = (n: number) => `127.42.0.${(n % addresses) + 1}`
  const both = (n: number) => [address(n), address(n * 7 + 3)]
  // Other answers come first at every question, in this run and in the next one.
  let turn = 0
  const dns = await dnsServer(t, name => {
    const ips = both(Number(/\d+/.exec(name)))
    return turn++ % 2 === 0 ? ips : ips.toReversed()
  })
  const made = Array.from({ length: hosts }, (_, n) => plainHost(`r${n}.turn.test`, address(n), 2))
  const every = Array.from({ length: addresses }, (_, n) => address(n))
  const web = await smallWeb(t, made, { dns: dns.address, addresses: every })
  const first = await crawl(web, '-n', String(hosts), '--delay', '40ms')
  assert.equal(first.code, 0, first.stderr)
  turn = 1
  const second = await crawl(web, '--delay', '40ms', '-n', 'none')
  assert.equal(second.code, 0, second.stderr)
  const wanted = made.flatMap(({ name }) => urlsOfPlain(web, name, 2)).sort()
  assert.deepEqual(await archivedUrls(web.folder), wanted)
  const placesOf = new Map<string, Set<string>>()
  for (const { host, address } of web.log) {
    const places = placesOf.get(host) ?? new Set<string>()
    placesOf.set(host, places.add(address))
  }
  t.diagnostic(
    `${placesOf.size} of ${hosts} hosts were asked, at ${new Set(web.log.map(one => one.address)).size} addresses, ` +
      `${wanted.length} pages in ${seconds(first.tookMs + second.tookMs)} and two runs (was: 1 of 400 hosts after the second look-up)`,
  )
  assert.deepEqual(
    [...placesOf.values()].filter(places => places.size > 1).length,
    0,
    'a host was asked at two addresses',
  )
  assert.equal(placesOf.size, hosts)
  assert.deepEqual(politeness(web.log, { delayMs: 40 }).complaints, [])
})

describe('real web: hosts that do not answer', { concurrency: 3 }, () => {
  test('real web: 100 black holes beside 100 pages of a healthy host do not hold it up', async t => {
    const holes = Array.from({ length: 100 }, (_, n): SmallHost => {
      return { name: `hole${n}.test`, address: `127.43.0.${n + 1}`, answer: () => 'hang' }
    })
    const links = [
      ...holes.map(({ name }) => `http://${name}:{{port}}/`),
      ...Array.from({ length: 100 }, (_, n) => `/${n}`),
    ]
    const healthy: SmallHost = {
      name: 'healthy.test',
      address: '127.43.1.1',
      answer: path => (path === '/' ? pageWith('hub', links) : path === '/robots.txt' ? undefined : pageWith(path, [])),
    }
    const web = await smallWeb(t, [healthy, ...holes], { seeds: ['healthy.test/'] })
    const ending = await crawl(web, '-n', '100', '--delay', '40ms')
    assert.equal(ending.code, 0, ending.stderr)
    assert.equal((await archivedUrls(web.folder)).length, 100)
    const asked = new Set(web.log.filter(({ host }) => host.startsWith('hole')).map(({ host }) => host)).size
    t.diagnostic(
      `100 pages in ${seconds(ending.tookMs)} beside ${asked} black holes (was: 7 pages in the first minute)`,
    )
    assert.ok(asked > 5, 'the black holes were not even tried')
    assert.ok(ending.tookMs < 20_000, seconds(ending.tookMs))
  })

  test('real web: a seed whose robots.txt cannot be had: the crawl ends with its last retry, and says what waits', async t => {
    const dead: SmallHost = { name: 'shy.test', address: '127.43.2.1', answer: () => 'reset' }
    const web = await smallWeb(t, [dead])
    const options = ['-n', '10', '--delay', '10ms', '--retries', '2']
    const ending = await crawl(web, ...options)
    assert.equal(ending.code, 1, ending.stderr)
    const { frontier, failed, endedBecause } = reportOf(web.folder)
    t.diagnostic(
      `ended after ${seconds(ending.tookMs)}, of which 6 s are the pauses of two retries (was: 125 s of idling)`,
    )
    assert.deepEqual([web.log.length, failed], [3, { 'robots-reset': 1 }])
    assert.deepEqual([endedBecause, frontier.waiting, frontier.down, frontier.refused], ['unreachable', 1, 1, 0])
    assert.match(ending.stderr, /what is left cannot be reached now: 0 pages .*, 1 queued/)
    assert.doesNotMatch(ending.stderr, /nothing is left/)
    assert.match(ending.stderr, /could not be reached .*; run the same command to try them again/)
    assert.ok(ending.tookMs >= 6000 && ending.tookMs < 15_000, seconds(ending.tookMs))
    const again = await crawl(web, ...options)
    assert.equal(again.code, 1, again.stderr)
    assert.equal(web.log.length, 4, 'a new start gives it one more try')
    assert.equal(reportOf(web.folder).frontier.down, 1)
  })

  test('real web: a host that dies with 400 links is asked after 1 and 5 s, then left alone with its links', async t => {
    const links = Array.from({ length: 400 }, (_, n) => `/${n}`)
    const host: SmallHost = {
      name: 'dying.test',
      address: '127.43.3.1',
      answer: path => (path === '/robots.txt' ? undefined : path === '/' ? pageWith('last words', links) : 'reset'),
    }
    const web = await smallWeb(t, [host])
    const ending = await crawl(web, '-n', '1000', '--delay', '10ms', '--retries', '2')
    assert.equal(ending.code, 0, ending.stderr)
    const tries = web.log.filter(({ path }) => /\d/.test(path))
    const gaps = tries.slice(1).map(({ startMs }, n) => startMs - tries[n]!.answeredMs!)
    t.diagnostic(
      `asked again after ${gaps.map(seconds).join(' and ')}; ended after ${seconds(ending.tookMs)} (was: 400 s)`,
    )
    assert.equal(tries.length, 3)
    for (const [n, least] of [1000, 5000].entries()) assert.ok(gaps[n]! >= least && gaps[n]! < least + 2000, `${gaps}`)
    const { frontier } = reportOf(web.folder)
    assert.deepEqual([frontier.waiting, frontier.down, frontier.refused], [400, 400, 0])
  })
})

test('real web: silent hosts, four for each live one, do not slow a crawl down', async t => {
  const [live, silent, limit] = IS_SOAK ? [53, 200, 1000] : [27, 100, 400]
  const names = Array.from({ length: silent }, (_, n) => `silent${n}.test`)
  const make = async (withSilent: boolean) => {
    const hosts = Array.from({ length: live }, (_, n): SmallHost => {
      const plain = plainHost(`live${n}.test`, `127.44.0.${n + 1}`, 19)
      const own = withSilent ? names.filter((_, i) => i % live === n).map(name => `http://${name}:{{port}}/`) : []
      const links = [...own, ...Array.from({ length: 19 }, (_, i) => `/${i + 1}`)]
      return {
        ...plain,
        answer: (path, times) => (path === '/' ? pageWith('front', links) : plain.answer(path, times)),
      }
    })
    const holes = names.map((name, n): SmallHost => ({ name, address: `127.44.1.${n + 1}`, answer: () => 'hang' }))
    const web = await smallWeb(t, [...hosts, ...(withSilent ? holes : [])], {
      seeds: hosts.map(({ name }) => `${name}/`),
    })
    const ending = await crawl(web, '-n', String(limit), '--delay', '50ms')
    assert.equal(ending.code, 0, ending.stderr)
    assert.equal((await archivedUrls(web.folder)).length, limit)
    return ending.tookMs
  }
  const aloneMs = await make(false)
  const besideMs = await make(true)
  t.diagnostic(
    `${limit} pages in ${seconds(aloneMs)} alone, ${seconds(besideMs)} beside ${silent} silent hosts (was: 6.9 and 175 s)`,
  )
  assert.ok(besideMs < 2 * aloneMs + 4000, `${seconds(besideMs)} instead of ${seconds(aloneMs)}`)
})
