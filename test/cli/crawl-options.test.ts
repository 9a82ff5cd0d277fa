import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { namesContact } from '../../src/cli/crawl/crawl-lines.ts'
import { type CrawlArguments, readCrawlOptions, readResumeOptions } from '../../src/cli/crawl/crawl-options.ts'
import { readSeeds, seedOf } from '../../src/cli/crawl/seeds.ts'
import { namedSettings, readNamed } from '../../src/settings/setting-texts.ts'
import type { CrawlSettings } from '../../src/settings/settings.ts'
import { settingsWith } from '../../src/settings/settings.ts'
import { certificate, NO_OPENSSL } from '../fetch/certificate.ts'
import { temporaryFolder } from './run-cli.ts'

function optionsOf(...args: readonly string[]): CrawlArguments {
  return readCrawlOptions(['https://ufmg.br/', ...args], {})
}

function settingsOf(...args: readonly string[]): Partial<CrawlSettings> {
  return optionsOf(...args).given
}

/** A file of a test's own; returns its path. */
function fileOf(t: TestContext, name: string, text: string): string {
  const path = join(temporaryFolder(t), name)
  writeFileSync(path, text)
  return path
}

test('rule 5.17: options take durations and sizes; a duration without a unit is an error, zero apart', () => {
  assert.equal(settingsOf('--delay', '250ms').delayMs, 250)
  assert.throws(() => settingsOf('--delay', '250'), { message: /--delay 250 has no unit; write 250s for seconds/ })
  assert.equal(settingsOf('--delay', '0').delayMs, 0)
  assert.equal(settingsOf('--timeout', '2m').timeoutMs, 120_000)
  assert.equal(settingsOf('--max-body', '500KiB').maxBodyBytes, 512_000)
})

test('crawl options: -n 100k, 1e5, 100_000; --max-time 8h, --max-bytes 50GB, --max-rate 200/s', () => {
  for (const text of ['100k', '1e5', '100_000', '100000']) assert.equal(settingsOf('-n', text).limit, 100_000, text)
  assert.equal(settingsOf('--max-time', '8h').maxTimeMs, 8 * 3_600_000)
  assert.equal(settingsOf('--max-bytes', '50GB').maxArchiveBytes, 50e9)
  assert.equal(settingsOf('--max-rate', '200/s').maxRequestsPerSecond, 200)
  assert.equal(settingsOf('--max-held', '10k').maxHeld, 10_000)
})

test('crawl options: -s -n -o -d -q, and the folder is crawl when nothing is said', () => {
  const { seeds, folder, isDebug, log, given } = readCrawlOptions(['-s', 'x', '-n', '7', '-d', '-q'], {})
  assert.deepEqual([seeds.lists, folder, isDebug, log, given.limit], [['x'], 'crawl', true, 'none', 7])
  assert.equal(readCrawlOptions(['-s', 'x', '-o', 'y'], {}).folder, 'y')
})

test('ours: what is not said is left to the folder and the defaults', () => {
  assert.deepEqual(settingsOf(), {})
})

test('ours: repeatable options add up', () => {
  const patterns = ['--include', 'a*', '--include', 'b*']
  const settings = settingsOf(...patterns, '--allow-network', '10.0.0.0/8', '--allow-network', '::1')
  assert.deepEqual(settings.include, ['a*', 'b*'])
  assert.deepEqual(settings.allowNetworks, ['10.0.0.0/8', '::1'])
})

test('crawl options: whether a User-Agent names anybody to write to', () => {
  for (const agent of ['mybot/2 (+me@ufmg.br)', 'mybot (https://ufmg.br/bot)', 'x www.ufmg.br'])
    assert.equal(namesContact(agent), true, agent)
  for (const agent of ['mybot/2', 'escalona/0.1.0 (+https://github.com/escalona/escalona)'])
    assert.equal(namesContact(agent), false, agent)
})

