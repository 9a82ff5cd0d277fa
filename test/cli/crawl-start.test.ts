// How a crawl is started, gone on with and begun anew at the command line, and what it says then.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startOver } from '../../src/cli/crawl/fresh-folder.ts'
import { setLogForm } from '../../src/cli/terminal/say.ts'
import { readCrawlFile } from '../../src/folder/crawl-file.ts'
import { pageWith, plainHost, robotsTxt, type SmallHost, type SmallWeb, smallWeb } from '../journey/small-web.ts'
import { type Ending, escalonaBeside, MAIN, PLAIN } from './run-cli.ts'

const PAGES = 6
const FAST = ['--delay', '1ms', '--contact', 'me@ufmg.br', '--workers', '1']

/** A web of one host, and how to crawl it; `options` are what the web needs, without seeds. */
async function web(t: TestContext, hosts: readonly SmallHost[] = [plainHost('a.test', '127.0.0.1', PAGES)]) {
  const small = await smallWeb(t, hosts)
  const seeds = small.args.indexOf('-s')
  const options = [...small.args.slice(0, seeds), ...small.args.slice(seeds + 2), ...FAST]
  const crawl = (...args: string[]) => escalonaBeside(['crawl', ...args, ...options])
  return { ...small, options, crawl, front: small.url('a.test'), other: small.url('a.test', '/1') }
}

/** Messages without their times. */
function messages({ stderr }: Ending): string[] {
  return stderr
    .trimEnd()
    .split('\n')
    .map(line => line.replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z escalona: /, ''))
}

function archived({ folder }: Pick<SmallWeb, 'folder'>): string[] {
  const lines = readFileSync(join(folder, 'pages.jsonl'), 'utf8').trimEnd().split('\n')
  return lines.map(line => (JSON.parse(line) as { url: string }).url).sort()
}

test('crawl command: escalona crawl URL collects it, and so does -s URL; off a terminal, each line begins with a time', async t => {
  const { crawl, front, folder } = await web(t)
  const first = await crawl(front)
  assert.deepEqual([first.code, archived({ folder }).length], [0, PAGES + 1], first.stderr)
  for (const line of first.stderr.trimEnd().split('\n'))
    assert.match(line, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z escalona: ./)
  assert.deepEqual([(await crawl('-s', front)).code, archived({ folder }).length], [0, PAGES + 1])
})

test('crawl command: a seed without a scheme is http where nobody speaks https; the same command continues the crawl', async t => {
  const { crawl, port, folder } = await web(t)
  const first = await crawl(`a.test:${port}`)
  assert.deepEqual([first.code, archived({ folder }).length], [0, PAGES + 1], first.stderr)
  assert.ok(
    messages(first).some(line =>
      new RegExp(`^a\\.test:${port} cannot be reached by https \\(tls\\); collecting http://a\\.test:${port}/$`).test(
        line,
      ),
    ),
    first.stderr,
  )
  assert.equal(readFileSync(join(folder, 'seeds.jsonl'), 'utf8'), `{"url":"http://a.test:${port}/"}\n`)
  const again = await crawl(`a.test:${port}`)
  assert.equal(again.code, 0, again.stderr)
  assert.doesNotMatch(again.stderr, /https/)
  assert.equal(archived({ folder }).length, PAGES + 1)
})

