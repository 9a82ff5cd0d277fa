// Each wall around an archived page alone, against a page that tries everything to reach a server.
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { Addresses } from '../../src/replay/rewrite/addresses.ts'
import { rewritePage } from '../../src/replay/rewrite/page.ts'
import { HEADERS } from '../../src/server/access-control.ts'
import { ARCHIVED_HEADERS } from '../../src/server/reading.ts'
import { prepareBase } from '../../src/url/web.ts'
import { openWindow } from './browser.ts'
import { type Canary, leadingPage, REACHING, reachingHeaders, reachingPage, startCanary } from './canary.ts'

/** How long a browser may take to load what it wants to load. */
const LOADING_MS = 700
/** Kinds that this Chromium loads when nothing stops it; with the page's links, headers and refresh, more than 18 in all. */
const LEAST_KINDS = 18

/** Tries each wall alone. */
export async function tryWalls(t: TestContext, browser: Browser, canary: Canary): Promise<void> {
  const origin = `http://127.0.0.1:${canary.port}`
  const raw = [reachingPage(origin), leadingPage(origin)]

  await t.test('reading room: without any wall, it does reach out: the canary sings', async t => {
    // Another one: reports may come late.
    const singing = await startCanary(t)
    const song = `http://127.0.0.1:${singing.port}`
    const headers = { ...reachingHeaders(`${song}/header`), refresh: `9; url=${song}/later` }
    await shown(t, browser, { pages: [reachingPage(song), leadingPage(song)], headers })
    await wait(LOADING_MS)
    const kinds = Object.keys(REACHING).filter(kind => [...singing.paths].some(path => path.split('-')[0] === kind))
    assert.ok(kinds.length >= LEAST_KINDS, `${kinds.length} kinds reached out: ${kinds.join(' ')}`)
    const styles = ['var', 'custom', 'property', 'env', 'inline', 'tab', 'webkit', 'nested'].map(kind => `css-${kind}`)
    const expected = ['header-link', 'base', ...styles, 'svgstyle', 'svgstyle-2', 'svgstyle-4', 'svgstyle-5']
    const others = expected.filter(path => !singing.paths.has(path))
    assert.deepEqual(others, [], [...singing.paths].join(' '))
    assert.ok(
      ['refresh', 'submit'].some(path => singing.paths.has(path)),
      [...singing.paths].join(' '),
    )
  })

  await t.test('reading room: the policy alone holds', async t => {
    const { page, requests } = await shown(t, browser, { pages: raw, headers: ARCHIVED_HEADERS, isFramed: true })
    await wait(LOADING_MS)
    await followLinks(page.frames()[1]!)
    assertSilent(canary)
    assert.ok(page.url().endsWith('/outside'), 'the page around the frame stayed where it was')
    // What the page asks its own server for, it asks for as a stranger.
    const own = requests.filter(({ url }) => url === '/own')
    assert.ok(own.length > 0)
    for (const { headers } of own)
      assert.deepEqual(
        [headers.cookie, headers['sec-fetch-site'], headers.referer],
        [undefined, 'cross-site', undefined],
      )
  })

  await t.test('reading room: the rewriting alone holds', async t => {
    const { page } = await shown(t, browser, { pages: raw.map(rewritten), headers: {} })
    await wait(LOADING_MS)
    await followLinks(page, ['#animated', '#svg', '#away'])
    assertSilent(canary)
    assert.match(page.url(), /^http:\/\/127\.0\.0\.1:\d+\/at\/k\/page\/20260101000000\/http%3A%2F%2F127/)
  })
}

function rewritten(html: string): string {
  const page = rewritePage({
    bytes: Buffer.from(html),
    isXml: false,
    addressesFor: base =>
      new Addresses(prepareBase('http://evil.example/', base), 'utf-8', { key: 'k', stamp: '20260101000000' }),
    refresh: undefined,
    hasStyle: () => true,
    words: { frame: 'Frame', leadsTo: 'Leads to' },
  })
  return page.bytes.toString()
}

function assertSilent(canary: Canary): void {
  assert.deepEqual([canary.bytes, [...canary.paths]], [0, []])
}

async function followLinks(where: Pick<Page, 'locator'>, links = ['#svg', '#away']): Promise<void> {
  for (const link of links) {
    await where
      .locator(link)
      .click({ noWaitAfter: true, timeout: 3000 })
      .catch(() => undefined)
    await wait(200)
  }
}

/** Serves pages as a test wants them, each in a frame of a page like ours or in a window of its own, and opens them. */
async function shown(
  t: TestContext,
  browser: Browser,
  { pages, headers, isFramed = false }: { pages: string[]; headers: Record<string, string>; isFramed?: boolean },
): Promise<{ page: Page; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    const html = pages[Number(/^\/inside-(\d)$/.exec(request.url!)?.[1])]
    if (request.url === '/outside') {
      const cookie = 'secret=1; Path=/; HttpOnly; SameSite=Strict'
      response.writeHead(200, { ...HEADERS, 'content-type': 'text/html', 'set-cookie': cookie })
      response.end(pages.map((_, n) => `<iframe sandbox src=/inside-${n} width=1000 height=900></iframe>`).join(''))
    } else if (html !== undefined) response.writeHead(200, { ...headers, 'content-type': 'text/html' }).end(html)
    else response.writeHead(404, { 'content-type': 'text/plain' }).end('nothing')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { context, page } = await openWindow(browser)
  t.after(async () => {
    await context.close()
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  const open = async (page: Page, path: string): Promise<void> => {
    await page.goto(origin + path, { waitUntil: 'commit' })
    await page.waitForLoadState('load').catch(() => undefined)
  }
  if (isFramed) await open(page, '/outside')
  else await Promise.all(pages.map(async (_, n) => open(n === 0 ? page : await context.newPage(), `/inside-${n}`)))
  return { page, requests }
}