test('crawl options: what makes no sense is reported with what would', () => {
  for (const [args, message] of [
    [['-n', '0'], /--limit takes a whole number from 1 up, not 0$/],
    [['-n', '1,000'], /--limit takes a whole number/],
    [['--delay', 'soon'], /--delay takes a duration such as 250ms/],
    [['--delay', '-1'], /--delay takes a value: --delay T/],
    [['--delay=-1'], /--delay takes a duration/],
    [['--timeout', '0ms'], /--timeout takes a duration/],
    [['--max-body', '1TiB'], /--max-body takes a size.* 256MiB/],
    [['--max-rate', 'fast'], /--max-rate takes a rate such as 200\/s/],
    [['--scope', 'all'], /--scope takes any, domain or host, not all/],
    [['-e', 'random'], /--strategy takes explore, depth, breadth, best or important/],
    [['--explore', '1.1'], /from 0 to 1/],
    [['--concurrency', '0'], /from 1 to 10000/],
    [['--allow-network', '10.0.0.0/33'], /10\.0\.0\.0\/33/],
    [['--hosts', 'does-not-exist'], /does-not-exist: there is no such file/],
    [['--dealy', '1s'], /^there is no option --dealy; did you mean --delay\?$/],
    [['--nonsense'], /^there is no option --nonsense$/],
    [['--debug=yes'], /--debug takes no value/],
    [['-o', ''], /-o takes the name of a folder/],
    [['--log', 'xml'], /--log takes text, json or none, not xml/],
    [['--retry', 'faild'], /--retry takes failed, refused, held or a reason, not faild; did you mean failed\?/],
    [['-s', '-', '-s', '-'], /standard input can be read once/],
    [['-s', 'no-such-host.example'], /there is no file no-such-host\.example; if it is a URL, add its scheme/],
  ] as const) {
    assert.throws(() => optionsOf(...args), { name: 'EscalonaError', message }, args.join(' '))
  }
  for (const contact of ['x\ny', 'x'.repeat(600)])
    assert.throws(() => optionsOf('--contact', contact), { message: /--contact takes/ })
})

test('crawl options: options that contradict each other are reported', () => {
  const contradictions = [
    ['--fresh', '--add'],
    ['--fresh', '--retry', 'failed'],
    ['-q', '--log', 'json'],
  ]
  for (const args of contradictions) assert.throws(() => optionsOf(...args), { message: /contradict each other/ })
  assert.equal(optionsOf('-q', '--log', 'none').log, 'none')
})

test('crawl options: resume takes a folder and the options of crawl, except those that begin one', () => {
  const { folder, given, retry } = readResumeOptions(
    ['ufmg', '-n', '200k', '--retry', 'failed', '--retry', 'status-503'],
    {},
  )
  assert.deepEqual([folder, given.limit, retry], ['ufmg', 200_000, ['failed', 'status-503']])
  assert.throws(() => readResumeOptions([], {}), { message: /escalona resume DIR/ })
  assert.deepEqual(readResumeOptions(['a', 'https://b.br/'], {}).seeds.urls, ['https://b.br/'])
  assert.throws(() => readResumeOptions(['a', '--fresh'], {}), { message: /there is no option --fresh/ })
})

test('crawl options: --header, --cookie and --auth belong to the host that they name', () => {
  const { hostSettings } = readCrawlOptions(
    [
      ...['ufmg.br', '--header', 'ufmg.br:8080: X-Key: a: b', '--header', '*.ufmg.br: X-Key: env:KEY'],
      ...['--cookie', 'ufmg.br=sid=1; x=2', '--auth', 'ufmg.br=me:se:cret', '--auth', 'http://a.br=me:env:PASS'],
    ],
    { KEY: 'from outside', PASS: 'p' },
  ).given
  assert.deepEqual(hostSettings, [
    { host: 'ufmg.br:8080', headers: { 'X-Key': 'a: b' } },
    { host: '*.ufmg.br', headers: { 'X-Key': 'from outside' } },
    { host: 'ufmg.br', headers: { Cookie: 'sid=1; x=2' } },
    { host: 'ufmg.br', headers: { Authorization: `Basic ${Buffer.from('me:se:cret').toString('base64')}` } },
    { host: 'http://a.br', headers: { Authorization: `Basic ${Buffer.from('me:p').toString('base64')}` } },
  ])
})

test('crawl options: an error about a secret does not show it', () => {
  for (const args of [
    ['--header', 'hunter2'],
    ['--cookie', 'hunter2'],
    ['--auth', 'ufmg.br=hunter2'],
    ['--auth', 'ufmg.br=env:hunter2!'],
  ]) {
    assert.throws(
      () => optionsOf(...args),
      error => error instanceof Error && !error.message.includes('hunter2'),
      args.join(' '),
    )
  }
  assert.throws(() => optionsOf('--auth', 'ufmg.br=env:NOT_SET'), { message: /variable NOT_SET is not set/ })
})

