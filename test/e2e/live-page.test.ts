// The live page in a real browser: somebody watches a crawl of the synthetic web, asks why, and steers it. What the web saw decides.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { CHANGEABLE, SETTINGS } from '../../src/settings/settings-table.ts'
import { escalona } from '../cli/run-cli.ts'
import { running } from '../journey/crawl.ts'
import { urlOf } from '../web/synthetic-web.ts'
import { complaints, openBrowser, openWindow } from './browser.ts'
import { addressOf, liveCrawl, requestsTo, until } from './live-crawl.ts'

/** The new delay of a host, and for how long it is watched. */
const [SLOW_MS, WATCH_MS] = [2000, 7000]
/** The buttons that steer a crawl. */
const STEERING = /^(Pause|Resume|Stop|Add seeds)$/
/** What some ordinary hosts forbid. */
const FORBIDDEN = '/private/a.html'

test('live page: a crawl is watched, asked and steered in the browser', async t => {
  const browser = await openBrowser(t)
  if (browser === undefined) return t.skip('there is no Chromium on this machine')
  const { web, server, folder, command, address } = await liveCrawl(t)
  const { origin } = new URL(address)
  const { page, trouble } = await openWindow(browser)
  const hostOf = (name: string) => `${name}:${server.port}`
  const endless = web.sites.filter(({ kind }) => kind === 'endless')
  const [slowed, seeded] = [endless[0]!, endless[1]!]

  await t.test('live page: the token is in the address once, then in a cookie that no script can read', async () => {
    await page.goto(address)
    await until('an address without token', () => !page.url().includes('token'))
    assert.equal(await page.evaluate('document.cookie'), '')
    const [cookie] = await page.context().cookies()
    assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, 'Strict'])
  })

  await t.test('live page: the numbers of Now move, and are those of the crawl', async () => {
    await page.getByTestId('state').and(page.locator('[data-state=running]')).waitFor()
    const first = await figure(page, 'pages')
    await until('more pages', async () => (await figure(page, 'pages')) > first + 5)
    assert.ok((await figure(page, 'pages')) <= server.log.length)
    assert.ok((await figure(page, 'queue')) > 0)
    const sentence = page.getByTestId('sentence')
    await until('a sentence with a number', async () => /\d/.test((await sentence.textContent()) ?? ''))
  })

  await t.test('live page: a host is found and opened', async () => {
    await page.getByRole('link', { name: 'Hosts' }).click()
    await page.getByRole('searchbox', { name: 'Search hosts' }).fill(slowed.name)
    await page
      .getByRole('table', { name: 'Hosts' })
      .getByRole('link', { name: hostOf(slowed.name) })
      .click()
    await page.getByRole('heading', { level: 1, name: hostOf(slowed.name) }).waitFor()
    await page
      .getByRole('region', { name: 'Waiting URLs' })
      .getByText(`http://${hostOf(slowed.name)}/`)
      .first()
      .waitFor()
  })

  await t.test('live page: why a URL is not fetched that robots.txt forbids, with the very line', async () => {
    // Its front page links to it, and its robots.txt has this one rule.
    const site =
      web.sites.find(({ kind, robots }) => kind === 'plain' && isForbidden(robots.forbidden)) ?? assert.fail()
    await until('its robots.txt is read', () => requestsTo(server.log, site.name).some(({ path }) => path === '/'))
    await page.getByRole('link', { name: 'Why?' }).click()
    await page.getByRole('textbox', { name: 'URL' }).fill(urlOf(`${site.name}${FORBIDDEN}`, server.port))
    await page.getByRole('button', { name: 'Ask' }).click()
    assert.match((await page.getByTestId('robots-line').first().textContent()) ?? '', /Disallow: \/private\//)
  })

  await t.test('live page: axe-core finds nothing in any page, wide and light or narrow and dark', async () => {
    const archived = encodeURIComponent(firstPage(folder))
    const shown = {
      '/': page.getByTestId('figure-pages'),
      '/hosts': page.getByRole('table', { name: 'Hosts' }).getByRole('link').first(),
      [`/host?name=${encodeURIComponent(hostOf(slowed.name))}`]: page.getByRole('region', { name: 'robots.txt' }),
      '/links?states=refused': page.getByRole('table', { name: 'Links' }).getByRole('link').first(),
      '/pages': page.getByRole('table', { name: 'Pages' }).getByRole('link').first(),
      [`/page?url=${archived}`]: page.getByRole('region', { name: 'WARC record' }),
      [`/why?url=${archived}`]: page.getByRole('region', { name: 'Answer' }),
      '/settings': page.getByRole('textbox', { name: '--delay' }),
    }
    const looks = [
      { colorScheme: 'light', width: 1440 },
      { colorScheme: 'dark', width: 390 },
    ] as const
    const found: string[] = []
    for (const { colorScheme, width } of looks) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      for (const [path, content] of Object.entries(shown)) {
        await page.goto(`${origin}${path}`)
        await content.waitFor()
        found.push(...(await complaints(page)).map(one => `${path}, ${colorScheme}: ${one}`))
        assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= width, `${path} is too wide`)
      }
    }
    assert.deepEqual(found, [])
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  await t.test(
    'live page: a reason opens its links, which the command line lists too, and they are tried again',
    async () => {
      await page.goto(`${origin}/`)
      await page.getByRole('button', { name: 'Pause' }).click()
      await page.getByTestId('state').and(page.locator('[data-state=paused]')).waitFor()
      await until('no request is open', async () => (await figure(page, 'open-requests')) === 0)
      await countsAgree(page, folder)
      await page.goto(`${origin}/`)
      await page
        .getByRole('table', { name: /Why links ended/ })
        .getByRole('link', { name: /404 Not Found/ })
        .click()
      await page.getByRole('heading', { level: 1, name: 'Links' }).waitFor()
      assert.equal(new URL(page.url()).search, '?reason=status-404')
      const table = page.getByRole('table', { name: 'Links' })
      await table.getByText('The host answered 404 Not Found').first().waitFor()
      const listed = listedLinks(folder, ['--reason', 'status-404'])
      assert.equal(await linkCount(page), listed.length)
      assert.deepEqual((await shownUrls(page)).slice(0, 50), listed.slice(0, 50))
      await table.getByRole('button', { name: 'Link' }).click()
      await until('sorted', async () => String(await shownUrls(page)) === String(listed.toSorted().slice(0, 50)))
      const host = new URL(listed[0]!).host
      await page.getByRole('textbox', { name: 'Host' }).fill(host)
      await page.getByRole('textbox', { name: 'Host' }).press('Enter')
      const some = listed.filter(url => new URL(url).host === host)
      await until('those of the host', async () => (await linkCount(page)) === some.length)
      await page.getByRole('button', { name: /again$/ }).click()
      const dialog = page.getByRole('dialog')
      await dialog.waitFor()
      assert.deepEqual(await complaints(page), [])
      await dialog.getByRole('button', { name: /again$/ }).click()
      await dialog.waitFor({ state: 'hidden' })
      await page.getByText(/back in the queue/).waitFor()
      await until('none is left', async () => (await linkCount(page)) === 0)
      assert.equal(listedLinks(folder, ['--reason', 'status-404']).length, listed.length - some.length)
      await page.getByRole('link', { name: 'Show all links' }).click()
      await page.getByText(/To try links again, choose/).waitFor()
      await page.getByRole('button', { name: 'Resume' }).click()
      await page.getByTestId('state').and(page.locator('[data-state=running]')).waitFor()
    },
  )

  await t.test('settings: each one that can be changed has a field, with what it is about', async () => {
    await page.goto(`${origin}/settings`)
    await page.getByRole('textbox', { name: '--delay' }).waitFor()
    for (const name of CHANGEABLE) {
      const { option, about, label } = SETTINGS[name]
      const field = page.getByLabel(`${label.en} --${option}`, { exact: true })
      const told = await page.locator(`#${await field.getAttribute('aria-describedby')}`).textContent()
      assert.ok(told?.startsWith(about.en), `--${option}: ${told}`)
    }
  })

  await t.test('settings: a wrong value is named at its field, in red, and nothing is sent', async () => {
    const field = page.getByRole('textbox', { name: 'Delay per host' })
    await field.fill('2')
    await page.getByRole('textbox', { name: 'Page limit' }).fill('many')
    await page.getByRole('button', { name: 'Save changes' }).click()
    for (const [wrong, says] of [
      [field, /--delay 2 has no unit; write 2s/],
      [page.getByRole('textbox', { name: 'Page limit' }), /--limit takes a whole number/],
    ] as const) {
      assert.equal(await wrong.getAttribute('aria-invalid'), 'true')
      const [id] = ((await wrong.getAttribute('aria-describedby')) ?? '').split(' ')
      assert.match((await page.locator(`#${id}`).textContent()) ?? '', says)
    }
    assert.deepEqual(await complaints(page), [])
    await page.getByRole('button', { name: 'Discard changes' }).click()
    assert.equal(await field.getAttribute('aria-invalid'), 'false')
  })

  await t.test('live page: pause ends the requests, resume begins them again', async () => {
    await page.goto(`${origin}/`)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByTestId('state').and(page.locator('[data-state=paused]')).waitFor()
    await until('no request is open', async () => (await figure(page, 'open-requests')) === 0)
    const asked = server.log.length
    await until('the web has given all answers', () => server.log.every(({ endMs }) => endMs !== undefined))
    await wait(1500)
    assert.equal(server.log.length, asked, 'the web was asked while the crawl was paused')
    assert.match((await page.getByTestId('sentence').textContent()) ?? '', /paused/i)
    await page.getByRole('button', { name: 'Resume' }).click()
    await until('more requests', () => server.log.length > asked + 5)
    await page.getByTestId('state').and(page.locator('[data-state=running]')).waitFor()
  })

  const seed = urlOf(`${seeded.name}/orphan.html`, server.port)
  await t.test('live page: a seed that nothing links to is added, and archived', async () => {
    await page.getByRole('button', { name: 'Add seeds' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add seeds' })
    await dialog.getByRole('textbox').fill(`not a host\n${seed}\n`)
    await dialog.getByRole('button', { name: 'Add' }).click()
    await dialog.getByText('line 1: not a host (malformed)').waitFor()
    assert.deepEqual(await complaints(page), [])
    assert.equal(await dialog.getByRole('textbox').inputValue(), 'not a host')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await until('the web gives the seed', () =>
      requestsTo(server.log, seeded.name).some(({ path, status }) => path === '/orphan.html' && status === 200),
    )
    await page.getByRole('link', { name: 'Pages' }).click()
    await page.getByRole('searchbox', { name: 'Search the archive' }).fill('orphan')
    await page.getByRole('list', { name: 'Archived pages' }).getByText(seed).first().waitFor()
  })

  await t.test('live page: the delay of a host is changed, and kept', async () => {
    await page.goto(`${origin}/host?name=${encodeURIComponent(hostOf(slowed.name))}`)
    await page.getByRole('button', { name: 'Change delay' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    assert.deepEqual(await complaints(page), [])
    await dialog.getByRole('textbox', { name: 'Delay' }).fill(`${SLOW_MS / 1000}s`)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const before = requestsTo(server.log, slowed.name).length
    await wait(WATCH_MS)
    // The first one may have been due before.
    const since = requestsTo(server.log, slowed.name).slice(before)
    assert.ok(since.length >= 2, `${since.length} requests in ${WATCH_MS} ms`)
    const gaps = since.slice(1).map(({ startMs }, n) => startMs - since[n]!.answeredMs!)
    assert.ok(
      gaps.slice(1).every(gap => gap >= SLOW_MS),
      `${gaps}`,
    )
  })

  await t.test('live page: a server that does not answer is named in red, and nothing can be pressed', async () => {
    const { page: other, context } = await openWindow(browser)
    await other.goto(address)
    await other.getByRole('button', { name: 'Stop' }).waitFor()
    await context.setOffline(true)
    // What is open stays open; a page that is shown again begins anew.
    await other.evaluate("dispatchEvent(new Event('pagehide')); dispatchEvent(new Event('pageshow'))")
    await other.getByTestId('state').and(other.locator('[data-state=lost]')).waitFor()
    assert.match((await other.getByRole('alert').first().textContent()) ?? '', /does not answer/)
    assert.equal(await other.getByRole('button', { name: STEERING }).count(), 0)
    await context.setOffline(false)
    await other.getByTestId('state').and(other.locator('[data-state=running]')).waitFor()
    await context.close()
  })

  await t.test('live page: stop asks first, and ends the crawl', async () => {
    await page.getByRole('button', { name: 'Stop' }).click()
    assert.deepEqual(await complaints(page), [])
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    assert.equal(await page.getByTestId('state').getAttribute('data-state'), 'running')
    // Before the end: then the page can't be reached any more, and the console says so.
    assert.deepEqual(trouble, { errors: [], elsewhere: [] })
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop the crawl' }).click()
    const { code, stderr } = await command.ending
    assert.equal(code, 0, stderr)
    // The page stays open and knows how the crawl ended, although its server has gone.
    await page.getByTestId('state').and(page.locator('[data-state=ended]')).waitFor()
    await page.getByRole('status').getByText('escalona ui crawl').waitFor()
    assert.equal(await page.getByRole('button', { name: STEERING }).count(), 0)
    await page.getByRole('link', { name: 'Now' }).click()
    assert.equal(await figure(page, 'pages'), linesOf(folder, 'pages.jsonl').length)
    assert.ok((await figure(page, 'duration')) > 0 && (await figure(page, 'mean-rate')) > 0)
    assert.match((await page.getByTestId('sentence').textContent()) ?? '', /stopped/)
    assert.deepEqual(
      actionsIn(folder).map(({ kind }) => kind),
      ['pause', 'retry links', 'resume', 'pause', 'resume', 'add seeds', 'change host', 'stop'],
    )
  })

  await t.test(
    'live page: escalona ui DIR shows the same of the crawl that has ended, and offers nothing to change',
    async t => {
      const ui = running(t, [folder], { command: 'ui' })
      await page.goto(await addressOf(ui))
      await page.getByTestId('state').and(page.locator('[data-state=ended]')).waitFor()
      assert.equal(await figure(page, 'pages'), linesOf(folder, 'pages.jsonl').length)
      assert.equal(await page.getByRole('button', { name: STEERING }).count(), 0)
      assert.ok((await figure(page, 'received')) > 0)
      const report = await page.getByRole('link', { name: 'Report with charts' }).getAttribute('href')
      assert.equal((await page.request.get(new URL(report!, page.url()).href)).status(), 200)
      await page.getByRole('link', { name: 'Pages' }).click()
      await page.getByRole('searchbox', { name: 'Search the archive' }).fill('orphan')
      await page.getByRole('list', { name: 'Archived pages' }).getByText(seed).first().waitFor()
      // Failures open here, too; what can't be done now is not offered, but said.
      await page.goto(`${new URL(page.url()).origin}/links?reason=status-404`)
      assert.equal(await linkCount(page), listedLinks(folder, ['--reason', 'status-404']).length)
      assert.equal(await page.getByRole('button', { name: /again/ }).count(), 0)
      await page.getByText('--retry status-404').first().waitFor()
    },
  )

  await t.test('live page: escalona ui PARENT lists the crawls of a folder, and opens each', async t => {
    const ui = running(t, [dirname(folder)], { command: 'ui' })
    await page.goto(await addressOf(ui))
    const row = page.locator('tr[data-crawl=crawl]')
    await row.getByText('Ended').waitFor()
    assert.deepEqual(await complaints(page), [])
    await row.getByRole('link', { name: 'crawl' }).click()
    await page.getByTestId('state').and(page.locator('[data-state=ended]')).waitFor()
    assert.equal(await figure(page, 'pages'), linesOf(folder, 'pages.jsonl').length)
    await page.getByRole('link', { name: 'Hosts' }).click()
    await page.getByRole('table', { name: 'Hosts' }).getByRole('link').first().click()
    await page.getByRole('region', { name: 'robots.txt' }).waitFor()
    assert.match(page.url(), /\/crawls\/crawl\/host\?/)
    await page.getByRole('link', { name: 'All crawls' }).click()
    await row.waitFor()
  })
})

function isForbidden(forbidden: ReadonlySet<string> | 'everything'): boolean {
  return forbidden !== 'everything' && forbidden.has(FORBIDDEN)
}

/** A large figure of Now. */
async function figure(page: Page, name: string): Promise<number> {
  return Number(await page.getByTestId(`figure-${name}`).getAttribute('data-value'))
}

/** While nothing runs, every place that counts pages has the same number, and the figure leads to them. */
async function countsAgree(page: Page, folder: string): Promise<void> {
  const pages = linesOf(folder, 'pages.jsonl').length
  const { origin } = new URL(page.url())
  const ask = async (path: string) => (await page.request.get(origin + path)).json()
  await until('all hosts and links are counted', async () => {
    const hosts = (await ask('/api/hosts?limit=200')) as { items: { pages: number }[] }
    const links = (await ask('/api/links?states=done&limit=1')) as { total: number; isComplete: boolean }
    return (
      links.isComplete && [links.total, hosts.items.reduce((sum, host) => sum + host.pages, 0)].every(n => n === pages)
    )
  })
  const { waterfall } = JSON.parse(String(escalona(['status', folder, '--json']).stdout)) as {
    waterfall: { archived: number }
  }
  const metrics = await (await page.request.get(`${origin}/metrics`)).text()
  assert.deepEqual(
    [await figure(page, 'pages'), waterfall.archived, /^escalona_pages_total (\d+)$/m.exec(metrics)?.[1]],
    [pages, pages, String(pages)],
  )
  await page.getByTestId('figure-pages').getByRole('link').click()
  await page.getByText(`${pages.toLocaleString('en-US')} archived`, { exact: true }).waitFor()
  await page.getByText(`of ${pages.toLocaleString('en-US')}`).waitFor()
}

/** How many links the page says there are. */
async function linkCount(page: Page): Promise<number> {
  const text = page.getByTestId('link-count').filter({ hasText: /^[\d,]+ links?$/ })
  return Number(((await text.textContent()) ?? '').replace(/\D/g, ''))
}

function shownUrls(page: Page): Promise<string[]> {
  return page.getByRole('table', { name: 'Links' }).locator('td.name a').allTextContents()
}

/** The URLs that the command line lists. */
function listedLinks(folder: string, args: readonly string[]): string[] {
  return escalona(['list', folder, '--json', ...args])
    .stdout.toString()
    .split('\n')
    .flatMap(line => (line === '' ? [] : (JSON.parse(line) as { url: string }).url))
}

function linesOf(folder: string, name: string): string[] {
  return readFileSync(join(folder, name), 'utf8').trimEnd().split('\n')
}

function firstPage(folder: string): string {
  return (JSON.parse(linesOf(folder, 'pages.jsonl')[0]!) as { url: string }).url
}

function actionsIn(folder: string): { kind: string }[] {
  return linesOf(folder, 'actions.jsonl').map(line => JSON.parse(line) as { kind: string })
}
