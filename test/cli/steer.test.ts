// A crawl that runs in one process, steered from another; and what people may leave out.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { readCrawlFile } from '../../src/folder/crawl-file.ts'
import { running } from '../journey/crawl.ts'
import { plainHost, smallWeb } from '../journey/small-web.ts'
import { escalona, escalonaBeside } from './run-cli.ts'

async function web(t: TestContext, pages: number) {
  const small = await smallWeb(t, [plainHost('a.test', '127.0.0.1', pages)])
  return { ...small, options: [...small.args, '--contact', 'me@ufmg.br', '--workers', '1'] }
}

async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  for (let n = 0; n < 400; n++) {
    if (await isSo()) return
    await wait(50)
  }
  assert.fail(what)
}

test('steering: pause, resume, change and stop from another terminal; the last one waits for the end', async t => {
  const { options, folder, log } = await web(t, 500)
  const command = running(t, [...options, '--delay', '50ms'])
  await until(async () => log.length > 3, 'requests')
  const told = async (...args: string[]) => {
    const { code, stderr } = await escalonaBeside(args)
    assert.equal(code, 0, stderr)
    return stderr
  }
  assert.match(await told('pause', folder), /^escalona: paused/)
  await until(async () => (await told('status', folder)) !== undefined && (await isQuiet()), 'the pause')
  assert.match(await told('change', folder, '--delay', '20ms', '-n', '100k'), /changed: .*delay 20ms/)
  assert.match(await told('resume', folder), /was paused; process \d+ continues it/)
  const before = log.length
  await until(async () => log.length > before, 'requests after the pause')
  assert.match(await told('stop', folder), /has ended; to continue it: escalona resume /)
  const { code } = await command.ending
  assert.equal(code, 0)
  assert.equal(readCrawlFile(folder)!.runs.at(-1)!.because, 'stopped')
  assert.equal(readCrawlFile(folder)!.runs.at(-1)!.settings.delay, '20ms')

  for (const name of ['pause', 'stop']) {
    const late = escalona([name, folder])
    assert.deepEqual(
      [late.code, /is not running; to continue it, also with other settings: escalona resume /.test(late.stderr)],
      [2, true],
    )
  }
  assert.match(escalona(['change', folder]).stderr, /nothing to change/)

  async function isQuiet(): Promise<boolean> {
    const requests = log.length
    await wait(300)
    return log.length === requests
  }
})

test('crawl command: a folder need not be named where there is a crawl in ./crawl, and resume takes more seeds', async t => {
  const { options, folder, url } = await web(t, 3)
  const cwd = dirname(folder)
  assert.equal((await escalonaBeside(['crawl', ...options, '--delay', '1ms', '--max-time', '1h'])).code, 0)
  assert.match(escalona(['status'], { cwd }).stdout.toString(), /^crawl: ended .*: nothing is left to do/)
  const again = escalona(['resume'], { cwd })
  assert.equal(again.code, 0, again.stderr)
  assert.equal(readCrawlFile(folder)!.runs.at(-1)!.settings['max-time'], undefined, '--max-time is of one run')
  const added = await escalonaBeside(['resume', folder, url('a.test', '/more')])
  assert.match(added.stderr, /1 seed added/)
  assert.match(readFileSync(join(folder, 'seeds.jsonl'), 'utf8'), /a\.test:\d+\/more/)
  assert.match(escalona(['status'], { cwd: folder }).stderr, /no folder given, and there is no crawl in \.\/crawl/)
})

test('crawl command: a duration needs a unit, and a missing list of seeds is not a host', () => {
  assert.match(
    escalona(['crawl', 'a.test', '--delay', '1']).stderr,
    /--delay 1 has no unit; write 1s for seconds or 1ms for milliseconds/,
  )
  assert.match(escalona(['crawl', 'seeds2.txt']).stderr, /there is no file seeds2\.txt; if it is a host, write https:/)
})

test('crawl command: -q says in one line why nothing was archived', async t => {
  const small = await smallWeb(t, [{ name: 'a.test', address: '127.0.0.1', answer: () => undefined }])
  const { code, stderr } = await escalonaBeside(['crawl', ...small.args, '-q'])
  assert.deepEqual([code, stderr.split('\n').length], [1, 2], stderr)
  assert.match(stderr, /^escalona: no page was archived: status-404, 1 link: /)
})

test('live page: a token that the operator set is not printed', async t => {
  const { options } = await web(t, 2)
  const env = { ESCALONA_UI_TOKEN: 'a-token-that-nobody-guesses' }
  const { stderr } = await running(t, [...options, '--delay', '1ms', '--ui'], { env }).ending
  assert.match(stderr, /live page: http:\/\/127\.0\.0\.1:\d+\/\?token=YOUR_TOKEN\n/)
  assert.ok(!stderr.includes('nobody-guesses'))
})
