// Looking at a crawl with status, hosts, list, explain and cat: while it runs, when it has ended, and after it was killed.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { CrawlStatus } from '../../src/view/status.ts'
import { MAIN, type Owner, PLAIN, refusalOf, temporaryFolder } from '../cli/run-cli.ts'
import { crawl, running } from './crawl.ts'
import { pageWith, plainHost, robotsTxt, type SmallWeb, smallWeb } from './small-web.ts'

interface Said {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Not `spawnSync`: this process serves the web. */
async function escalona(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Said> {
  const child = spawn(process.execPath, [MAIN, ...args], { env: { ...process.env, ...PLAIN, ...env } })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', text => (stdout += String(text)))
  child.stderr.setEncoding('utf8').on('data', text => (stderr += String(text)))
  const code = await new Promise<number | null>(resolve => child.on('close', resolve))
  return { code, stdout, stderr }
}

async function rowsOf(...args: string[]): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await escalona([...args, '--json'])
  assert.equal(code, 0, stderr)
  return stdout
    .trim()
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Record<string, unknown>)
}

const PAGES = 12
/** With a second between two of them: nobody looks for so long. */
const MANY_PAGES = 200

/** A host with pages, one that robots.txt forbids, one that is missing, and a link to a host that is out of scope. */
function web(t: Owner, crawlDelay = 0, pages = PAGES): Promise<SmallWeb> {
  const plain = plainHost('a.test', '127.3.0.1', pages)
  return smallWeb(
    t,
    [
      {
        ...plain,
        answer(path, times) {
          if (path === '/robots.txt')
            return robotsTxt(`User-agent: *\nCrawl-delay: ${crawlDelay}\nDisallow: /private/\n`)
          if (path === '/12') return { status: 302, headers: { Location: '/1' } }
          if (path !== '/') return plain.answer(path, times)
          const links = Array.from({ length: pages }, (_, n) => `/${n + 1}`)
          return pageWith('front \u001b[31mred;=HYPERLINK("x")', [
            '/missing',
            '/private/x',
            'http://b.test:{{port}}/',
            ...links,
          ])
        },
      },
      plainHost('b.test', '127.3.0.2', 3),
    ],
    { seeds: ['a.test/'] },
  )
}

/** A crawl of it that has ended; no test changes it. */
const ended = await web({ after })
{
  const { code, stderr } = await crawl(ended, '--scope', 'host', '-q', '--delay', '1ms')
  assert.equal(code, 0, stderr)
}

test('questions: status, hosts, list, explain and cat look at a crawl that runs', async t => {
  const small = await web(t, 1, MANY_PAGES)
  const { folder, url } = small
  const command = running(t, [...small.args, '--scope', 'host', '-q'])
  for (let n = 0; n < 500 && small.log.length < 3; n++) await wait(10)
  const before = snapshot(folder)

  const [status] = (await rowsOf('status', folder)) as unknown as [CrawlStatus]
  assert.deepEqual(status.state.kind === 'running' && status.state.pid, command.pid)
  const { known, archived, redirected, refused, failed, held, waiting, leased } = status.waterfall
  assert.equal(known, archived + redirected + refused.count + failed.count + held.count + waiting + leased)
  assert.equal(known, MANY_PAGES + 4)
  const text = await escalona(['status', folder])
  assert.match(text.stdout, /: running \(process \d+ on .*\) since \d{4}-/)
  assert.match(text.stdout, /known links +204\n/)
  assert.match(text.stdout, /\+ held +1 {3}scope 1\n/)
  assert.match(text.stdout, /scope = host\n/)

  const hosts = await rowsOf('hosts', folder)
  assert.deepEqual(hosts.map(({ host }) => host).sort(), [`a.test:${small.port}`, `b.test:${small.port}`])
  const [top] = await rowsOf('hosts', folder, '--sort', 'delay', '-n', '1')
  assert.deepEqual([top!.host, top!.delayMs], [`a.test:${small.port}`, 1000])

  const heldLinks = await rowsOf('list', folder, '--state', 'held')
  assert.deepEqual(
    heldLinks.map(({ url, reason, from }) => [url, reason, from]),
    [[url('b.test'), 'scope', url('a.test')]],
  )
  const story = await escalona(['explain', folder, url('b.test')])
  assert.match(story.stdout, /state: +held \(scope\)/)
  assert.match(story.stdout, /what to do: +\S/)
  assert.match(story.stdout, /settings: +keep it out \(--scope host\)/)
  assert.match(story.stdout, new RegExp(`found on: +${url('a.test')} \\(1 link from a seed\\)`))

  const { stdout } = await escalona(['cat', folder, url('a.test'), '--links'])
  assert.ok(stdout.split('\n').includes(url('a.test', '/12')))
  assert.equal(existsSync(join(folder, 'run.sock')), true)
  assert.deepEqual(
    Object.keys(before).filter(name => !Object.hasOwn(snapshot(folder), name)),
    [],
    'looking removed files',
  )
  command.kill('SIGKILL')
  const ending = await command.ending
  assert.equal(ending.signal, 'SIGKILL', 'it ended before it was looked at')

  // The same folder, killed: nobody answers at the socket that was left.
  const [after] = (await rowsOf('status', folder)) as unknown as [CrawlStatus]
  assert.equal(after.state.kind, 'killed')
  const left = after.waterfall
  assert.equal(
    left.known,
    left.archived +
      left.redirected +
      left.refused.count +
      left.failed.count +
      left.held.count +
      left.waiting +
      left.leased,
  )
  assert.equal(left.known, MANY_PAGES + 4)
  assert.match((await escalona(['status', folder])).stdout, /killed.*escalona resume/)
  assert.equal((await rowsOf('list', folder, '--state', 'held')).length, 1)
})

