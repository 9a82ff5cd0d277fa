import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'smol-toml'
import { setLanguage } from '../../src/base/words/language.ts'
import type { CrawlRun } from '../../src/folder/crawl-file.ts'
import { givenIn, namedHosts, planRun } from '../../src/folder/run-plan.ts'
import { namedSettings, readNamed, readSetting } from '../../src/settings/setting-texts.ts'
import { type CrawlSettings, settingsWith } from '../../src/settings/settings.ts'
import { WRITTEN_SETTINGS } from '../../src/settings/settings-table.ts'
import { type WebUrl, webUrl } from '../../src/url/web.ts'

const SEEDS = ['https://a.org/', 'https://b.org/'].map(text => webUrl(text) as WebUrl)
const KNOWN = new Set(SEEDS.map(({ href }) => href))

function formerRun(given: Partial<CrawlSettings>): CrawlRun {
  return {
    startedAt: '2026-01-01T00:00:00.000Z',
    version: '1.0',
    seeds: [...KNOWN],
    seedCount: KNOWN.size,
    settings: namedSettings(given),
    hostSettings: namedHosts(given.hostSettings ?? []),
    secrets: [],
    knownSeeds: KNOWN.size,
    failuresBytes: 0,
  }
}

function plan(given: Partial<CrawlSettings>, before?: Partial<CrawlSettings>, seeds = SEEDS, add = false) {
  const former =
    before === undefined
      ? { given: undefined, seeds: new Set<string>(), lacksSeeds: false, isUnsure: false }
      : { given: givenIn(formerRun(before)), seeds: KNOWN, lacksSeeds: false, isUnsure: false }
  return planRun({ given, seeds, add, cores: 2, version: '1.0' }, former)
}

/** Something else than the default for each setting that has a name. */
const OTHERS: Partial<CrawlSettings> = {
  limit: 100_000,
  maxTimeMs: 8 * 3_600_000,
  maxArchiveBytes: 50e9,
  maxRequestsPerSecond: 200,
  recrawl: 'due',
  recrawlOnly: ['*.example.org', 'https://example.org/news/*'],
  recrawlMinMs: 60_000,
  recrawlMaxMs: 7 * 86_400_000,
  recrawlFirstMs: 3_600_000,
  recrawlFull: 1,
  dedup: 100_000,
  delayMs: 1500,
  serverDelayMs: 0,
  perServer: 2,
  retries: 0,
  userAgent: 'mybot/2 (+https://example.org)',
  contact: 'me@example.org',
  scope: 'domain',
  follow: 'nothing',
  nearDuplicates: 'follow',
  mazes: 'follow',
  sitemaps: 'yes',
  maxDepth: 0,
  maxPerHost: 7,
  maxHosts: 10,
  maxHostsPerDomain: 3,
  maxHeld: 0,
  include: ['*/a/*', 'none*'],
  exclude: ['*.pdf', '@forums'],
  loops: 'yes',
  language: ['pt', 'en'],
  onlyLanguage: ['pt'],
  strategy: 'breadth',
  rank: 'inherited',
  prefer: ['*/news/*'],
  defer: ['*/tags/*', '*?page=*'],
  exploreChance: 0.25,
  seed: 9,
  timeoutMs: 60_000,
  connectTimeoutMs: 250,
  firstByteTimeoutMs: 3000,
  maxBodyBytes: 5 * 2 ** 20,
  archive: 'pages',
  concurrency: 10,
  workers: 1,
  allowNetworks: ['127.0.0.0/8', '::1/128'],
  hosts: new Map([
    ['a.org', '127.0.0.1'],
    ['b.org', '::1'],
  ]),
  dnsServers: ['127.0.0.1:5353'],
  // Certificates come back in another spelling; cli/crawl-options.test.ts has them.
  ca: [],
}

test('settings: every setting is read back from its name and spelling as it was, and so is its default', () => {
  assert.deepEqual(new Set(Object.keys(OTHERS)), new Set(WRITTEN_SETTINGS.map(({ name }) => name)))
  assert.deepEqual(readNamed(namedSettings(OTHERS)), OTHERS)
  const defaults = settingsWith({}, 2, '1.0')
  for (const { name } of WRITTEN_SETTINGS)
    assert.deepEqual(readNamed(namedSettings({ [name]: defaults[name] })), { [name]: defaults[name] }, name)
})

test('settings: a setting that makes no sense is named with what would', t => {
  t.after(() => setLanguage('en'))
  const read = (option: string, ...texts: string[]) =>
    readSetting(WRITTEN_SETTINGS.find(row => row.option === option)!, texts)
  assert.equal(read('limit', '100k'), 100_000)
  assert.equal(read('limit', 'none'), Infinity)
  assert.deepEqual(read('include', 'none'), [])
  const wrong = { code: 'CRAWL_BAD_SETTING' }
  assert.throws(() => read('max-depth', 'x'), {
    ...wrong,
    message: '--max-depth takes a whole number from 0 up, not x',
  })
  assert.throws(() => read('per-server', '0'), { ...wrong, message: /from 1 to 10000/ })
  assert.throws(() => read('scope', 'all'), { ...wrong, message: '--scope takes any, domain or host, not all' })
  assert.throws(() => read('delay', 'soon'), { ...wrong, message: /250ms/ })
  assert.deepEqual(read('exclude', '*/a,b/*', '@calendars, @forums'), ['*/a,b/*', '@calendars', '@forums'])
  assert.deepEqual(read('only-language', 'pt, en', 'yue'), ['pt', 'en', 'yue'])
  assert.throws(() => read('language', 'pt,English'), { ...wrong, message: /^--language takes .* not English$/ })
  assert.throws(() => read('exclude', '@calender'), {
    ...wrong,
    message: /^--exclude: .* @calender; did you mean @calendars\?/,
  })
  assert.throws(() => read('include', '@x'), {
    ...wrong,
    message: /^--include: .* @x; the sets are @calendars, @sessions, @forums/,
  })
  assert.throws(() => read('max-body', '1TB'), { ...wrong, message: /at most 256MiB/ })
  assert.throws(() => read('delay', '1s', '2s'), { ...wrong, message: /once/ })
  setLanguage('pt')
  assert.throws(() => read('scope', 'all'), { ...wrong, message: '--scope pede any, domain ou host, não all' })
})