test('crawl command: a seed without a scheme stays https where nobody answers, and with a scheme it is what was written', async t => {
  const { crawl, port, folder } = await web(t)
  const refused = await crawl('a.test:9', '--retries', '0')
  assert.match(refused.stderr, /1 link left at hosts that could not be reached \(robots-connect: /)
  assert.match(readFileSync(join(folder, 'seeds.jsonl'), 'utf8'), /"https:\/\/a\.test:9\/"/)
  const written = await crawl(`https://a.test:${port}`, '--fresh', '--yes')
  assert.ok(messages(written).includes('no page was archived'), written.stderr)
  assert.match(written.stderr, / {2}tls, 1 link: No encrypted connection/)
})

test('crawl command: a crawl that archived nothing exits with 1 and says why, with what to do', async t => {
  const { crawl, front } = await web(t, [{ name: 'a.test', address: '127.0.0.1', answer: () => undefined }])
  const ending = await crawl(front)
  assert.equal(ending.code, 1, ending.stderr)
  const said = messages(ending)
  assert.ok(said.includes('no page was archived'), ending.stderr)
  assert.ok(said.includes('known links 1 = 1 refused'), ending.stderr)
  assert.match(ending.stderr, / {2}status-404, 1 link: .*404.*\./)
})

test('crawl command: without a contact the first line says whom hosts see and what would be better', async t => {
  const small = await smallWeb(t, [plainHost('a.test', '127.0.0.1', 1)])
  const [first] = messages(await escalonaBeside(['crawl', ...small.args]))
  assert.match(
    first!,
    /^hosts see "escalona\/\S+ \(\+https:\/\/github\.com\/escalona\/escalona\)", with no one to contact; name a contact with --contact, and consider a longer --delay than 100 ms, such as 1s$/,
  )
  const others = await escalonaBeside(['crawl', ...small.args, '--contact', 'me@ufmg.br'])
  assert.doesNotMatch(others.stderr, /no one to contact/)
})

test('crawl command: going on is said in one line, and changed settings as a difference; escalona resume DIR needs nothing else', async t => {
  const { crawl, front, folder } = await web(t)
  assert.deepEqual(messages(await crawl(front, '-n', '3'))[0], `a new crawl in ${folder}, from 1 seed`)
  const same = await escalonaBeside(['resume', folder])
  assert.equal(same.code, 0, same.stderr)
  assert.match(same.stderr, /the limit is reached: 3 pages of 1 host/)
  assert.match(same.stderr, /the crawl already has \d pages?; raise the limit with -n, or remove it with -n none/)
  const more = await crawl(front, '-n', '5', '--delay', '2ms')
  const [first = '', second = ''] = messages(more)
  assert.match(first, /^going on in \S+: 3 pages since \d\d:\d\d, \d waiting$/)
  assert.equal(second, 'changed: limit 3 → 5')
  assert.deepEqual([more.code, archived({ folder }).length], [0, 5])
  const ending = await escalonaBeside(['resume', folder, '-n', 'none'])
  assert.match(ending.stderr, /changed: limit 5 → none/)
  assert.deepEqual([ending.code, archived({ folder }).length], [0, PAGES + 1], ending.stderr)
})

test('crawl command: resume in a folder without a crawl is wrong use', async t => {
  const { folder } = await web(t)
  const { code, stderr } = await escalonaBeside(['resume', folder])
  assert.equal(code, 2)
  assert.ok(stderr.includes(`there is no crawl in ${folder}; start one with escalona crawl URL -o ${folder}`), stderr)
  assert.ok(!existsSync(folder))
})

test('crawl command: crawl without seeds names the two ways; --fresh without a terminal needs --yes', async t => {
  const { crawl, front, folder } = await web(t)
  const { code, stderr } = await crawl()
  assert.equal(code, 2)
  assert.match(stderr, /no seeds given; write a URL, or name a file with -s; see escalona crawl --help/)
  await crawl(front, '-n', '1')
  assert.ok((await crawl()).stderr.includes(`to resume the crawl: escalona resume ${folder}`))
  const before = readdirSync(folder).sort()
  const fresh = await crawl(front, '--fresh')
  assert.equal(fresh.code, 2)
  assert.match(
    fresh.stderr,
    /--fresh removes the crawl in \S+, and there is no terminal to confirm it on; add --yes, or name another/,
  )
  assert.deepEqual(readdirSync(folder).sort(), before)
})

test('crawl command: --fresh --yes begins anew and touches no file that is not its own', async t => {
  const { crawl, front, other, folder } = await web(t)
  await crawl(front)
  mkdirSync(join(folder, 'archive', 'mine'))
  const kept = ['notes.txt', 'archive/mine/a.warc.gz', 'frontier/notes.txt', 'archive/escalona-copy.warc.gz']
  for (const name of kept) writeFileSync(join(folder, name), 'mine')
  const ending = await crawl(other, '-n', '1', '--fresh', '--yes')
  assert.equal(ending.code, 0, ending.stderr)
  assert.match(ending.stderr, /removed the crawl in \S+: \d+ files/)
  assert.match(ending.stderr, /a new crawl in \S+, from 1 seed/)
  assert.deepEqual(archived({ folder }), [other])
  for (const name of kept) assert.equal(readFileSync(join(folder, name), 'utf8'), 'mine', name)
  // Without them nothing at all stays, not even what a crawl that was killed left behind.
  for (const name of [...kept, join('archive', 'mine')]) rmSync(join(folder, name), { recursive: true, force: true })
  writeFileSync(join(folder, 'report.html.new'), '')
  setLogForm('none')
  assert.equal(await startOver(folder, true), true)
  assert.deepEqual(
    readdirSync(folder, { recursive: true }).filter(name => !/^lock-/.test(String(name))),
    [],
  )
})

test('crawl command: a secret that the folder does not keep is missed by name', async t => {
  const { crawl, front, folder } = await web(t)
  const first = await crawl(front, '-n', '2', '--header', `a.test: X-Key: hunter2`)
  const { stderr } = await escalonaBeside(['resume', folder])
  assert.ok(stderr.includes('secrets are not kept in the folder; give these again: X-Key for a.test'), stderr)
  assert.ok(!first.stderr.includes('hunter2') && !stderr.includes('hunter2'))
  for (const name of readdirSync(folder, { recursive: true })
    .map(String)
    .filter(name => /\.\w+$/.test(name))) {
    assert.ok(!readFileSync(join(folder, name)).includes('hunter2'), name)
  }
})

const noTerminal = spawnSync('script', ['--version']).error !== undefined && 'needs script(1) to make a terminal'

test('crawl command: --fresh asks on a terminal, and no is no', { skip: noTerminal }, async t => {
  const { crawl, front, options, folder } = await web(t)
  await crawl(front, '-n', '2')
  const command = [process.execPath, MAIN, 'crawl', front, ...options, '--fresh', '-n', '1'].join(' ')
  for (const [answer, pages, said] of [
    ['n', 2, /Remove the crawl in \S+ \(2 pages, begun \d\d:\d\d\) and start over\? \[y\/N\] .*nothing was removed/s],
    ['y', 1, /removed the crawl/],
  ] as const) {
    const terminal = spawn('script', ['-qec', command, '/dev/null'], {
      env: { ...process.env, ...PLAIN, SHELL: '/bin/sh' },
    })
    const shown: Buffer[] = []
    terminal.stdout.on('data', (bytes: Buffer) => {
      shown.push(bytes)
      if (bytes.includes('[y/N]')) terminal.stdin.write(`${answer}\n`)
    })
    await once(terminal, 'close')
    assert.match(Buffer.concat(shown).toString(), said)
    assert.equal(archived({ folder }).length, pages)
  }
})

test('crawl command: --log json is one object per line, errors too; none is silent', async t => {
  const { crawl, front } = await web(t)
  const { code, stderr } = await crawl(front, '--log', 'json')
  const lines = stderr
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Record<string, unknown>)
  for (const { time, level, message } of lines) {
    assert.ok(!Number.isNaN(Date.parse(time as string)))
    assert.equal(level, 'info')
    assert.ok((message as string).length > 0)
  }
  const { because, pages } = lines.find(({ event }) => event === 'end')!
  assert.deepEqual([code, because, pages], [0, 'nothing left', PAGES + 1])
  const wrong = await crawl('http://b.test/', '--log', 'json')
  const { level, code: errorCode } = JSON.parse(wrong.stderr) as Record<string, unknown>
  assert.deepEqual([wrong.code, level, errorCode], [2, 'error', 'CRAWL_OTHER_SEEDS'])
  const misspelt = JSON.parse((await crawl(front, '--log=json', '--dealy', '1s')).stderr) as Record<string, unknown>
  assert.deepEqual([misspelt.level, misspelt.code], ['error', 'CLI_WRONG_USE'])
  assert.equal((await crawl(front, '--log', 'none')).stderr, '')
})

