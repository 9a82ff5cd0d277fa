// The reading room in a real browser: somebody finds a page, goes through its visits, follows a link, and compares.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { PageLine } from '../../src/archive/pages-file.ts'
import type { Asks } from '../../src/view/questions/questions.ts'
import { IS_SOAK } from '../journey/crawl.ts'
import { archivedWeb, atMs, type MadeAnswer } from '../replay/archived-web.ts'
import { serveStandIn, TOKEN } from '../server/ask-server.ts'
import { HOSTILE, page as pageLine, StandInView } from '../server/stand-in-view.ts'
import { complaints, openBrowser, openWindow } from './browser.ts'
import { leadingPage, reachingHeaders, reachingPage, startCanary } from './canary.ts'
import { until } from './live-crawl.ts'
import { tryWalls } from './reading-room-walls.ts'

const HOME = 'http://news.example/'
const TITLE = `News <b>${HOSTILE.replaceAll(/[\0\ud800\r\n]/g, '')}`

/** A stand-in for a crawl with these pages. */
class PagesView extends StandInView {
  /** The index of the archive is built while the first search is answered. */
  private searches = 0

  override async search({ q, offset = 0 }: Asks<'search'>) {
    this.asked.push(q)
    const isIndexing = this.searches++ === 0
    const { items } = await this.pages({ q: q === 'news' ? q : 'none' })
    const snippet = [
      { text: '… the latest <b>', isMatch: false },
      { text: 'News', isMatch: true },
      { text: ` of ${HOSTILE}`, isMatch: false },
    ]
    const pages = isIndexing ? [] : items.slice(0, 1).map(page => ({ ...page, status: 200, score: 2, snippet }))
    const total = q === 'news' && !isIndexing ? 25 : 0
    const found = { items: offset >= total ? [] : pages, total, isEstimate: true, isCut: false }
    return { ...found, indexed: 3, isIndexing }
  }

  override async pages({ q = '' }: Asks<'pages'>) {
    this.asked.push(q)
    const lines: PageLine[] = [
      { ...pageLine, url: HOME, title: TITLE, dateMs: atMs(40) },
      { ...pageLine, url: HOME, title: TITLE, dateMs: atMs(0) },
      { ...pageLine, url: 'http://evil.example/', title: 'Evil', dateMs: atMs(0) },
    ]
    const items = lines.filter(({ url, title }) => `${url} ${title}`.toLowerCase().includes(q.toLowerCase()))
    return { items, total: lines.length, nextOffset: undefined }
  }

  override async changes({ offset = 0 }: Asks<'changes'>) {
    const change = { ...pageLine, url: HOME, title: TITLE, dateMs: atMs(40), change: 'changed' as const }
    const gone = { ...pageLine, url: 'http://evil.example/', title: '', dateMs: atMs(1), change: 'gone' as const }
    return { items: [offset === 0 ? change : gone], total: 3, nextOffset: offset === 0 ? 2 : undefined }
  }
}

const home = (hours: string) =>
  `<!doctype html><title>News</title><link rel=stylesheet href=s.css><h1>News</h1><p>Open from ${hours}.<p><a href=/story>A story</a> <a href=http://gone.example/>gone</a>`

