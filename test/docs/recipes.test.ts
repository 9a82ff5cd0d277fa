// What the pages tell people to type and to run does what they say: every command of docs/recipes.md, and the programs of other pages.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { MAIN, PLAIN } from '../cli/run-cli.ts'
import { buildCopy, ROOT } from '../packed.ts'
import { startRedis } from '../redis/servers.ts'

const folder = mkdtempSync(join(tmpdir(), 'escalona-recipes-'))
/** Three hosts with the same pages; a page without links to others ends each. */
const web = createServer(({ url = '' }, response) => {
  response.setHeader('content-type', 'text/html')
  if (url === '/robots.txt') return void response.end('User-agent: *\nDisallow: /private/')
  const links = ['a', 'b', 'c', 'd', 'e', 'f', 'news/', 'private/x'].map(name => `<a href="/${name}">${name}</a>`)
  response.end(`<title>Page ${url}</title><p class="price"> 12,50 </p>${links.join(' ')}`)
})

before(async () => {
  await new Promise<void>(resolve => web.listen(0, '127.0.0.1', resolve))
  const names = ['example.org', 'example.net', 'example.com', 'ufmg.br']
  writeFileSync(join(folder, 'hosts.txt'), names.map(name => `127.0.0.1 ${name}\n`).join(''))
  const local = `--hosts ${folder}/hosts.txt --allow-network 127.0.0.0/8 --delay 10ms`
  const program = [
    '#!/bin/sh',
    `case "$1" in crawl|resume) exec "${process.execPath}" "${MAIN}" "$@" ${local} ;; esac`,
    `exec "${process.execPath}" "${MAIN}" "$@"`,
  ]
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin', 'escalona'), program.join('\n'), { mode: 0o755 })
  buildCopy(join(folder, 'copy'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(folder, 'copy'), join(folder, 'node_modules', 'escalona'))
})
after(() => {
  web.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A page's code of these languages under a heading, or all of it. */
function blocksOf(
  page: string,
  languages: string,
  heading?: string,
): { readonly language: string; readonly code: string }[] {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8')
  const part = heading === undefined ? text : text.split(/^## /m).find(one => one.startsWith(`${heading}\n`))!
  const blocks = part.matchAll(new RegExp(`^\`\`\`(${languages})\n([\\s\\S]*?)^\`\`\``, 'gm'))
  return [...blocks].map(([, language, code]) => ({ language: language!, code: code! }))
}

/** As on loopback: plain http at the port of the web, and without long delays. */
function here(code: string): string {
  const { port } = web.address() as AddressInfo
  return code
    .replace(/https:\/\/(example\.\w+|ufmg\.br)\//g, `http://$1:${port}/`)
    .replace(/(example\.net)"\]/g, `$1:${port}"]`)
    .replace(/^delay = .*$/gm, 'delay = "10ms"')
}

interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

async function run(program: string, args: readonly string[], cwd: string): Promise<Ran> {
  const env = {
    ...process.env,
    ...PLAIN,
    PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}`,
  }
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 })
  const [stdout, stderr, code] = await Promise.all([
    child.stdout.setEncoding('utf8').toArray(),
    child.stderr.setEncoding('utf8').toArray(),
    new Promise<number | null>(resolve => child.on('close', resolve)),
  ])
  return { code, stdout: stdout.join(''), stderr: stderr.join('') }
}

/** Does what a recipe says, in a folder of its own. A block whose first line is a comment is a file of that name. */
async function follow(heading: string, change = (code: string) => code): Promise<{ cwd: string; printed: Ran[] }> {
  const cwd = mkdtempSync(join(folder, 'recipe-'))
  const printed: Ran[] = []
  for (const { language, code } of blocksOf('recipes.md', 'sh|js|toml|ini', heading)) {
    const text = change(here(code))
    const [, name] = /^(?:#|\/\/) (\S+\.\w+)\n/.exec(text) ?? []
    if (name !== undefined) writeFileSync(join(cwd, name), text)
    else assert.equal(language, 'sh')
    const commands = name === undefined ? text : (/^ExecStart=\/usr\/local\/bin\/(.*)$/m.exec(text)?.[1] ?? 'true')
    const ran = await run('sh', ['-e', '-c', commands], cwd)
    assert.equal(ran.code, 0, `${commands}\n${ran.stdout}${ran.stderr}`)
    printed.push(ran)
  }
  return { cwd, printed }
}

test('recipes: a nightly job collects a site, visits what is due, and lists what failed', async () => {
  const { cwd, printed } = await follow('A nightly job with systemd')
  assert.match(readFileSync(join(cwd, 'news', 'crawl.toml'), 'utf8'), /^recrawl = "due"$/m)
  assert.match(printed.at(-1)!.stdout, /= archived +8\b/)
  assert.ok(existsSync(join(cwd, 'failed.csv')))
})

test('recipes: a site becomes a CSV file of its texts, and one of the prices in its pages', async () => {
  const { cwd } = await follow('Scrape to CSV')
  assert.equal(readFileSync(join(cwd, 'pages.csv'), 'utf8').match(/Page \//g)?.length, 8)
  const lines = readFileSync(join(cwd, 'prices.csv'), 'utf8').trim().split('\r\n')
  assert.equal(lines.length, 9)
  assert.match(lines[1]!, /^"http:\/\/example\.org:\d+\/","Page \/","12,50"$/)
})

test('recipes: several sites, one with settings of its own, and one more later', async () => {
  const { cwd, printed } = await follow('Several sites')
  assert.match(printed[1]!.stdout, /example\.net/)
  assert.match(readFileSync(join(cwd, 'sites', 'seeds.jsonl'), 'utf8'), /example\.com/)
})

test('recipes: a crawl moves to Redis, and goes on there', async t => {
  const redis = await startRedis(t)
  const { cwd, printed } = await follow('Moving to Redis', code => code.replaceAll(':6379/', `:${redis.port}/`))
  assert.match(printed[0]!.stdout, /5 archived|archived +5\b/)
  assert.equal(
    readFileSync(join(cwd, 'part1', 'pages.jsonl'), 'utf8')
      .trim()
      .split('\n').length,
    3,
  )
})

for (const { page, heading, prints } of [
  { page: 'library.md', heading: 'A crawl', prints: /^paused done$[\s\S]*^nothing left 8$/m },
  { page: 'library.md', heading: 'Programs that extract', prints: /^$/ },
  { page: 'coming-from-crawlee.md', heading: undefined, prints: /^http:\S+ \S/ },
  { page: 'reading.md', heading: undefined, prints: /^http:\S+ Page \/ 8$[\s\S]*^refused 2 Disallow: \/private\/$/m },
  { page: 'export.md', heading: undefined, prints: /^$/ },
])
  test(`documentation: the programs of docs/${page}${heading === undefined ? '' : ` (${heading})`} run to their end`, async () => {
    const cwd = mkdtempSync(join(folder, 'program-'))
    const made = await run('escalona', [...here('crawl https://example.org/ -q').split(' ')], cwd)
    assert.equal(made.code, 0, made.stderr)
    const blocks = blocksOf(page, 'js', heading)
    assert.ok(blocks.length > 0)
    for (const { code } of blocks) {
      const local = "crawl({ allowNetworks: ['127.0.0.0/8'], hosts: new Map([['ufmg.br', '127.0.0.1']]), delayMs: 10,"
      writeFileSync(join(cwd, 'program.mjs'), here(code).replace('= crawl({', `= ${local}`))
      const ran = await run(process.execPath, ['program.mjs'], cwd)
      assert.deepEqual([ran.code, ran.stderr], [0, ''], code)
      assert.match(ran.stdout, prints)
    }
  })