test('crawl command: it says which links failed and where they are listed', async t => {
  const reset: SmallHost = {
    name: 'a.test',
    address: '127.0.0.1',
    answer: path => (path === '/' ? pageWith('a', ['/x']) : path === '/x' ? 'reset' : undefined),
  }
  const { crawl, front, folder } = await web(t, [reset])
  const { stderr } = await crawl(front, '--retries', '0', '--log', 'json')
  assert.ok(stderr.includes(`escalona list ${folder} --state failed`), stderr)
  const failed = stderr.split('\n').find(line => line.includes('"event":"failed"'))!
  assert.equal((JSON.parse(failed) as { url: string }).url, `${front}x`)
})

test('crawl command: LANG=pt_BR gives Portuguese messages', async t => {
  const { front, options, folder } = await web(t)
  const { code, stderr } = await escalonaBeside(['crawl', front, ...options], { env: { LC_ALL: 'pt_BR.UTF-8' } })
  assert.equal(code, 0)
  assert.ok(stderr.includes(`nova coleta em ${folder}, a partir de 1 semente`), stderr)
  assert.match(stderr, /não há mais nada a fazer: 7 páginas de 1 host/)
  assert.match(readFileSync(join(folder, 'report.html'), 'utf8'), /<html lang="pt/)
})

test('crawl command: --config starts a crawl, and crawl.toml of the folder is such a file', async t => {
  const { front, folder, options } = await web(t)
  const config = join(dirname(folder), 'my.toml')
  writeFileSync(config, `seeds = ["${front}"]\nlimit = 2\n[hosts."a.test"]\ndelay = "1ms"\n`)
  const first = await escalonaBeside(['crawl', '--config', config, ...options])
  assert.deepEqual([first.code, archived({ folder }).length], [0, 2], first.stderr)
  const copy = join(dirname(folder), 'copy')
  const args = ['crawl', front, '--config', join(folder, 'crawl.toml'), '-o', copy]
  const second = await escalonaBeside(args)
  assert.deepEqual([second.code, archived({ folder: copy }).length], [0, 2], second.stderr)
  const [of, as] = [folder, copy].map(one => readCrawlFile(one)!.runs[0]!.settings)
  assert.deepEqual(as, of)
})

test('crawl command: it says why it waits: a Crawl-delay of 30 s', async t => {
  const slow: SmallHost = {
    name: 'a.test',
    address: '127.0.0.1',
    answer: path =>
      path === '/robots.txt' ? robotsTxt('User-agent: *\nCrawl-delay: 30\n') : pageWith('a', ['/x', '/y']),
  }
  const { front, options } = await web(t, [slow])
  const { code, stderr } = await escalonaBeside(['crawl', front, ...options, '--max-time', '11s'])
  assert.match(
    stderr,
    /; the only waiting URL belongs to a\.test:\d+, which asked for 30 s between requests; next in \d+ s/,
  )
  assert.match(stderr, /the time is up \(--max-time\); run the same command to continue/)
  assert.equal(code, 1)
})

test('ours: a secret that no seed gets and a --retry without effect are named at the start', async t => {
  const { crawl, front, port } = await web(t)
  const first = await crawl(front, '-n', '1', '--auth', 'a.test=me:secret')
  assert.ok(
    messages(first).includes(
      `Authorization for a.test is not sent to http://a.test:${port}, since its port differs or it is http; to send it, write http://a.test:${port} as the host`,
    ),
    first.stderr,
  )
  const second = await crawl(front, '-n', '2', '--auth', `http://a.test:${port}=me:secret`, '--retry', 'status-999')
  assert.ok(!second.stderr.includes('not sent'), second.stderr)
  assert.ok(messages(second).includes('--retry status-999: no such link in this crawl'), second.stderr)
})

test('ours: a folder that cannot be used is an error about it, not a bug of ours', async t => {
  const { options, front, folder } = await web(t)
  const file = join(dirname(folder), 'file')
  writeFileSync(file, '')
  for (const output of [file, join(file, 'x'), join(dirname(folder), 'x'.repeat(300))]) {
    const { code, stderr } = await escalonaBeside(['crawl', front, ...options, '-o', output])
    assert.equal(code, 2)
    assert.match(stderr, /cannot use /)
    assert.doesNotMatch(stderr, /bug in Escalona/)
  }
})
