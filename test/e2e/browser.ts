// A real browser for the live page.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import type { TestContext } from 'node:test'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { findBrowser } from '../report/in-browser.ts'

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage']
/** How long the page may take to show what a test waits for. The machine may be busy. */
export const PATIENCE_MS = 20_000
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** Chromium, until the test ends; undefined when this machine has none. */
export async function openBrowser(t: TestContext): Promise<Browser | undefined> {
  const name = await findBrowser()
  if (name === undefined) return undefined
  const executablePath = (process.env.PATH ?? '')
    .split(delimiter)
    .map(folder => join(folder, name))
    .find(path => existsSync(path))
  if (executablePath === undefined) return undefined
  const browser = await chromium.launch({ executablePath, args: FLAGS })
  t.after(() => browser.close())
  return browser
}

/** What went wrong in a page, whoever it was meant for: errors, messages of the console, and requests to anywhere else. */
export interface Trouble {
  readonly errors: string[]
  readonly elsewhere: string[]
}

/** A person's window, in English, without motion: colours that are changing would be judged halfway. */
export async function openWindow(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; page: Page; trouble: Trouble }> {
  const own = { locale: 'en-US', viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' } as const
  const context = await browser.newContext({ ...own, ...options })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const trouble: Trouble = { errors: [], elsewhere: [] }
  page.on('pageerror', error => trouble.errors.push(String(error)))
  page.on('console', message => {
    if (message.type() === 'error') trouble.errors.push(message.text())
  })
  page.on('request', request => {
    const url = new URL(request.url())
    if (url.hostname !== '127.0.0.1' && url.protocol !== 'data:') trouble.elsewhere.push(request.url())
  })
  return { context, page, trouble }
}

/** What axe-core complains about in what is shown now: one line per rule and place. */
export async function complaints(page: Page): Promise<string[]> {
  // As an expression of the debugger, which no Content-Security-Policy stops.
  await page.evaluate(`${readFileSync(AXE, 'utf8')};undefined`)
  const found = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
    readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
  }
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}
