// The page of a simulation in a real browser.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { simulationPage } from '../../src/cli/analysis/simulation-page.ts'
import type { SimulationRow } from '../../src/simulate/simulate.ts'
import { temporaryFolder } from '../cli/run-cli.ts'
import { complaints, openBrowser, openWindow } from '../e2e/browser.ts'
import { findBrowser, seenIn } from '../report/in-browser.ts'

const AT = { '0.01': 0.1, '0.05': 0.2, '0.1': 0.3, '0.2': null, '0.5': null }

function row(strategy: string, rank: string, delayMs: number, hours: number): SimulationRow {
  const curve = Array.from({ length: 10 }, (_, n) => {
    const pages = (n + 1) / 100
    return { pages, atMs: pages * hours * 3_600_000, pageRank: Math.sqrt(pages), hosts: pages, domains: pages / 2 }
  })
  return {
    ...{ strategy, rank, delayMs, starts: 3, pages: 1234.5, virtualMs: hours * 3_600_000, atMs: AT, pageRankShare: AT },
    ...{ tau: AT, hostShare: AT, domainShare: AT, smallestGapMs: delayMs, smallestServerGapMs: null, idleSlots: 0.5 },
    ...{ requests: 1300, spread: { pageRankShare: AT, tau: AT, hostShare: AT }, curve },
  }
}

const ROWS = [row('breadth', 'depth', 100, 2), row('breadth', 'pagerank', 1000, 20), row('random', 'depth', 100, 3)]
const COMMAND = 'escalona simulate </script><img src=x> --strategy breadth,random'

test('simulation page: a browser draws every curve and asks for nothing; a command is only text', async t => {
  const browser = await findBrowser()
  if (browser === undefined) return t.skip('there is no Chromium on this machine')
  const seen = await seenIn(browser, simulationPage(ROWS, COMMAND))
  assert.deepEqual([seen.requests, seen.violations, seen.errors, seen.images], [[], [], [], 0])
  assert.deepEqual(
    Object.keys(seen.charts),
    ['pageRank', 'hosts', 'domains'].flatMap(measure => [`${measure}-pages`, `${measure}-time`]),
  )
  for (const [name, pixels] of Object.entries(seen.charts)) assert.ok(pixels > 50, `${name}: ${pixels}`)
  for (const words of [COMMAND, '30.0 ±30.0', 'PR@10%', '100 ms']) assert.ok(seen.text.includes(words), words)
  assert.ok(!seen.text.includes('PR@20%'), 'no row came that far')
})

test('simulation page: axe-core finds nothing, wide and light or narrow and dark', async t => {
  const browser = await openBrowser(t)
  if (browser === undefined) return t.skip('there is no Chromium on this machine')
  const file = join(temporaryFolder(t), 'simulation.html')
  writeFileSync(file, simulationPage(ROWS, COMMAND))
  for (const [width, colorScheme] of [
    [1440, 'light'],
    [390, 'dark'],
  ] as const) {
    const { page, context } = await openWindow(browser, { viewport: { width, height: 900 }, colorScheme })
    await page.goto(pathToFileURL(file).href)
    assert.deepEqual(await complaints(page), [])
    assert.ok(((await page.evaluate('document.documentElement.scrollWidth')) as number) <= width)
    await context.close()
  }
})
