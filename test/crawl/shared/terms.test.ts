import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deepestIn, givenBy, partOf, readTerms, writeTerms } from '../../../src/run/machines/terms.ts'
import { type CrawlSettings, settingsWith } from '../../../src/settings/settings.ts'
import { WRITTEN_SETTINGS } from '../../../src/settings/settings-table.ts'

const GIVEN: Partial<CrawlSettings> = {
  limit: 300,
  delayMs: 250,
  scope: 'domain',
  exclude: ['*.pdf', '*/login*'],
  userAgent: 'test/1.0',
  concurrency: 7,
  workers: 3,
  maxTimeMs: 1000,
  allowNetworks: ['10.0.0.0/8'],
  dnsServers: ['10.0.0.1'],
  hosts: new Map([['a.test', '127.0.0.1']]),
  proxy: { http: 'http://user:secret@proxy.test', no: [] },
  hostSettings: [{ host: 'a.test', delayMs: 5000, headers: { Cookie: 'secret' } }],
  maxDepth: 4,
}

function written(given: Partial<CrawlSettings>, formerDepth = 0): string {
  return writeTerms(given, settingsWith(given, 1, '1.0'), formerDepth)
}

test("shared crawl: the terms of a crawl are the settings that are not a machine's own, without any secret", () => {
  const text = written(GIVEN)
  assert.doesNotMatch(text, /secret|10\.0\.0|proxy|Cookie/)
  assert.deepEqual(givenBy(readTerms(text, 'redis://x/y')), {
    limit: 300,
    delayMs: 250,
    scope: 'domain',
    exclude: ['*.pdf', '*/login*'],
    userAgent: 'test/1.0',
    maxDepth: 4,
    hostSettings: [{ host: 'a.test', delayMs: 5000 }],
  })
  assert.deepEqual(Object.keys(partOf(GIVEN, 'machine')).sort(), [
    'allowNetworks',
    'concurrency',
    'dnsServers',
    'hosts',
    'maxTimeMs',
    'proxy',
    'workers',
  ])
})

test('shared crawl: which settings are the machine’s own', () => {
  assert.deepEqual(
    WRITTEN_SETTINGS.filter(({ whose }) => whose === 'machine').map(({ option }) => option),
    ['max-time', 'max-bytes', 'max-rate', 'concurrency', 'workers', 'allow-network', 'hosts', 'dns', 'ca'],
  )
})

test('shared crawl: what another machine wrote cannot give settings that are this machine’s own', () => {
  const text = JSON.stringify({
    format: 1,
    settings: { delay: '1s', 'allow-network': ['0.0.0.0/0'], dns: ['6.6.6.6'], addresses: ['127.0.0.1 bank.test'] },
    hostSettings: {},
    deepest: 'none',
  })
  assert.deepEqual(givenBy(readTerms(text, 'redis://x/y')), { delayMs: 1000 })
})

test('shared crawl: the terms remember how deep the crawl ever went', () => {
  assert.equal(deepestIn(readTerms(written({ maxDepth: 2 }, 5), 'x')), 5)
  assert.equal(deepestIn(readTerms(written({ maxDepth: 7 }, 5), 'x')), 7)
  assert.equal(deepestIn(readTerms(written({}, 5), 'x')), Infinity)
})

test('shared crawl: terms that are damaged, foreign or of a newer version are an error that says what to do', () => {
  for (const text of ['', '[]', '{"format":1}', '{"format":1,"settings":[],"hostSettings":{},"deepest":"none"}', 'x'])
    assert.throws(() => readTerms(text, 'redis://x/y'), {
      code: 'CRAWL_TERMS_STRANGE',
      message: /redis:\/\/x\/y clear/,
    })
  assert.throws(() => readTerms('{"format":2}', 'redis://x/y'), { message: /newer version/ })
  const wild = '{"format":1,"settings":{"delay":"soon"},"hostSettings":{},"deepest":"none"}'
  assert.throws(() => givenBy(readTerms(wild, 'x')), { code: 'CRAWL_BAD_SETTING' })
})
