import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { archivedUrls } from '../journey/collected.ts'
import { crawl } from '../journey/crawl.ts'
import { plainHost, smallWeb } from '../journey/small-web.ts'
import { escalona, MAIN, refusalOf, temporaryFolder } from './run-cli.ts'

interface Row {
  readonly strategy: string
  readonly delayMs: number
  readonly pages: number
  readonly virtualMs: number
  readonly pageRankShare: Readonly<Record<string, number>>
  readonly smallestGapMs: number
}

function simulated(...args: readonly string[]): { readonly text: string; readonly rows: readonly Row[] } {
  const { code, stdout, stderr } = escalona(['simulate', ...args, '--json'])
  assert.equal(code, 0, stderr)
  return { text: stdout.toString(), ...(JSON.parse(stdout.toString()) as { rows: Row[] }) }
}

test('simulate: every combination is a row; the same seed gives the same bytes, and another one others, on as many threads as one likes', t => {
  const synthetic = ['synthetic', '--pages', '150', '--hosts', '12', '--strategy', 'breadth,best', '--starts', '2']
  const args = [...synthetic, '--start-pages', '5', '--start-links', '1', '--delay', '100ms,1s']
  const first = simulated(...args, '--seed', '3')
  assert.deepEqual(
    first.rows.map(({ strategy, delayMs }) => [strategy, delayMs]),
    [
      ['breadth', 100],
      ['breadth', 1000],
      ['best', 100],
      ['best', 1000],
    ],
  )
  for (const { delayMs, smallestGapMs } of first.rows) assert.ok(smallestGapMs >= delayMs, `${smallestGapMs}`)
  const [quick, slow] = first.rows
  assert.equal(quick!.pages, slow!.pages)
  assert.ok(quick!.virtualMs < slow!.virtualMs)
  assert.notEqual(simulated(...args, '--seed', '4').text, first.text)
  const files = ['1', '2'].map(workers => {
    const out = join(temporaryFolder(t), 'simulation')
    assert.equal(simulated(...args, '--seed', '3', '--workers', workers, '-o', out).text, first.text)
    return readFileSync(join(out, 'simulation.json'))
  })
  assert.deepEqual(files[0], files[1])
})

test('simulate: a graph comes from a pipe, rows go to one as CSV, and its end is no error', () => {
  const graph = gzipSync(
    `60\n${Array.from({ length: 60 }, (_, page) => `${(page + 1) % 60} ${(page + 7) % 60}\n`).join('')}`,
  )
  const args = ['simulate', '-', '--hosts', '3', '--starts', '1', '--strategy', 'random,depth,host-by-host', '--csv']
  const { code, stdout, stderr } = escalona(args, { stdin: graph })
  assert.equal(code, 0, stderr)
  assert.equal(stderr, '')
  const [head = '', ...lines] = stdout.toString().trimEnd().split('\r\n')
  assert.match(head, /^strategy,rank,delayMs,starts,pages,virtualMs,atMs\.0\.01,/)
  assert.deepEqual(
    lines.map(line => line.split(',', 5)),
    ['random', 'depth', 'host-by-host'].map(strategy => [strategy, 'depth', '1000', '1', '60']),
  )
  const script = `"${process.execPath}" "${MAIN}" simulate synthetic --pages 200 --json | head -c 10`
  const piped = spawnSync('bash', ['-c', `set -o pipefail; ${script}`])
  assert.deepEqual([piped.status, piped.stderr.toString()], [0, ''])
})

test('simulate: wrong use says what to write, before anything is simulated', async t => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'file'), '')
  const refused = (...args: string[]) => refusalOf('simulate', ['synthetic', '--pages', '50', ...args])
  assert.match(await refusalOf('simulate', []), /no world given; name a graph file or the folder of a crawl/)
  assert.match(await refused('--latency', '3s'), /--latency takes a duration of at most 2.0 s, not 3s/)
  assert.match(await refused('--delay', '1s,400d'), /--delay .*400d/)
  assert.match(await refused('--workers', '1000000'), /--workers .*1000000/)
  assert.match(await refused('--errors', '2'), /--errors takes a number from 0 to 1, not 2/)
  assert.match(await refused('--changes', '2h,1h'), /--changes takes two durations/)
  assert.match(await refused('--recrawl'), /--recrawl has no end; say how long with --max-time/)
  assert.match(await refused('--strategy', 'width'), /--strategy takes one of .*, not width/)
  assert.match(await refused('-o', join(folder, 'file', 'x')), /cannot create .*file.x/)
  assert.match(await refused('-o', ''), /folder/)
  assert.match(await refusalOf('simulate', ['synthetic', '--pages', '1']), /no crawl can start/)
})

test('simulate: the folder of a crawl is a world; -o writes the figures and a page that asks for nothing', async t => {
  const web = await smallWeb(
    t,
    Array.from({ length: 3 }, (_, n) => plainHost(`h${n}.test`, `127.49.90.${n + 1}`, 12)),
  )
  const { code, stderr } = await crawl(web, '--delay', '5ms')
  assert.equal(code, 0, stderr)
  const before = readdirSync(web.folder)
  const out = join(temporaryFolder(t), 'simulation')
  const { rows } = simulated(web.folder, '--strategy', 'breadth,best', '--delay', '1s', '-o', out)
  const pages = (await archivedUrls(web.folder)).length
  assert.deepEqual(
    rows.map(row => row.pages),
    [pages, pages],
  )
  assert.deepEqual(readdirSync(web.folder), before, 'nothing in the folder changes')
  assert.deepEqual(readdirSync(out), ['simulation.html', 'simulation.json'])
  const [shown = ''] = readFileSync(join(out, 'simulation.html'), 'utf8').split('<script')
  assert.match(shown, /Content-Security-Policy" content="default-src 'none'/)
  assert.match(shown, /<th>PR@5%<\/th>/)
  assert.ok(!/NaN|undefined/.test(shown))
  assert.match(await refusalOf('simulate', [web.folder, '--hosts', '5']), /its own URLs/)
})
