// The network is away: at a start, in the middle, for DNS only. Nothing that happens then may be counted against a host.
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type DnsAnswer, dnsServer } from '../web/dns-server.ts'
import { archivedUrls, reportOf } from './collected.ts'
import { crawl, IS_SOAK, type Running, requests, running } from './crawl.ts'
import { plainHost, type SmallWeb, smallWeb, urlsOfPlain } from './small-web.ts'

const HOSTS = 8
const PAGES = 10
/** Longer than all pauses of two retries, so that each link would have been given up. */
const AWAY_MS = IS_SOAK ? 60_000 : 7000
const OPTIONS = ['--delay', '20ms', '--retries', '2', '--timeout', '4s']
const AROUND = { longestMs: AWAY_MS + 60_000 }
const IS_AWAY = /the network seems to be down/

/** A web whose names are looked up at a server of the test's own, which may be told to fail. */
async function webWithDns(t: TestContext, net: string) {
  const trouble: { says: DnsAnswer | undefined } = { says: undefined }
  const names = Array.from({ length: HOSTS }, (_, n) => `h${n}.${net}.test`)
  const address = (n: number) => `127.45.${net.length}.${n + 1}`
  const dns = await dnsServer(t, name => trouble.says ?? [address(names.indexOf(name))])
  const hosts = names.map((name, n) => plainHost(name, address(n), PAGES))
  const web = await smallWeb(t, hosts, { dns: dns.address })
  return { web, trouble, wanted: names.flatMap(name => urlsOfPlain(web, name, PAGES)).sort() }
}

/** After the network was back: everything is there, and nothing was refused or failed. */
async function isWhole(t: TestContext, command: Running, web: SmallWeb, wanted: readonly string[]): Promise<void> {
  const ending = await command.ending
  assert.deepEqual([ending.code, ending.signal], [0, null], ending.stderr)
  assert.match(ending.stderr, /the network is back after/)
  const { frontier, failed, refused } = reportOf(web.folder)
  t.diagnostic(`all of ${wanted.length} pages, ${web.log.length} requests, in ${(ending.tookMs / 1000).toFixed(1)} s`)
  assert.deepEqual(await archivedUrls(web.folder), wanted)
  assert.deepEqual([frontier.waiting, frontier.refused, failed, refused], [0, 0, {}, {}])
}

describe('network away: our network is away', { concurrency: 4 }, () => {
  test('network away: started again while no server can be reached: it waits, and then goes on by itself', async t => {
    const { web, wanted } = await webWithDns(t, 'a')
    const first = await crawl(web, ...OPTIONS, '-n', String(3 * HOSTS))
    assert.equal(first.code, 0, first.stderr)
    await web.goAway()
    const command = running(t, [...web.args, ...OPTIONS, '-n', 'none'], AROUND)
    await command.says(IS_AWAY)
    await wait(AWAY_MS)
    await web.comeBack()
    await isWhole(t, command, web, wanted)
  })

  test('network away: started again while all DNS servers say SERVFAIL: no host is given up', async t => {
    const { web, trouble, wanted } = await webWithDns(t, 'bb')
    const first = await crawl(web, ...OPTIONS, '-n', String(3 * HOSTS))
    assert.equal(first.code, 0, first.stderr)
    trouble.says = 'SERVFAIL'
    const command = running(t, [...web.args, ...OPTIONS, '-n', 'none'], AROUND)
    await command.says(IS_AWAY)
    await wait(AWAY_MS)
    trouble.says = undefined
    await isWhole(t, command, web, wanted)
  })

  test('network away: started for the first time while DNS is silent: it waits for the network', async t => {
    const { web, trouble, wanted } = await webWithDns(t, 'ccc')
    trouble.says = 'silence'
    const command = running(t, [...web.args, ...OPTIONS], AROUND)
    await command.says(IS_AWAY)
    await wait(AWAY_MS / 2)
    trouble.says = undefined
    await isWhole(t, command, web, wanted)
  })

  test('network away: the network goes away in the middle, and comes back', async t => {
    const { web, wanted } = await webWithDns(t, 'dddd')
    const command = running(t, [...web.args, ...OPTIONS], AROUND)
    await requests({ server: web }, 4 * HOSTS)
    await web.goAway()
    await command.says(IS_AWAY)
    await wait(AWAY_MS)
    await web.comeBack()
    const ending = await command.ending
    assert.equal(ending.code, 0, ending.stderr)
    assert.match(ending.stderr, /the network is back after/)
    t.diagnostic(`${JSON.stringify(reportOf(web.folder).again)} before it was noticed`)
    assert.deepEqual(await archivedUrls(web.folder), wanted)
    assert.equal(reportOf(web.folder).frontier.refused, 0)
  })
})