test('crawl options: a proxy is named, or the environment names one, or neither', () => {
  const env = { HTTP_PROXY: 'http://a:1', https_proxy: 'http://b:2', NO_PROXY: 'ufmg.br, .local,' }
  const proxyOf = (...args: string[]) => readCrawlOptions(['ufmg.br', ...args], env).given.proxy
  assert.deepEqual(proxyOf(), { http: 'http://a:1', https: 'http://b:2', no: ['ufmg.br', '.local'] })
  assert.deepEqual(proxyOf('--proxy', 'http://c:3'), {
    http: 'http://c:3',
    https: 'http://c:3',
    no: ['ufmg.br', '.local'],
  })
  assert.equal(proxyOf('--proxy', 'none'), undefined)
  assert.equal(readCrawlOptions(['ufmg.br'], { HTTP_PROXY: '' }).given.proxy, undefined)
})

const CONFIG = `seeds = ["https://ufmg.br/"]
output = "ufmg"
delay = "1s"
limit = 1000
include = ["a*", "b*"]
debug = true
quiet = false
contact = "me@ufmg.br"
addresses = ["127.0.0.1 a.test"]

[hosts."ufmg.br"]
delay = "30s"
limit = 10
headers = { Cookie = "env:SID" }
`

test('crawl options: --config has the names of the options, and the command line beats it', t => {
  const config = fileOf(t, 'ufmg.toml', CONFIG)
  const env = { SID: 'sid=1' }
  const { folder, isDebug, log, seeds, given } = readCrawlOptions(['--config', config], env)
  assert.deepEqual([folder, isDebug, log, seeds.urls], ['ufmg', true, 'text', ['https://ufmg.br/']])
  assert.deepEqual(given, {
    contact: 'me@ufmg.br',
    delayMs: 1000,
    limit: 1000,
    include: ['a*', 'b*'],
    hosts: new Map([['a.test', '127.0.0.1']]),
    hostSettings: [{ host: 'ufmg.br', delayMs: 30_000, limit: 10, headers: { Cookie: 'sid=1' } }],
  })
  const mine = readCrawlOptions(['--config', config, '--delay', '2s', '--include', 'c*', '-o', 'other'], env)
  assert.deepEqual([mine.folder, mine.given.delayMs, mine.given.include], ['other', 2000, ['c*']])
})

test('crawl options: the same configuration in JSON', t => {
  const text = JSON.stringify({ limit: '100k', scope: 'host', hosts: { 'ufmg.br': { delay: '250ms' } } })
  const { given } = readCrawlOptions(['ufmg.br', '--config', fileOf(t, 'c.json', text)], {})
  assert.deepEqual(given, { limit: 100_000, scope: 'host', hostSettings: [{ host: 'ufmg.br', delayMs: 250 }] })
})

test('crawl options: what a configuration gets wrong is an error with its name', t => {
  for (const [text, message] of [
    ['dealy = "1s"', /c\.toml: there is no setting dealy; did you mean delay\?/],
    ['[hosts."a.br"]\ndelya = 1', /c\.toml: there is no setting delya; did you mean delay\?/],
    [
      '[hosts."a.br"]\ndelay = 1',
      /hosts\."a\.br"\.delay takes a number, or a duration with its unit such as 1s, not 1/,
    ],
    ['delay = 100', /c\.toml: --delay 100 has no unit; write 100s/],
    ['hosts = "file"', /hosts is a section/],
    ['debug = "yes"', /debug is true or false/],
    ['delay = ["1s", "2s"]', /delay takes one value/],
    ['delay = true', /delay takes a string, a number, or a list/],
    ['delay = "soon"', /c\.toml: --delay takes a duration/],
    ['fresh = true', /fresh belongs on the command line/],
    ['delay = ', /neither TOML nor JSON/],
    ['{"delay": 1', /neither TOML nor JSON/],
    ['delay = 1\nlimit = = 2', /c\.toml:2:9 is neither TOML nor JSON/],
    ['seeds = 5', /seeds takes URLs and files as text/],
    ['[hosts.__proto__]\ndelay = 1', /no setting __proto__/],
  ] as const) {
    const config = fileOf(t, 'c.toml', text)
    assert.throws(() => optionsOf('--config', config), { name: 'EscalonaError', message }, text)
  }
  assert.throws(() => optionsOf('--config', '/dev/zero'), { code: 'FILE_UNREADABLE', message: /larger than 64 MiB/ })
  assert.throws(() => optionsOf('--config', 'not-there.toml'), { code: 'FILE_UNREADABLE', message: /not-there\.toml/ })
})

