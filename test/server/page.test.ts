// The live page in a real browser, with the worst that a crawl could have found. Real crawls are in e2e/.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { changedDelay } from '../../src/server/page/hosts/host-words.ts'
import { complaints, openBrowser, openWindow } from '../e2e/browser.ts'
import { serveStandIn, TOKEN } from './ask-server.ts'
import { page as hostilePage } from './stand-in-view.ts'

/** As built, beside the compiled server. */
const BUILT = fileURLToPath(new URL('../../src/server/page/', import.meta.url))
const MOST_BYTES = 300 * 1024
const PATHS = [
  '/',
  '/hosts',
  '/host?name=a.example%3A8080',
  '/pages',
  `/page?${new URLSearchParams({ url: hostilePage.url })}`,
  `/why?${new URLSearchParams({ url: hostilePage.url })}`,
  '/settings',
]

test('live page: everything the page loads has at most 300 KB compressed, and names no other place', () => {
  const files = readdirSync(BUILT).filter(name => /\.(?:html|js|css|svg)$/.test(name))
  assert.deepEqual(files.sort(), ['app.css', 'app.js', 'icon.svg', 'index.html'])
  const texts = files.map(name => readFileSync(`${BUILT}${name}`))
  const gzipped = texts.reduce((sum, text) => sum + gzipSync(text).length, 0)
  const brotli = texts.reduce((sum, text) => sum + brotliCompressSync(text).length, 0)
  assert.ok(gzipped > 20_000 && gzipped < MOST_BYTES && brotli < MOST_BYTES, `${gzipped} gzipped, ${brotli} brotli`)
  const html = readFileSync(`${BUILT}index.html`, 'utf8')
  assert.doesNotMatch(html, /<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc="\/)/i)
  const code = readFileSync(`${BUILT}app.js`, 'utf8')
  assert.doesNotMatch(code, /document\.write|insertAdjacentHTML|\beval\(|new Function\(/)
})

test('ours: the live page in a browser', async t => {
  const browser = await openBrowser(t)
  if (browser === undefined) return t.skip('there is no browser')
  await t.test('live page: hostile text is only text on every page, fits, and axe-core finds nothing', t =>
    hostileText(t, browser),
  )
  await t.test('live page: the keyboard alone is enough', t => keyboardAlone(t, browser))
  await t.test('live page: a long list of settings is folded, and is changed only as a whole', t =>
    longLists(t, browser),
  )
  await t.test('live page: a browser that prefers Portuguese shows Portuguese, and it fits a telephone', t =>
    inPortuguese(t, browser),
  )
  await t.test('live page: hosts that are gone are one entry, and each of them is counted once', t => gone(t, browser))
})

/** What Escape and Enter do, without the time that keys take. */
const ESCAPE_AND_ENTER = `(async () => {
  const dialog = document.querySelector('dialog')
  if (dialog.dispatchEvent(new Event('cancel', { cancelable: true }))) dialog.close()
  await Promise.resolve()
  document.activeElement.click()
  await new Promise(resolve => setTimeout(resolve, 200))
})()`

/** The pages whose boxes scroll when texts are long; axe-core looks at all of them, with ordinary texts, in e2e/. */
const LONG_TEXTS = /^\/(?:host|page|why)\?/

/** Narrow and dark, where least fits. */
async function hostileText(t: TestContext, browser: Browser): Promise<void> {
  const { view, port } = await serveStandIn(t)
  const viewport = { width: 390, height: 800 }
  const { page, trouble } = await openWindow(browser, { viewport, colorScheme: 'dark' })
  await page.addInitScript('window.alert = () => { window.wasRun = true }')
  await page.goto(`http://127.0.0.1:${port}/?token=${TOKEN}`)
  for (const path of PATHS) {
    await page.goto(`http://127.0.0.1:${port}${path}`)
    await page.getByTestId('state').filter({ hasText: 'Running' }).waitFor()
    view.happen(hostilePage.title)
    await page
      .locator(path === '/settings' ? 'td .web' : 'main .web')
      .first()
      .waitFor()
    const seen = await seenIn(page)
    assert.deepEqual(seen.strangers, [], path)
    assert.equal(seen.wasRun, undefined, path)
    assert.ok(seen.width <= viewport.width, `${path} is ${seen.width} wide`)
    assert.doesNotMatch(seen.text.replace(/[\n\t]/g, ''), /\p{Cc}|\p{Cf}|\p{Zl}|\p{Surrogate}/u, path)
    if (LONG_TEXTS.test(path)) assert.deepEqual(await complaints(page), [], path)
  }
  assert.match((await page.locator('body').textContent()) ?? '', /\\u\{202e\}/)
  assert.deepEqual([trouble.errors, trouble.elsewhere], [[], []])
}

async function keyboardAlone(t: TestContext, browser: Browser): Promise<void> {
  const { view, port } = await serveStandIn(t)
  const { page, trouble } = await openWindow(browser)
  await page.goto(`http://127.0.0.1:${port}/?token=${TOKEN}`)
  await page.getByTestId('state').filter({ hasText: 'Running' }).waitFor()
  await page.keyboard.press('Tab')
  assert.equal(await focused(page), 'Skip to the content')
  for (let i = 0; i < 4; i++) await page.keyboard.press('Tab')
  assert.equal(await focused(page), 'Pages')
  await page.keyboard.press('Enter')
  await page.getByRole('table', { name: 'Pages' }).waitFor()
  assert.equal(await focused(page), 'Pages', 'the heading of the new page')

  // Stop asks first: Escape goes back to where one was, and only the button stops.
  await page.getByRole('button', { name: 'Stop' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Stop the crawl?' }).waitFor()
  for (let i = 0; i < 7; i++) {
    await page.keyboard.press('Tab')
    const place = await page.evaluate('document.activeElement.closest("dialog, body").tagName')
    const isInPage = await page.evaluate('document.activeElement.closest("main, header, footer") !== null')
    assert.ok(place === 'DIALOG' || !isInPage, 'the focus stays in the dialog')
  }
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.equal(await focused(page), 'Stop')
  assert.deepEqual(view.acted, [])
  // The browser reports late that a dialog has closed; one that was opened in the meantime stays.
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Stop the crawl?' }).waitFor()
  await page.evaluate(ESCAPE_AND_ENTER)
  await page.getByRole('dialog', { name: 'Stop the crawl?' }).waitFor()
  await page.getByRole('button', { name: 'Stop the crawl' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('status').filter({ hasText: 'Stopping' }).waitFor()
  assert.deepEqual(view.acted, [{ kind: 'stop' }])

  // Shortcuts, until they are turned off.
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await page.getByRole('table', { name: 'Hosts' }).waitFor()
  await page.keyboard.press('/')
  assert.equal(await page.evaluate('document.activeElement.type'), 'search')
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await page.getByRole('checkbox', { name: 'Shortcuts are on' }).uncheck()
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('n')
  await page.keyboard.press('/')
  assert.equal(new URL(page.url()).pathname, '/hosts')
  assert.notEqual(await page.evaluate('document.activeElement.type'), 'search')
  assert.deepEqual(trouble.errors, [])
}

async function longLists(t: TestContext, browser: Browser): Promise<void> {
  const { view, port } = await serveStandIn(t)
  const { page, trouble } = await openWindow(browser)
  await page.goto(`http://127.0.0.1:${port}/?token=${TOKEN}`)
  await page.goto(`http://127.0.0.1:${port}/settings`)
  const addresses = page.locator('.fields details', { hasText: '288 entries' })
  const last = addresses.getByText('127.0.0.1 287.example')
  await addresses.waitFor()
  assert.equal(await last.isVisible(), false, 'folded')
  await addresses.locator('summary').click()
  await last.waitFor()
  assert.equal(await addresses.getByText('Only the first').count(), 0)

  // Every line of the field is sent, not only those that were changed.
  const field = page.getByRole('textbox', { name: '--exclude' })
  await field.fill(`${await field.inputValue()}\n*/calendar/*`)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('status').filter({ hasText: 'Settings changed' }).waitFor()
  const exclude = [...view.excluded, '*/calendar/*']
  assert.deepEqual(view.acted, [{ kind: 'change settings', settings: { exclude } }])

  // A list that is not shown whole says so, and has no field.
  const cut = page.locator('.fields details', { hasText: '100,000 entries' })
  await cut.locator('summary').click()
  await cut.getByText('Only the first 300 are shown.').waitFor()
  assert.equal(await page.getByRole('textbox', { name: '--include' }).count(), 0)
  assert.deepEqual(trouble.errors, [])
}

async function inPortuguese(t: TestContext, browser: Browser): Promise<void> {
  const { view, port } = await serveStandIn(t)
  const viewport = { width: 390, height: 800 }
  const { page } = await openWindow(browser, { locale: 'pt-BR', viewport })
  await page.goto(`http://127.0.0.1:${port}/?token=${TOKEN}`)
  await page.getByTestId('state').filter({ hasText: 'Rodando' }).waitFor()
  assert.equal(await page.getByTestId('sentence').textContent(), 'Espera em português')
  assert.equal(await page.evaluate('document.documentElement.lang'), 'pt-BR')
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), viewport.width)
  // A crawl that has ended can't be steered.
  view.isRunning = false
  await page.getByTestId('state').filter({ hasText: 'Terminada' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Pausar' }).count(), 0)
}

async function gone(t: TestContext, browser: Browser): Promise<void> {
  const { view, port } = await serveStandIn(t)
  const { page } = await openWindow(browser)
  await page.goto(`http://127.0.0.1:${port}/?token=${TOKEN}`)
  for (const host of ['a.test', 'a.test', 'b.test']) view.goes(host)
  await page.getByText('2 hosts, 3 links: b.test, a.test').waitFor()
}

interface Seen {
  /** Elements that no code of ours made. */
  readonly strangers: readonly string[]
  readonly wasRun: boolean | undefined
  readonly width: number
  readonly text: string
}

async function seenIn(page: Page): Promise<Seen> {
  return (await page.evaluate(`({
    strangers: [...document.querySelectorAll('script:not([src="/app.js"]), img:not([src="/icon.svg"]), iframe, object, embed, base, a[href]:not([href^="/"]):not([href^="http"]):not([href="#content"])')]
      .map(element => element.outerHTML.slice(0, 100)),
    wasRun: window.wasRun,
    width: document.documentElement.scrollWidth,
    text: document.body.textContent,
  })`)) as Seen
}

async function focused(page: Page): Promise<string> {
  return ((await page.evaluate('document.activeElement.textContent')) as string).trim()
}

test('live page: a shorter delay for a host says that its Crawl-delay still holds', () => {
  const host = { host: 'a.org', delayMs: 10_000 }
  assert.match(changedDelay(host, 100), /^The delay of a\.org is 100 ms; .* every 10 s, its Crawl-delay\.$/)
  assert.equal(changedDelay(host, 20_000), 'a.org is asked at most every 20 s.')
})
