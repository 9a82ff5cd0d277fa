// Pages and rules that are made to wear a collector out: wildcards by the ten thousand, names by the hundred thousand.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { temporaryFolder } from '../cli/run-cli.ts'
import { type DnsAnswer, dnsServer } from '../web/dns-server.ts'
import { archivedUrls, reportOf } from './collected.ts'
import { crawl, IS_SOAK, requests, running } from './crawl.ts'
import { preloaded } from './preload/preload.ts'
import { pageWith, plainHost, robotsTxt, type SmallHost, type SmallWeb, smallWeb } from './small-web.ts'

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
const INTERRUPTED = 130

/** A robots.txt of half a megabyte in which each rule fits almost every URL, and none of them quite. */
function wildcards(): string {
  const rules = ['User-agent: *']
  for (let bytes = 0, n = 0; bytes < 490_000; n++) {
    const rule = `Disallow: /${'*a'.repeat(8 + (n % 12))}*${n}$`
    bytes += rule.length + 1
    rules.push(rule)
  }
  return rules.join('\n')
}

test('hostile pages: 500 KB of wildcards and 100,000 links freeze nothing, and Ctrl-C works at once', async t => {
  const pauses = join(temporaryFolder(t), 'pauses.json')
  const links = Array.from({ length: 100_000 }, (_, n) => `/${'a'.repeat(40)}/${n}b`)
  const rules = wildcards()
  const hub: SmallHost = {
    name: 'rules.test',
    address: '127.46.0.1',
    answer: path =>
      path === '/robots.txt' ? robotsTxt(rules) : path === '/' ? pageWith('hub', links) : pageWith(path, []),
  }
  const good = Array.from({ length: 5 }, (_, n) => plainHost(`good${n}.test`, `127.46.1.${n + 1}`, 40))
  const web = await smallWeb(t, [hub, ...good])
  const args = [...web.args, '--delay', '10ms']
  const command = running(t, args, { env: preloaded('watch-loop', { ESCALONA_TEST_PAUSES: pauses }) })
  const isAnswered = () => web.log.some(({ host, path }) => host === hub.name && path.endsWith('b'))
  for (let n = 0; n < 3000 && !isAnswered(); n++) await wait(10)
  assert.ok(isAnswered(), 'no link of the page was asked for')
  await wait(IS_SOAK ? 30_000 : 2000)
  const startMs = performance.now()
  command.kill('SIGINT')
  const ending = await command.ending
  const stopMs = performance.now() - startMs
  assert.deepEqual([ending.code, ending.signal], [INTERRUPTED, null], ending.stderr)
  const { longestMs, p99Ms } = JSON.parse(readFileSync(pauses, 'utf8'))
  t.diagnostic(
    `${web.log.length} requests; the main thread was busy for ${longestMs.toFixed(0)} ms at most (99 %: ${p99Ms.toFixed(1)} ms; ` +
      `was: 368 s); it ended ${seconds(stopMs)} after Ctrl-C`,
  )
  assert.ok(longestMs < 2000, `${longestMs} ms`)
  assert.ok(stopMs < 5000, seconds(stopMs))
  const goods = (await archivedUrls(web.folder)).filter(url => url.includes('good')).length
  assert.equal(goods, 5 * 41)
  const again = running(t, args)
  await requests({ server: web }, web.log.length + 2)
  again.kill('SIGINT')
  assert.equal((await again.ending).code, INTERRUPTED, 'the same command does not freeze either')
})

const GOOD_HOSTS = 10
const GOOD_PAGES = IS_SOAK ? 40 : 20

/** Good hosts, and what else a page of each links to. */
function goodHosts(linksOf: (host: number, page: number) => readonly string[]): SmallHost[] {
  return Array.from({ length: GOOD_HOSTS }, (_, host): SmallHost => {
    const own = Array.from({ length: GOOD_PAGES }, (_, n) => `/${n + 1}`)
    return {
      name: `good${host}.test`,
      address: `127.46.2.${host + 1}`,
      answer: path => {
        if (path === '/') return pageWith('front', [...own, ...linksOf(host, 0)])
        return /^\/\d+$/.test(path) ? pageWith(path, linksOf(host, Number(path.slice(1)))) : undefined
      },
    }
  })
}

/** How long until all pages of the good hosts have been asked for. */
async function serving(t: TestContext, web: SmallWeb): Promise<{ tookMs: number; stop(): Promise<void> }> {
  const command = running(t, [...web.args, '--delay', '30ms'])
  const isGood = ({ host, path }: { host: string; path: string }) => host.startsWith('good') && path !== '/robots.txt'
  const wanted = GOOD_HOSTS * (GOOD_PAGES + 1)
  let count = 0
  for (let n = 0; n < 3000 && count < wanted; n++) {
    await wait(20)
    count = web.log.filter(isGood).length
  }
  assert.equal(count, wanted, command.stderr)
  const tookMs = performance.timeOrigin + performance.now() - command.startMs
  const stop = async () => {
    command.kill('SIGINT')
    const { code, stderr } = await command.ending
    assert.ok(code === INTERRUPTED || code === 0, stderr)
  }
  return { tookMs, stop }
}

