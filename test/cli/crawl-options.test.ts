import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readCrawlOptions } from '../../src/cli/crawl-options.ts'
import { readSeeds } from '../../src/cli/seeds.ts'

function settingsOf(...args: readonly string[]) {
  return readCrawlOptions(['-s', 'seeds.txt', ...args], '1.2.3').settings
}

test('SPEC 5: options take durations and sizes, and a bare number is milliseconds', () => {
  assert.equal(settingsOf('--delay', '250ms').delayMs, 250)
  assert.equal(settingsOf('--delay', '250').delayMs, 250)
  assert.equal(settingsOf('--delay', '0').delayMs, 0)
  assert.equal(settingsOf('--timeout', '2m').timeoutMs, 120_000)
  assert.equal(settingsOf('--max-body', '500KiB').maxBodyBytes, 512_000)
})

test('SPEC 5: -s -n -o -d -q, and the folder is crawl when nothing is said', () => {
  const { seedsPath, folder, isDebug, isQuiet, settings } = readCrawlOptions(['-s', 'x', '-n', '7', '-d', '-q'], '1')
  assert.deepEqual([seedsPath, folder, isDebug, isQuiet, settings.limit], ['x', 'crawl', true, true, 7])
  assert.equal(readCrawlOptions(['-s', 'x', '-o', 'y'], '1').folder, 'y')
})

test('ours: what is not said is left to the defaults', () => {
  assert.deepEqual(settingsOf(), {})
})

test('ours: repeatable options add up', () => {
  const settings = settingsOf(
    '--include',
    'a*',
    '--include',
    'b*',
    '--allow-network',
    '10.0.0.0/8',
    '--allow-network',
    '::1',
  )
  assert.deepEqual(
    [settings.include, settings.allowNetworks],
    [
      ['a*', 'b*'],
      ['10.0.0.0/8', '::1'],
    ],
  )
})

test('SPEC 5: the User-Agent names the crawler and a contact', () => {
  assert.equal(settingsOf('--contact', 'me@ufmg.br').userAgent, 'escalona/1.2.3 (+me@ufmg.br)')
  assert.equal(settingsOf('--user-agent', 'mybot/2').userAgent, 'mybot/2')
})

test('ours: what makes no sense is told with what would', () => {
  for (const [args, told] of [
    [['-n', '0'], /-n takes a whole number from 1 up/],
    [['-n', '1e3'], /-n takes a whole number/],
    [['--delay', 'soon'], /--delay takes a duration such as 250ms/],
    [['--delay', '-1'], /--delay/],
    [['--timeout', '0'], /--timeout takes a duration/],
    [['--max-body', '1TiB'], /--max-body takes a size up to 256MiB/],
    [['--scope', 'all'], /--scope takes any, domain or host/],
    [['-e', 'random'], /-e takes explore, depth, breadth or best/],
    [['--explore', '1.1'], /from 0 to 1/],
    [['--concurrency', '0'], /from 1 to 10000/],
    [['--allow-network', '10.0.0.0/33'], /10\.0\.0\.0\/33/],
    [['--user-agent', 'a\r\nEvil: 1'], /User-Agent/],
    [['--contact', 'x\ny'], /User-Agent/],
    [['--hosts', 'does-not-exist'], /no such file/],
    [['--nonsense'], /--nonsense/],
    [['extra'], /extra/],
    [['-o', ''], /-o takes a name/],
  ] as const) {
    assert.throws(() => settingsOf(...args), { name: 'EscalonaError', message: told }, args.join(' '))
  }
  assert.throws(() => readCrawlOptions([], '1'), { code: 'CLI_WRONG_USE', message: /-s.*escalona crawl --help/ })
})

test('ours: seeds are a URL a line; blanks, comments, a BOM and Windows line ends do no harm, each is there once', async () => {
  const told: string[] = []
  const seeds = await inFile('\ufeffhttps://UFMG.br\r\n\r\n# comment\r\n  http://a.com/x#y \nhttp://a.com/x\n', path =>
    readSeeds(path, text => told.push(text)),
  )
  assert.deepEqual(
    seeds.map(({ href }) => href),
    ['https://ufmg.br/', 'http://a.com/x'],
  )
  assert.deepEqual(told, [])
})

test('ours: a line that is no web address is told with its number and reason, without control characters', async () => {
  const told: string[] = []
  const seeds = await inFile('http://a.com/\nftp://b.com\nufmg.br\n\x1b[31mred\n', path =>
    readSeeds(path, text => told.push(text)),
  )
  assert.equal(seeds.length, 1)
  assert.equal(told.length, 3)
  assert.match(told[0]!, /:2: "ftp:\/\/b\.com": only http and https; skipped/)
  assert.match(told[1]!, /:3: "ufmg\.br": no web address; write https/)
  assert.ok(!told[2]!.includes('\x1b'))
})

test('ours: a file of mistakes is told in twenty lines and a number, a line without end in bounded memory', async () => {
  const told: string[] = []
  await inFile(`http://a.com/\n${'x\n'.repeat(500)}${'y'.repeat(3_000_000)}`, path =>
    readSeeds(path, text => told.push(text)),
  )
  assert.equal(told.length, 21)
  assert.match(told[20]!, /481 more lines skipped/)
})

test('ours: without a seed there is nothing to do', async () => {
  const reading = inFile('\n# nothing\n', path => readSeeds(path, () => {}))
  await assert.rejects(reading, { code: 'CRAWL_NO_SEEDS', message: /write one a line/ })
})

async function inFile<Result>(text: string, use: (path: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'escalona-seeds-'))
  try {
    writeFileSync(join(folder, 'seeds.txt'), text)
    return await use(join(folder, 'seeds.txt'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