test('reading room: archived pages are found, read, followed and compared in the browser', async t => {
  const browser = await openBrowser(t)
  if (browser === undefined) return t.skip('there is no Chromium on this machine')
  const canary = await startCanary(t)
  await tryWalls(t, browser, canary)
  const origin = `http://127.0.0.1:${canary.port}`
  const evil = Object.entries({ ...reachingHeaders(`${origin}/header`), refresh: `0; url=${origin}/refresh` }).flat()
  const answers: MadeAnswer[] = [
    { url: HOME, body: home('9 to 18') },
    { url: HOME, day: 20, isSame: true },
    { url: HOME, day: 40, body: home('10 to 19') },
    {
      url: 'http://news.example/s.css',
      type: 'text/css',
      body: 'h1{color:rgb(1,2,3);background:url(dot.svg)}@font-face{font-family:f;src:url(f.woff2)}p{font-family:f}',
    },
    {
      url: 'http://news.example/dot.svg',
      type: 'image/svg+xml',
      body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    },
    { url: 'http://news.example/f.woff2', type: 'font/woff2', body: 'no font' },
    { url: 'http://news.example/story', day: 1, body: '<title>Story</title><p>Once upon a time.<a href=/slow>on</a>' },
    { url: 'http://news.example/slow', day: 2, body: '<title>Slow</title><img src=/s.png>' },
    { url: 'http://evil.example/', headers: evil, body: reachingPage(origin) },
    { url: 'http://evil.example/', day: 1, headers: evil, body: leadingPage(origin) },
  ]
  const folder = await archivedWeb(t, answers)
  const { port, server } = await serveStandIn(t, TOKEN, new PagesView(folder))
  const site = `http://127.0.0.1:${port}`
  const { page, context, trouble } = await openWindow(browser)
  const fetched: string[] = []
  page.on('response', response =>
    fetched.push(`${response.status()} ${new URL(response.url()).pathname.split('/')[3] ?? ''}`),
  )
  await page.goto(server.url.replace('/?', '/pages?'))

  await t.test(
    'reading room: a page is found by its words, in a text that stays text, and shown in its style',
    async () => {
      await page.getByRole('searchbox', { name: 'Search the archive' }).fill('news')
      const found = page.getByRole('list', { name: 'Archived pages' }).getByRole('listitem')
      await until('one page', async () => (await found.count()) === 1)
      assert.deepEqual(await found.locator('mark').allTextContents(), ['News'])
      assert.match((await found.locator('.snippet').textContent()) ?? '', /^… the latest <b>News of <script>alert\(1\)/)
      assert.equal(await found.locator('.snippet script, .snippet b').count(), 0, 'text stays text')
      assert.match((await page.getByRole('status').first().textContent()) ?? '', /About 25 pages found\./)
      await found.getByRole('link').click()
      await frameOf(page).getByRole('heading', { name: 'News' }).waitFor()
      assert.equal(await colorIn(page), 'rgb(1, 2, 3)')
      await until('image and font', () => fetched.includes('200 image') && fetched.includes('200 font'))
      assert.match(await asOf(page), /As of Feb 11, 2026/)
    },
  )

  await t.test('reading room: the calendar leads to other visits', async () => {
    await page.getByRole('button', { name: /^January 2, 2026: 1 visit, read in full/ }).click()
    await until('the first visit', async () => /Jan 2, 2026/.test(await asOf(page)))
    await frameOf(page).getByText('Open from 9 to 18').waitFor()
    await page.getByRole('button', { name: 'Later visit' }).click()
    await until('the second visit', async () => /Jan 22, 2026/.test(await asOf(page)))
    await frameOf(page).getByText('Open from 9 to 18').waitFor()
  })

  await t.test('reading room: a link leads on in the archive, and the bar follows', async () => {
    await frameOf(page).getByRole('link', { name: 'A story' }).click()
    await until('its address', () => new URL(page.url()).searchParams.get('url') === 'http://news.example/story')
    await page.getByRole('heading', { level: 1, name: 'Story' }).waitFor()
    assert.match(await asOf(page), /Jan 3, 2026/)
    await page.goBack()
    await until('the page before', () => new URL(page.url()).searchParams.get('url') === HOME)
    await frameOf(page).getByRole('link', { name: 'gone' }).click()
    await until('what is missing', async () => /Not in the archive/.test(await asOf(page)))
    const live = page.getByRole('link', { name: 'Open on the web' })
    assert.deepEqual(
      [await live.getAttribute('href'), await live.getAttribute('rel')],
      ['http://gone.example/', 'noopener noreferrer'],
    )
  })

  await t.test('reading room: two visits are compared', async () => {
    await page.goto(`${site}/visit?url=${encodeURIComponent(HOME)}`)
    await page.getByRole('link', { name: 'Compare with the visit before' }).click()
    const table = page.getByRole('table', { name: 'What changed in the text' })
    await table.waitFor()
    assert.deepEqual(await table.locator('del').allTextContents(), ['9', '18.'])
    assert.deepEqual(await table.locator('ins').allTextContents(), ['10', '19.'])
    await page.getByLabel('Later', { exact: true }).selectOption({ index: 0 })
    await page.getByText('The text is the same in both visits.').waitFor()
    await page.getByRole('button', { name: 'Pages', exact: true }).click()
    for (const which of ['Earlier', 'Later'])
      await page.frameLocator(`iframe[title^="${which}"]`).getByRole('heading', { name: 'News' }).waitFor()
  })

  await t.test('reading room: what changed is listed, and leads to the comparison with the visit before', async () => {
    await page.goto(`${site}/pages`)
    await page.getByRole('link', { name: 'Changes' }).click()
    await page.getByRole('heading', { level: 1, name: 'Changes' }).waitFor()
    const changes = page.getByRole('list', { name: 'Changes' }).getByRole('listitem')
    assert.match((await changes.allTextContents()).join(), /News.*news\.example.*Feb 11, 2026/s)
    assert.deepEqual(await complaints(page), [])
    await changes.getByRole('link').click()
    const table = page.getByRole('table', { name: 'What changed in the text' })
    await table.waitFor()
    assert.deepEqual(await table.locator('ins').allTextContents(), ['10', '19.'])
    await page.goBack()
    await page.getByRole('link', { name: 'Older' }).click()
    await until('the older change', async () => /gone, Jan 3, 2026/.test((await changes.allTextContents()).join()))
    const brazilian = await browser.newContext({ locale: 'pt-BR', storageState: await context.storageState() })
    const other = await brazilian.newPage()
    await other.goto(`${site}/changes`)
    await other.getByRole('heading', { level: 1, name: 'Mudanças' }).waitFor()
    await brazilian.close()
  })

  await t.test('reading room: a page that tries everything reaches nobody, and runs nothing', async () => {
    for (const day of [0, 1]) {
      await page.goto(`${site}/visit?url=${encodeURIComponent('http://evil.example/')}&at=2026010${2 + day}030405`)
      await until('the page', async () => /As of Jan/.test(await asOf(page)))
      await wait(500)
      const frame = page.frames()[1]!
      assert.equal(await frame.evaluate('self.origin'), 'null', 'an origin that equals no other')
    }
    await page.goBack()
    await frameOf(page).locator('#away').click({ noWaitAfter: true })
    await until('a page that says that it is missing', async () => /Not in the archive/.test(await asOf(page)))
    assert.deepEqual([canary.bytes, [...canary.paths]], [0, []])
    assert.deepEqual((await context.cookies()).length, 1, 'the cookie of the live page, and no other')
  })

  await t.test('reading room: opened in a tab of its own, it is in the same sandbox', async () => {
    const frame = page.frames()[1]!
    const alone = await context.newPage()
    await alone.goto(frame.url())
    assert.equal(await alone.evaluate('self.origin'), 'null')
    await alone.close()
  })

  await t.test(
    'reading room: the bar follows also to a page that never ends loading, and names what is no address',
    async () => {
      const other = await context.newPage()
      await other.route('**/at/*/image/**', () => undefined)
      await other.goto(`${site}/visit?url=${encodeURIComponent('http://news.example/story')}`)
      await frameOf(other).getByRole('link', { name: 'on' }).click({ noWaitAfter: true })
      await other.getByRole('heading', { level: 1, name: 'Slow' }).waitFor()
      await other.goto(`${site}/visit?url=foo%20bar`, { waitUntil: 'commit' })
      await until('what is wrong', async () => /This is not a web address/.test(await asOf(other)))
      assert.equal(await other.locator('iframe').count(), 0)
      await other.close()
    },
  )

  await t.test('reading room: axe-core finds nothing, wide and light or narrow and dark', async () => {
    const shown = {
      '/pages': page.getByRole('table', { name: 'Pages' }),
      [`/visit?url=${encodeURIComponent(HOME)}`]: page.getByRole('table').first(),
      [`/compare?url=${encodeURIComponent(HOME)}&from=20260102030405`]: page.getByRole('table').first(),
    }
    for (const [path, what] of Object.entries(shown)) {
      await page.goto(site + path)
      const [wide, narrow] = [[1440, 'light'] as const, [390, 'dark'] as const]
      for (const [width, colorScheme] of IS_SOAK ? [wide, narrow] : [path === '/pages' ? wide : narrow]) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        await what.waitFor()
        assert.deepEqual(await complaints(page), [], `${path} at ${width}`)
        const overflow = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
        assert.equal(overflow, false, `${path} is not wider than ${width}`)
      }
    }
  })

  const own = trouble.errors.filter(text => !/status of 40[34]|Blocked script execution|sandboxed/.test(text))
  assert.deepEqual([own, trouble.elsewhere], [[], []])
})

function frameOf(page: Page) {
  return page.frameLocator('iframe.archived')
}

async function asOf(page: Page): Promise<string> {
  return (await page.locator('.as-of').textContent()) ?? ''
}

/** The colour of the heading, as the browser shows it. */
async function colorIn(page: Page): Promise<string> {
  return page.frames()[1]!.evaluate("getComputedStyle(document.querySelector('h1')).color")
}