test('crawl options: a seed without a scheme is https, where a host is plainly meant', () => {
  const hrefOf = (text: string) => {
    const seed = seedOf(text)
    return typeof seed === 'string' ? seed : seed.href
  }
  for (const [text, href] of Object.entries({
    'ufmg.br': 'https://ufmg.br/',
    'ufmg.br/a?b': 'https://ufmg.br/a?b',
    'ufmg.br:8080': 'https://ufmg.br:8080/',
    '//ufmg.br': 'https://ufmg.br/',
    'localhost:3000/x': 'https://localhost:3000/x',
    '10.0.0.1': 'https://10.0.0.1/',
    'http://ufmg.br': 'http://ufmg.br/',
    'sitemap:ufmg.br/s.xml': 'sitemap:https://ufmg.br/s.xml',
    'Sitemap: http://ufmg.br/s.xml#x': 'sitemap:http://ufmg.br/s.xml',
  }))
    assert.equal(hrefOf(text), href, text)
  for (const text of ['mailto:me@ufmg.br', 'ftp://ufmg.br', 'javascript:x.y()', 'sitemap:sitemap:ufmg.br'])
    assert.equal(hrefOf(text), 'protocol')
  for (const text of ['ufmg', 'me@ufmg.br', 'a b.c', '']) assert.equal(hrefOf(text), 'malformed', text)
})

test('crawl options: URLs are given as words or with -s, lists with -s, several of each', t => {
  const list = fileOf(t, 'seeds.txt', 'a.br\n')
  const { seeds } = readCrawlOptions(['ufmg.br', '-s', list, '-s', 'https://b.br/', 'c.br', '-s', '-'], {})
  assert.deepEqual(seeds, { urls: ['ufmg.br', 'c.br', 'https://b.br/'], lists: [list, '-'] })
  assert.deepEqual(readCrawlOptions(['-'], {}).seeds, { urls: [], lists: ['-'] })
  assert.throws(() => readCrawlOptions([list], {}), { message: /is a file; name it with -s/ })
})

test('crawl options: a typed seed that is no web address is an error', async () => {
  const reading = readSeeds({ urls: ['ftp://ufmg.br'], lists: [] }, () => {})
  await assert.rejects(reading, { code: 'CLI_WRONG_USE', message: /"ftp:\/\/ufmg\.br": only http and https/ })
})

test('ours: seeds are one URL per line; blanks, comments, a BOM and Windows line ends do no harm, each is there once', async t => {
  const reported: string[] = []
  const seeds = await inFile(
    t,
    '\ufeffhttps://UFMG.br\r\n\r\n# comment\r\n  http://a.com/x#y \nhttp://a.com/x\n',
    path => readSeeds({ urls: [], lists: [path] }, text => reported.push(text)),
  )
  assert.deepEqual(
    seeds.map(({ href }) => href),
    ['https://ufmg.br/', 'http://a.com/x'],
  )
  assert.deepEqual(reported, [])
})

test('ours: a line that is no web address is reported with its number and reason, without control characters', async t => {
  const reported: string[] = []
  const seeds = await inFile(t, 'http://a.com/\nftp://b.com\nufmg\n\x1b[31mred\n', path =>
    readSeeds({ urls: [], lists: [path] }, text => reported.push(text)),
  )
  assert.equal(seeds.length, 1)
  assert.equal(reported.length, 3)
  assert.match(reported[0]!, /:2: "ftp:\/\/b\.com": only http and https; skipped/)
  assert.match(reported[1]!, /:3: "ufmg": not a web address; write https/)
  assert.ok(!reported[2]!.includes('\x1b'))
})

test('ours: a file of mistakes is reported in twenty lines and a number, a line without end in bounded memory', async t => {
  const reported: string[] = []
  await inFile(t, `http://a.com/\n${'x\n'.repeat(500)}${'y'.repeat(3_000_000)}`, path =>
    readSeeds({ urls: [], lists: [path] }, text => reported.push(text)),
  )
  assert.equal(reported.length, 21)
  assert.match(reported[20]!, /481 more lines skipped/)
})

