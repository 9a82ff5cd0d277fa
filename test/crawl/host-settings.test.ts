import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unsentHeaders } from '../../src/cli/crawl/host-secrets.ts'
import { HostBook } from '../../src/settings/host-settings.ts'
import { settingsWith } from '../../src/settings/settings.ts'
import { VirtualClock } from '../../src/simulate/virtual-clock.ts'
import { MemoryCrawl } from './memory-crawl.ts'
import { MemoryWeb } from './memory-web.ts'

test('settings of a host: a host’s own settings beat those for its domain, and a later one an earlier one', () => {
  const hostSettings = [
    { host: 'b.a.com', delayMs: 1, limit: 10 },
    { host: '*.a.com', delayMs: 7, limit: 3 },
    { host: 'https://b.a.com', delayMs: 2 },
    { host: 'a.com:8080', delayMs: 50 },
  ]
  const book = new HostBook(settingsWith({ hostSettings }, 1, '1.0'))
  assert.equal(book.shortestDelayMs, 1)
  const hosts = ['b.a.com', 'c.a.com', 'a.com', 'a.com:8080', 'b.a.com:8080', 'xa.com']
  assert.deepEqual(
    hosts.map(host => book.delayMs(host)),
    [2, 7, 1000, 50, 1000, 1000],
  )
  assert.deepEqual(
    hosts.map(host => book.limit(host)),
    [10, 3, Infinity, Infinity, Infinity, Infinity],
  )
})

test('settings of a host: in a crawl each host is asked at its own pace, shorter or longer than that of the others', async () => {
  const time = new VirtualClock()
  const host = (name: string, ip: string) => {
    const paths = ['/1', '/2', '/3'].map(path => [path, []] as [string, string[]])
    return { name, ips: [ip], pages: new Map([['/', paths.map(([path]) => `http://${name}${path}`)], ...paths]) }
  }
  const names = ['quick.com', 'slow.com', 'usual.com']
  const web = new MemoryWeb(
    names.map((name, i) => host(name, `10.0.0.${i}`)),
    time,
  )
  const hostSettings = [
    { host: 'quick.com', delayMs: 20 },
    { host: 'slow.com', delayMs: 9000 },
  ]
  const { pages } = await (await MemoryCrawl.open(web, time, { delayMs: 1000, serverDelayMs: 0, hostSettings })).run(
    names.map(name => `http://${name}/`),
  )
  assert.equal(pages.length, 12)
  const gaps = names.map(name => {
    const own = web.log.filter(request => request.host === name)
    return Math.min(...own.slice(1).map(({ startMs }, i) => startMs - own[i]!.endMs))
  })
  assert.ok(gaps[0]! >= 20 && gaps[0]! < 100, `${gaps[0]} ms`)
  assert.ok(gaps[1]! >= 9000 && gaps[1]! < 9100, `${gaps[1]} ms`)
  assert.ok(gaps[2]! >= 1000 && gaps[2]! < 1100, `${gaps[2]} ms`)
})

test('settings of a host: what makes no sense for a host or a proxy is an error at once', () => {
  const wrong: [Parameters<typeof settingsWith>[0], string][] = [
    [{ hostSettings: [{ host: 'a b' }] }, 'CRAWL_BAD_SETTING'],
    [{ hostSettings: [{ host: 'a.com', delayMs: -1 }] }, 'CRAWL_BAD_SETTING'],
    [{ hostSettings: [{ host: 'a.com', limit: 0 }] }, 'CRAWL_BAD_SETTING'],
    [{ hostSettings: [{ host: 'a.com', headers: { Host: 'b.com' } }] }, 'FETCH_BAD_HEADER'],
    [{ proxy: { http: 'socks5://a.com', no: [] } }, 'FETCH_BAD_PROXY'],
    [{ maxRequestsPerSecond: 0 }, 'CRAWL_BAD_SETTING'],
    [{ maxTimeMs: Number.NaN }, 'CRAWL_BAD_SETTING'],
  ]
  for (const [given, code] of wrong) assert.throws(() => settingsWith(given, 2, '1.0'), { code }, JSON.stringify(given))
})

test('ours: a secret that no seed gets is found, with how to name its host', () => {
  const unsent = (host: string, ...seeds: string[]) =>
    unsentHeaders([{ host, headers: { Authorization: 'Basic x', 'X-Key': 'y' } }], seeds).map(
      ({ name, origin, instead }) => `${name} ${origin} ${instead}`,
    )
  assert.deepEqual(unsent('a.test', 'https://a.test/x', 'http://b.test/'), [])
  assert.deepEqual(unsent('A.test', 'http://a.test/x'), ['Authorization http://a.test http://a.test'])
  assert.deepEqual(unsent('http://a.test', 'http://a.test/x'), [])
  const both = (text: string) => [`Authorization ${text}`, `X-Key ${text}`]
  assert.deepEqual(unsent('a.test', 'http://a.test:81/'), both('http://a.test:81 http://a.test:81'))
  assert.deepEqual(unsent('*.a.test', 'http://b.a.test:81/'), both('http://b.a.test:81 http://*.a.test:81'))
  assert.deepEqual(unsent('a.test', 'https://b.test/'), both('undefined undefined'))
  for (const [host, seed] of [
    ['http://a.test:81', 'http://a.test:81/'],
    ['http://*.a.test:81', 'http://b.a.test:81/'],
  ] as const)
    assert.deepEqual(unsent(host, seed), [])
})