/** Names and sizes: what somebody who only looks must not change. */
function snapshot(folder: string): Record<string, number> {
  const names = readdirSync(folder, { recursive: true }).map(String)
  return Object.fromEntries(names.map(name => [name, statSync(join(folder, name)).size]))
}

test('questions: an ended crawl says which URLs have no page, why, and what to do', async () => {
  const { folder, url, port } = ended
  const before = snapshot(folder)

  assert.match((await escalona(['status', folder])).stdout, /: ended \d{4}-\d\d-\d\d .* UTC: nothing is left to do/)
  const links = await rowsOf('list', folder, '--state', 'refused', '--state', 'failed')
  assert.deepEqual(links.map(({ url, state, reason }) => [url, state, reason]).sort(), [
    [url('a.test', '/missing'), 'refused', 'status-404'],
    [url('a.test', '/private/x'), 'refused', 'robots'],
  ])
  const missing = await escalona(['explain', folder, url('a.test', '/missing')])
  assert.match(missing.stdout, /state: +refused \(status-404\)/)
  assert.match(missing.stdout, /ended: +\d{4}-.*, HTTP 404/)
  const forbidden = await escalona(['explain', folder, url('a.test', '/private/x')])
  assert.match(forbidden.stdout, /robots\.txt: +not allowed; line 3: Disallow: \/private\//)
  const moved = await escalona(['explain', folder, url('a.test', '/12')])
  assert.match(moved.stdout, /state: +redirected\n +to: +http:\/\/a\.test:\d+\/1\n/)
  assert.match(moved.stdout, /archive: +archive\/escalona-[\da-z]{8}-\d{14}-00001\.warc\.gz, byte \d+/)
  const page = await escalona(['explain', folder, `a.test:${port}/`])
  assert.match(page.stdout, /state: +archived/)
  assert.match(page.stdout, /title: +front .*\[31mred/)
  assert.ok(!page.stdout.includes('\u001b'), 'a title reached the terminal')

  const csv = (await escalona(['list', folder, '--state', 'done', '--csv'])).stdout.trimEnd().split('\r\n')
  assert.equal(csv[0], 'state,reason,attempts,hops,url,from,status,bytes,time,title')
  assert.equal(csv.length, 1 + PAGES)
  const front = csv.find(line => line.includes('front'))!
  assert.ok(front.includes(`red;'=HYPERLINK(""x"")"`), `a spreadsheet that divides at ; runs no formula: ${front}`)
  const none = await escalona(['list', folder, '--reason', 'timeut'])
  assert.match(none.stderr, /no link ended for the reason timeut; reasons in this crawl: robots, scope, status-404/)
  assert.equal(none.stdout, '')
  assert.deepEqual(snapshot(folder), before)
})

test('questions: cat prints an answer out of the archive, byte for byte', async () => {
  const { folder, url } = ended
  assert.equal((await escalona(['cat', folder, url('a.test', '/1')])).stdout, pageWith('a.test/1', ['/']))
  assert.match(
    (await escalona(['cat', folder, url('a.test', '/1'), '--headers'])).stdout,
    /^HTTP\/1\.1 200 OK\nContent-Type: text\/html\n/,
  )
  assert.equal(
    (await escalona(['cat', folder, url('a.test', '/1'), '--text'])).stdout,
    'a.test/1 x\n'.replace('a.test/1 ', ''),
  )
  assert.match(
    (await escalona(['cat', folder, url('a.test', '/12'), '--headers'])).stdout,
    /^HTTP\/1\.1 302 .*\n(?:.*\n)*Location: \/1\n/,
  )
  const moved = await escalona(['cat', folder, url('a.test', '/12')])
  assert.deepEqual([moved.code, moved.stdout], [1, ''])
  assert.match(moved.stderr, /\/12 redirected to http:\/\/a\.test:\d+\/1; escalona cat .*\/1\n/)
  assert.match((await escalona(['cat', folder, url('a.test', '/robots.txt')])).stdout, /^User-agent: \*\n/)
  const absent = await escalona(['cat', folder, url('a.test', '/missing')])
  assert.equal(absent.code, 1)
  assert.match(
    absent.stderr,
    /\/missing answered with status 404 and is not a page; escalona cat .*\/missing --headers prints/,
  )
  const unknown = await escalona(['cat', folder, url('a.test', '/never-asked')])
  assert.deepEqual([unknown.code, unknown.stdout], [2, ''])
  assert.match(unknown.stderr, /the archive has no answer from .*\/never-asked; escalona explain .* says why/)
  const both = await escalona(['cat', folder, url('a.test'), '--html', '--links'])
  assert.equal(both.code, 2)
})

test('ours: a folder that holds no crawl is named, and so is what is missing', async t => {
  const folder = temporaryFolder(t)
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  for (const command of ['status', 'hosts', 'list'] as const) {
    assert.match(
      await refusalOf(command, [empty]),
      /empty is not the folder of a crawl; name the folder that a crawl was written to/,
    )
  }
  assert.match(await refusalOf('status', [join(folder, 'none')]), /there is no folder .*none; name the folder/)
  assert.match(
    await refusalOf('list', []),
    /no folder given, and there is no crawl in \.\/crawl; name the folder of a crawl; see escalona list --help/,
  )
  assert.match(
    await refusalOf('explain', [empty]),
    /no URL given; write it after the folder; see escalona explain --help/,
  )
  assert.match(await refusalOf('list', [empty, '--state', 'faild']), /--state takes one of .*; did you mean failed\?/)
  const { code, stderr } = await escalona(['status', empty, '--lang', 'pt'])
  assert.deepEqual([code, /não é a pasta de uma coleta/.test(stderr)], [2, true], stderr)
})

test('questions: the first rows of a long list come at once, and | head ends it', async t => {
  const folder = join(temporaryFolder(t), 'crawl')
  cpSync(ended.folder, folder, { recursive: true })
  const lines = readFileSync(join(folder, 'pages.jsonl'), 'utf8')
  writeFileSync(join(folder, 'pages.jsonl'), lines.repeat(30_000))
  const child = spawn(process.execPath, [MAIN, 'list', folder, '--state', 'done'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.after(() => child.kill('SIGKILL'))
  let stderr = ''
  child.stderr.on('data', text => (stderr += String(text)))
  const first = await new Promise<string>(resolve => child.stdout.once('data', text => resolve(String(text))))
  assert.match(first, /^STATE +REASON +TRIES +HOPS {2}URL\narchived/)
  child.stdout.destroy()
  const endedAtMs = performance.now()
  const code = await new Promise<number | null>(resolve => child.on('close', resolve))
  assert.deepEqual([code, stderr], [0, ''])
  assert.ok(performance.now() - endedAtMs < 5000)
})