/** Names under `dead.test` don't exist, all others under `wild.test` do. */
function names(name: string): DnsAnswer {
  const [, host] = /^good(\d+)\.test$/.exec(name) ?? []
  if (host !== undefined) return [`127.46.2.${Number(host) + 1}`]
  if (name.endsWith('.wild.test')) return ['127.46.3.1']
  return name === 'hub.test' ? ['127.46.4.1'] : 'NXDOMAIN'
}

test('hostile pages: names that do not exist, or too many that do, cost the other hosts little', async t => {
  const aloneDns = await dnsServer(t, names)
  const alone = await serving(
    t,
    await smallWeb(
      t,
      goodHosts(() => []),
      { dns: aloneDns.address },
    ),
  )
  await alone.stop()

  await t.test(
    'hostile pages: a name that does not exist on every fifth page: each is looked up once, and final',
    async t => {
      const dns = await dnsServer(t, names)
      const isFifth = (page: number) => page % 5 === 0
      const hosts = goodHosts((host, page) => (isFifth(page) ? [`http://p${page}-${host}.dead.test/`] : []))
      const web = await smallWeb(t, hosts, { dns: dns.address })
      const { tookMs, stop } = await serving(t, web)
      const dead = GOOD_HOSTS * (1 + GOOD_PAGES / 5)
      // For each name, two questions.
      for (let n = 0; n < 100 && dns.questions.filter(one => one.includes('dead')).length < 2 * dead; n++)
        await wait(20)
      await stop()
      const { failed, frontier } = reportOf(web.folder)
      t.diagnostic(
        `${seconds(tookMs)} beside ${dead} dead names, ${seconds(alone.tookMs)} alone (was: 950 requests/s fell to 10)`,
      )
      assert.deepEqual([failed, frontier.refused], [{ dns: dead }, dead])
      const asked = dns.questions.filter(one => one.includes('dead') && one.endsWith(' A'))
      assert.deepEqual([asked.length, new Set(asked).size], [dead, dead])
      assert.ok(tookMs < 4 * alone.tookMs + 10_000, seconds(tookMs))
    },
  )

  for (const [kind, words] of [
    ['dead', 'names that do not exist'],
    ['wild', 'live names of a wildcard domain'],
  ] as const) {
    await t.test(`hostile pages: a page with 100,000 ${words}`, async t => {
      const dns = await dnsServer(t, names)
      const links = Array.from({ length: 100_000 }, (_, n) => `http://n${n}.${kind}.test:{{port}}/`)
      const hub: SmallHost = {
        name: 'hub.test',
        address: '127.46.4.1',
        answer: path => (path === '/' ? pageWith('hub', links) : undefined),
      }
      const any: SmallHost = {
        name: '*',
        address: '127.46.3.1',
        answer: path => (path === '/' ? pageWith('x', []) : undefined),
      }
      const seeds = ['hub.test/', ...Array.from({ length: GOOD_HOSTS }, (_, n) => `good${n}.test/`)]
      const web = await smallWeb(t, [hub, ...goodHosts(() => []), any], { dns: dns.address, seeds })
      const { tookMs, stop } = await serving(t, web)
      await stop()
      const { refusedLinks, frontier } = reportOf(web.folder)
      t.diagnostic(
        `${seconds(tookMs)} beside them, ${seconds(alone.tookMs)} alone (was: hours); ${frontier.hosts} hosts known`,
      )
      assert.equal(refusedLinks['page-hosts'], 99_000)
      assert.ok(frontier.hosts <= 1000 + GOOD_HOSTS + 1)
      assert.ok(tookMs < 4 * alone.tookMs + 10_000, seconds(tookMs))
    })
  }
})

test('hostile pages: --max-hosts and --max-hosts-per-domain bound what a crawl knows, and count what they turn away', async t => {
  const dns = await dnsServer(t, name => (name === 'hub.test' ? ['127.46.4.1'] : ['127.46.3.1']))
  const links = Array.from({ length: 300 }, (_, n) => `http://n${n}.d${n < 100 ? 0 : 1 + (n % 9)}.test:{{port}}/`)
  const hub: SmallHost = {
    name: 'hub.test',
    address: '127.46.4.1',
    answer: path => (path === '/' ? pageWith('hub', links) : undefined),
  }
  const any: SmallHost = {
    name: '*',
    address: '127.46.3.1',
    answer: path => (path === '/' ? pageWith('x', []) : undefined),
  }
  const web = await smallWeb(t, [hub, any], { dns: dns.address, seeds: ['hub.test/'] })
  const ending = await crawl(web, '--delay', '5ms', '--max-hosts', '71', '--max-hosts-per-domain', '8')
  assert.equal(ending.code, 0, ending.stderr)
  const { frontier, pages } = reportOf(web.folder)
  t.diagnostic(`${frontier.hosts} hosts known, turned away: ${JSON.stringify(frontier.turnedAway)}`)
  assert.deepEqual([frontier.hosts, pages], [71, 71])
  assert.deepEqual(frontier.turnedAway, { 'max-hosts': 138, 'domain-hosts': 92, 'page-hosts': 0 })
})
