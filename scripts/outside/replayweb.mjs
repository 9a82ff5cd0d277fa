// replayweb.page on the WACZ, in Chromium: it lists every visit, and every one is there, byte for byte, under its own date.
import { createHash } from 'node:crypto'
import { join, normalize } from 'node:path'
import { failIf, openBrowserPage, showSome, wrongDates, wrongVisits } from './support/browser.mjs'
import { serveFiles } from './support/static-server.mjs'

const PATIENCE_MS = 60_000

export async function check(context) {
  const player = await context.npmTool('replaywebpage')
  const page = await openBrowserPage(context)
  const { visits, pages } = await context.crawl()
  const file = await context.wacz()
  const origin = await serveFiles(context, path => {
    if (path === '/crawl.wacz') return file
    return path === '/' ? join(player, 'index.html') : join(player, normalize(path))
  })
  const source = `${origin}/crawl.wacz`
  await page.goto(`${origin}/?source=${encodeURIComponent(source)}`)
  // As replayweb.page names a collection.
  const collection = `id-${createHash('sha256').update(source).digest('hex').slice(0, 12)}`
  const listed = await until(page, `/w/api/c/${collection}`, ({ numPages }) => numPages)
  if (listed !== visits.length) throw new Error(`${listed} of ${visits.length} visits are listed`)
  failIf(
    await wrongVisits(page, visits, ({ url, timestamp }) => `/w/${collection}/${timestamp}id_/${url}`),
    'a visit is not as the web gave it',
  )
  const listOf = url => `/w/api/c/${collection}/ts/?url=${encodeURIComponent(url)}`
  failIf(await wrongDates(page, visits, listOf, timestampsIn), 'a date is missing')
  const start = `${origin}/?source=${encodeURIComponent(source)}#view=replay`
  const shown = await showSome(
    page,
    visits,
    ({ url, timestamp }) => `${start}&url=${encodeURIComponent(url)}&ts=${timestamp}`,
  )
  return `${visits.length} visits of ${pages.length} pages are listed and byte-equal, with their dates; ${shown} were shown`
}

function timestampsIn(text) {
  return JSON.parse(text).timestamps.map(ms => new Date(ms).toISOString().replace(/\D/g, '').slice(0, 14))
}

/** Asks until the answer has what is wanted. */
async function until(page, path, wanted) {
  const endMs = performance.now() + PATIENCE_MS
  for (;;) {
    const answer = await page.evaluate(
      path =>
        fetch(path)
          .then(answer => answer.json())
          .catch(() => ({})),
      path,
    )
    if (wanted(answer)) return wanted(answer)
    if (performance.now() > endMs) throw new Error(`the WACZ was not loaded in a minute: ${JSON.stringify(answer)}`)
    await new Promise(resolve => setTimeout(resolve, 200))
  }
}