test('ours: without a seed there is nothing to do', async t => {
  const reading = inFile(t, '\n# nothing\n', path => readSeeds({ urls: [], lists: [path] }, () => {}))
  await assert.rejects(reading, { code: 'CRAWL_NO_SEEDS', message: /write one per line/ })
})

function inFile<Result>(t: TestContext, text: string, use: (path: string) => Promise<Result>): Promise<Result> {
  return use(fileOf(t, 'seeds.txt', text))
}

test('crawl options: --sitemaps and --no-sitemaps; the scope decides without them, and -s takes a sitemap', () => {
  assert.equal(optionsOf('ufmg.br').given.sitemaps, undefined)
  assert.equal(optionsOf('ufmg.br', '--sitemaps').given.sitemaps, 'yes')
  assert.equal(optionsOf('--sitemaps', 'ufmg.br').given.sitemaps, 'yes')
  assert.equal(optionsOf('ufmg.br', '--no-sitemaps').given.sitemaps, 'no')
  assert.throws(() => optionsOf('ufmg.br', '--sitemaps', '--no-sitemaps'), /--sitemaps/)
  const { urls, lists } = optionsOf('-s', 'sitemap:https://ufmg.br/s.xml').seeds
  assert.deepEqual([urls.at(-1), lists], ['sitemap:https://ufmg.br/s.xml', []])
  const scopes = (['any', 'domain', 'host'] as const).map(scope => settingsWith({ scope }, 1, '1').sitemaps)
  assert.deepEqual(scopes, ['no', 'yes', 'yes'])
})

test('crawl options: --recrawl, --recrawl due and --no-recrawl; a seed after --recrawl is a seed; files say true, false or due', t => {
  assert.equal(settingsOf('--recrawl').recrawl, 'yes')
  assert.equal(settingsOf('--recrawl', 'due', '--recrawl-min', '2h').recrawl, 'due')
  assert.equal(settingsOf('--no-recrawl').recrawl, 'no')
  assert.deepEqual(readCrawlOptions(['--recrawl', 'ufmg.br'], {}).seeds.urls, ['ufmg.br'])
  assert.equal(readResumeOptions(['crawl', '--recrawl'], {}).given.recrawl, 'yes')
  assert.throws(() => settingsOf('--recrawl', '--no-recrawl'), { message: /--recrawl.*--no-recrawl/ })
  assert.throws(() => settingsOf('--recrawl=often'), { message: /no, yes, due or now/ })
  const inFile = (text: string) => settingsOf('--config', fileOf(t, 'crawl.toml', text)).recrawl
  assert.deepEqual(
    ['recrawl = true', 'recrawl = false', 'recrawl = "due"'].map(text => inFile(text)),
    ['yes', 'no', 'due'],
  )
  assert.throws(() => inFile('no-recrawl = true'), { message: /no-recrawl/ })
  assert.equal(
    settingsOf('--no-recrawl', '--config', fileOf(t, 'crawl.toml', 'recrawl = "due"')).recrawl,
    'no',
    'the command line overrides the file',
  )
})

test('--ca: a file of certificates, on the command line or in a file of settings; a run gives it to the next', {
  skip: NO_OPENSSL,
}, t => {
  const { cert, key, path } = certificate(t, 'a.example')
  const pem = cert.toString().trim()
  const both = fileOf(t, 'both.pem', `# mine\n${key}${pem}\n${pem}\n`)
  assert.deepEqual(settingsOf('--ca', path).ca, [pem])
  const given = settingsOf('--config', fileOf(t, 'c.toml', `ca = ${JSON.stringify(both)}`))
  assert.deepEqual(given.ca, [pem, pem])
  const named = namedSettings(given)
  assert.doesNotMatch(JSON.stringify(named), /PRIVATE|\\n/)
  assert.deepEqual(
    readNamed(named).ca!.map(one => new X509Certificate(one).fingerprint256),
    [pem, pem].map(one => new X509Certificate(one).fingerprint256),
  )
  assert.deepEqual(settingsOf('--ca', 'none').ca, [])
  assert.throws(() => optionsOf('--ca', 'no-such.pem'), { message: /no-such\.pem: there is no such file/ })
  assert.throws(() => optionsOf('--ca', fileOf(t, 'x.pem', 'x y')), { code: 'FETCH_BAD_CA' })
  assert.throws(() => settingsWith({ ca: ['x y'] }, 1, '0'), { code: 'FETCH_BAD_CA' })
})
