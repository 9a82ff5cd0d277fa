import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { archivedUrls } from '../journey/collected.ts'
import { crawl } from '../journey/crawl.ts'
import { plainHost, smallWeb } from '../journey/small-web.ts'
import { escalona, refusalOf, temporaryFolder } from './run-cli.ts'

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

test('simulate: every combination is a row; the same seed gives the same bytes, and another one others', () => {
  const synthetic = ['synthetic', '--pages', '300', '--hosts', '12', '--strategy', 'breadth,best', '--starts', '2']
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
  assert.equal(simulated(...args, '--seed', '3').text, first.text)
  assert.notEqual(simulated(...args, '--seed', '4').text, first.text)
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