test('settings: what is not given is as it was in the run before', () => {
  const { settings, changes, given } = plan({ limit: 20 }, { limit: 10, scope: 'domain', delayMs: 5000 })
  assert.deepEqual([settings.limit, settings.scope, settings.delayMs], [20, 'domain', 5000])
  assert.equal(settings.serverDelayMs, 1250, 'what follows from others still does')
  assert.deepEqual(changes, [{ setting: 'limit', before: '10', now: '20' }])
  assert.deepEqual(given, { limit: 20, scope: 'domain', delayMs: 5000 })
})

test('settings: changed settings are named with what they were; one that follows from another is not', () => {
  const { changes, changed } = plan({ delayMs: 2000, scope: 'any', exclude: ['*.pdf'] }, { scope: 'domain' })
  assert.deepEqual(changes, [
    { setting: 'delay', before: '1s', now: '2s' },
    { setting: 'scope', before: 'domain', now: 'any' },
    { setting: 'exclude', before: 'none', now: '*.pdf' },
  ])
  assert.deepEqual([...changed], ['delayMs', 'scope', 'exclude'])
  assert.deepEqual(plan({ scope: 'any' }, {}).changes, [])
})

test('settings: only another product token of the User-Agent may undo what robots.txt refused', () => {
  const before = { userAgent: 'abot/1.0' }
  assert.equal(plan({ userAgent: 'bbot/1.0' }, before).changed.has('userAgent'), true)
  const { changes, changed } = plan({ userAgent: 'abot/1.1' }, before)
  assert.deepEqual([changes.length, changed.has('userAgent')], [1, false])
})

test('rule 5.16: the User-Agent names the crawler and a contact; a contact is kept on its own, never dropped, and never twice', () => {
  const agent = (given: Partial<CrawlSettings>, before?: Partial<CrawlSettings>) =>
    plan(given, before).settings.userAgent
  const contact = 'me@ufmg.br'
  assert.match(agent({}), /^escalona\/1\.0 \(\+https:/)
  assert.equal(agent({ contact }), 'escalona/1.0 (+me@ufmg.br)')
  assert.equal(agent({ userAgent: 'abot/1 (me@ufmg.br)', contact }), 'abot/1 (me@ufmg.br)')
  assert.equal(agent({ userAgent: 'abot/1' }, { contact }), 'abot/1 (+me@ufmg.br)')
  assert.equal(agent({ contact: 'you@ufmg.br' }, { userAgent: 'abot/1', contact }), 'abot/1 (+you@ufmg.br)')
  assert.equal(agent({ contact: '' }, { userAgent: 'abot/1', contact }), 'abot/1')
  assert.ok(!plan({ contact }, { userAgent: 'abot/1' }).changed.has('userAgent'), 'robots.txt says the same')
})

test('settings: settings of single hosts are kept, but not their headers', () => {
  const hostSettings = [{ host: 'a.org', delayMs: 2000, limit: 5, headers: { Cookie: 'hush' } }]
  const run = formerRun({ hostSettings })
  assert.deepEqual(run.hostSettings, { 'a.org': { delay: '2s', limit: '5' } })
  assert.doesNotMatch(JSON.stringify(run), /hush/)
  const { settings, changed } = plan({ hostSettings: [{ host: 'b.org', limit: 1 }] }, { hostSettings })
  assert.deepEqual(settings.hostSettings, [
    { host: 'a.org', delayMs: 2000, limit: 5 },
    { host: 'b.org', limit: 1 },
  ])
  assert.ok(changed.has('hostSettings'))
})

test('settings: other seeds are an error that names the two ways out, or are added', t => {
  t.after(() => setLanguage('en'))
  const other = [...SEEDS, webUrl('https://c.org/') as WebUrl]
  assert.deepEqual(plan({}, {}, SEEDS).addedSeeds, [])
  assert.deepEqual(plan({}, {}, [SEEDS[1]!]).addedSeeds, [], 'fewer are none other')
  assert.deepEqual(plan({}, {}, other, true).addedSeeds, [other[2]])
  assert.throws(() => plan({}, {}, other), {
    code: 'CRAWL_OTHER_SEEDS',
    message:
      'this crawl does not have the seed https://c.org/; add it with --add, or start another crawl in another folder with -o (in a program: the options add and folder)',
  })
  setLanguage('pt')
  assert.throws(() => plan({}, {}, other), { message: /não tem a semente https:\/\/c\.org\/;.*--add.*-o/ })
})

test('settings: crawl.toml is valid TOML for all of them', async () => {
  const { stringify } = await import('smol-toml')
  assert.deepEqual({ ...parse(stringify(namedSettings(OTHERS))) }, namedSettings(OTHERS))
})
