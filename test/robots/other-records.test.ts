import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRobots } from '../../src/robots/robots.ts'
import { expectVerdicts, fileOf } from './verdicts.ts'

function delayOf(agent: string, ...lines: readonly string[]): number | undefined {
  return parseRobots(fileOf(...lines)).crawlDelay(agent)
}

test('RFC 9309 2.2.4: other records end no group and begin none', () => {
  for (const record of ['Sitemap: http://site.example/s', 'Crawl-delay: 5', 'Host: site.example', 'Clean-param: a']) {
    const between = fileOf('User-agent: ant', record, 'User-agent: bee', 'Disallow: /a')
    for (const agent of ['ant', 'bee']) expectVerdicts(between, agent, { refused: ['/a'], allowed: ['/b'] })
    const inside = fileOf('User-agent: ant', 'Disallow: /a', record, 'Disallow: /b', 'User-agent: bee', 'Disallow: /c')
    expectVerdicts(inside, 'ant', { refused: ['/a', '/b'], allowed: ['/c'] })
    expectVerdicts(inside, 'bee', { refused: ['/c'], allowed: ['/a', '/b'] })
    expectVerdicts(fileOf(record, 'User-agent: ant', 'Disallow: /a'), 'ant', { refused: ['/a'] })
  }
})

test('RFC 9309 2.2.4: sitemaps belong to no group and may stand anywhere', () => {
  const robots = parseRobots(
    fileOf(
      'Sitemap: http://a/1',
      'User-agent: ant',
      'SITEMAP:http://a/2?x=y',
      'Disallow: /',
      'site-map: http://a/é',
      'Sitemap http://a/4',
    ),
  )
  // The last one has a colon, so its key would be "Sitemap http".
  assert.deepEqual(robots.sitemaps, ['http://a/1', 'http://a/2?x=y', 'http://a/é'])
})

test('ours: a sitemap without a value, or with control characters, is none', () => {
  const robots = parseRobots(
    fileOf('Sitemap:', 'Sitemap: # x', 'Sitemap: http://a/\u001b[31m', 'Sitemap: http://a/\u009bx', 'Sitemap: b'),
  )
  assert.deepEqual(robots.sitemaps, ['b'])
})

test('rule 5.4: Crawl-delay is the seconds that a group asks for', () => {
  const lines = [
    'User-agent: ant',
    'Crawl-delay: 2.5',
    'Disallow: /a',
    'User-agent: *',
    'Disallow: /',
    'crawl-delay:10',
  ]
  assert.equal(delayOf('ant', ...lines), 2.5)
  assert.equal(delayOf('Ant/1.0', ...lines), 2.5)
  assert.equal(delayOf('bee', ...lines), 10)
  assert.equal(delayOf('ant', 'User-agent: bee', 'Crawl-delay: 3'), undefined)
  assert.equal(delayOf('ant'), undefined)
  assert.equal(delayOf('ant', 'Crawl-delay: 3', 'User-agent: ant'), undefined)
})

test('ours: a group that names the crawler and asks for no delay means none', () => {
  assert.equal(
    delayOf('ant', 'User-agent: *', 'Crawl-delay: 3', 'Disallow: /x', 'User-agent: ant', 'Disallow: /'),
    undefined,
  )
})

test('ours: names in a row share the delay that follows them', () => {
  for (const agent of ['ant', 'bee']) {
    assert.equal(delayOf(agent, 'User-agent: ant', 'User-agent: bee', 'Crawl-delay: 3'), 3)
    assert.equal(delayOf(agent, 'User-agent: ant', 'User-agent: bee', 'Disallow: /', 'Crawl-delay: 3'), 3)
    assert.equal(delayOf(agent, 'User-agent: ant', 'Sitemap: x', 'User-agent: bee', 'Crawl-delay: 3'), 3)
  }
})

test('ours: a delay is not for the names below it', () => {
  const lines = ['User-agent: Yandex', 'Crawl-delay: 500', 'User-agent: *', 'Disallow: /x']
  assert.equal(delayOf('ant', ...lines), undefined)
  assert.equal(delayOf('yandex', ...lines), 500)
  const both = ['User-agent: ant', 'Crawl-delay: 3', 'User-agent: bee', 'User-agent: cat', 'Crawl-delay: 5', 'Allow: /']
  assert.deepEqual(
    ['ant', 'bee', 'cat', 'dog'].map(agent => delayOf(agent, ...both)),
    [3, 5, 5, undefined],
  )
  const wrong = ['User-agent: ant', 'Crawl-delay: soon', 'User-agent: bee', 'Crawl-delay: 5']
  assert.deepEqual([delayOf('ant', ...wrong), delayOf('bee', ...wrong)], [undefined, 5])
})

test('RFC 9309 2.2.4: a Crawl-delay interferes with no rules: those below it hold for the names above it, too', () => {
  const file = fileOf('User-agent: ant', 'Crawl-delay: 9', 'User-agent: *', 'Disallow: /x')
  for (const agent of ['ant', 'bee']) expectVerdicts(file, agent, { refused: ['/x'], allowed: ['/y'] })
  const one = ['User-agent: *', 'Crawl-delay: 5', 'Disallow: /x', 'Crawl-delay: 4', 'Disallow: /y']
  expectVerdicts(fileOf(...one), 'ant', { refused: ['/x', '/y'] })
  assert.equal(delayOf('ant', ...one), 5)
})

test('ours: of several delays for a crawler the longest holds', () => {
  assert.equal(delayOf('ant', 'User-agent: ant', 'Crawl-delay: 3', 'Crawl-delay: 1'), 3)
  assert.equal(
    delayOf('ant', 'User-agent: ant', 'Crawl-delay: 1', 'Disallow: /', 'User-agent: ant', 'Crawl-delay: 4'),
    4,
  )
  assert.equal(delayOf('ant', 'User-agent: ant', 'Crawl-delay: 4', 'Disallow: /', 'User-agent: ant', 'Allow: /x'), 4)
})

test('ours: a delay is a decimal number from 0 up, and anything else is none', () => {
  for (const [value, seconds] of [
    ['0', 0],
    ['10', 10],
    ['007', 7],
    ['0.25', 0.25],
    ['.5', 0.5],
    ['3.', 3],
    ['1000000000', 1e9],
    ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
  ] as const) {
    assert.equal(delayOf('ant', 'User-agent: ant', `Crawl-delay: ${value}`), seconds, value)
  }
  for (const value of ['', '-1', '1e3', '0x10', '5s', '1,5', '1.2.3', '.', 'NaN', 'Infinity', '+1', '1 2']) {
    assert.equal(delayOf('ant', 'User-agent: ant', `Crawl-delay: ${value}`), undefined, value)
  }
})
