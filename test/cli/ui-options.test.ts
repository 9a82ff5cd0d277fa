import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { readCrawlOptions, readResumeOptions } from '../../src/cli/crawl/crawl-options.ts'
import { uiWarnings } from '../../src/cli/ui/ui-options.ts'
import { escalona, escalonaBeside, temporaryFolder } from './run-cli.ts'

const FREE = { port: 0, bind: '127.0.0.1', token: undefined }

test('live page: --ui takes a port if digits follow, and nothing else', () => {
  const read = (...args: string[]) => readCrawlOptions(args, {})
  assert.equal(read('ufmg.br').ui, undefined)
  assert.deepEqual(read('ufmg.br', '--ui').ui, FREE)
  const before = read('--ui', '-n', '10', 'ufmg.br')
  assert.deepEqual([before.ui, before.given.limit, before.seeds.urls.length], [FREE, 10, 1])
  assert.deepEqual(read('ufmg.br', '--ui', '8080').ui, { ...FREE, port: 8080 })
  assert.deepEqual(read('ufmg.br', '--ui=8080').ui, { ...FREE, port: 8080 })
  const seed = read('--ui', 'ufmg.br')
  assert.deepEqual([seed.ui, seed.seeds.urls], [FREE, ['ufmg.br']])
  assert.deepEqual(read('-n', '5', '--ui', '--', 'ufmg.br').ui, FREE)
  assert.equal(read('--', '--ui.example').ui, undefined)
  assert.deepEqual(readResumeOptions(['crawl', '--ui', '81'], {}).ui, { ...FREE, port: 81 })
})

test('live page: --ui-token sets the token, or else ESCALONA_UI_TOKEN; --ui-bind the address', () => {
  const ui = (args: string[], env = {}) => readCrawlOptions(['ufmg.br', '--ui', ...args], env).ui
  const env = { ESCALONA_UI_TOKEN: 'from-environment' }
  assert.equal(ui([], env)!.token, 'from-environment')
  assert.equal(ui(['--ui-token', 'given'], env)!.token, 'given')
  assert.equal(ui(['--ui-bind', '0.0.0.0'])!.bind, '0.0.0.0')
  assert.equal(readCrawlOptions(['ufmg.br'], env).ui, undefined, 'the environment alone starts nothing')
})

test('ours: wrong ports, addresses and tokens say what would be right', () => {
  for (const [args, message] of [
    [['--ui', '65536'], /--ui takes a port from 0 to 65535, not 65536/],
    [['--ui=http'], /--ui takes a port from 0 to 65535, not http/],
    [['--ui', '--ui-bind', 'a/b'], /--ui-bind takes an IP address or a name/],
    [['--ui', '--ui-token', 'a b'], /without spaces; choose another/],
    [['--ui', '--ui-token', 'é'], /a token is at most 200 letters/],
    [['--ui-token', 'x'], /--ui-token does nothing without --ui; add --ui/],
    [['--ui-bind', '0.0.0.0'], /--ui-bind does nothing without --ui; add --ui/],
  ] as const)
    assert.throws(() => readCrawlOptions(['ufmg.br', ...args], {}), message)
})

test('ours: in a configuration file, ui is true, false or a port', t => {
  const path = join(temporaryFolder(t), 'crawl.toml')
  const ui = (text: string) => {
    writeFileSync(path, text)
    return readCrawlOptions(['ufmg.br', '--config', path], {}).ui
  }
  assert.deepEqual(ui('ui = true'), FREE)
  assert.equal(ui('ui = false'), undefined)
  assert.deepEqual(ui('ui = 8080\nui-token = "a-long-enough-token"'), {
    ...FREE,
    port: 8080,
    token: 'a-long-enough-token',
  })
})

test('live page: what is risky is said: an address that others can reach, a token that can be guessed', () => {
  const warnings = (bind: string, token?: string) => uiWarnings({ port: 0, bind, token }).length
  assert.deepEqual(
    [warnings('127.0.0.1'), warnings('localhost'), warnings('::1'), warnings('127.0.0.1', 'a'.repeat(16))],
    [0, 0, 0, 0],
  )
  assert.deepEqual([warnings('0.0.0.0'), warnings('10.0.0.1', 'short'), warnings('127.0.0.1', 'short')], [1, 2, 1])
})

test('live page: a port that is taken is an error before anything begins', async t => {
  const folder = join(temporaryFolder(t), 'crawl')
  const other = createServer().listen(0, '127.0.0.1')
  t.after(() => other.close())
  await new Promise(resolve => other.once('listening', resolve))
  const { port } = other.address() as { port: number }
  const taken = await escalonaBeside(['crawl', 'http://127.0.0.1:1/', '-o', folder, '--ui', String(port)])
  assert.equal(taken.code, 2)
  assert.match(taken.stderr, new RegExp(`escalona: port ${port} is in use; choose another, or leave the port out`))
  const nobody = escalona(['ui', folder])
  assert.deepEqual([nobody.code, nobody.stdout.length], [2, 0])
  assert.match(nobody.stderr, /there is no folder/, 'the crawl made none')
  const foreign = escalona(['crawl', 'http://127.0.0.1:1/', '-o', folder, '--ui', '--ui-bind', '192.0.2.1'])
  assert.equal(foreign.code, 2)
  assert.match(foreign.stderr, /cannot listen on 192\.0\.2\.1:0: .*; choose another address or port/)
})
