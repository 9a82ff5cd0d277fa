// replayweb.page on the WACZ, in Chromium: it lists every visit, and every one is there, byte for byte, under its own date.
import { createHash } from 'node:crypto'
import { join, normalize } from 'node:path'
import { failWith, openBrowserPage, wrongVisits } from './support/browser.mjs'
import { serveFiles } from './support/static-server.mjs'

const PATIENCE_MS = 60_000
const SHOWN = 10

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
  const wrong = await wrongVisits(page, visits, ({ url, timestamp }) => `/w/${collection}/${timestamp}id_/${url}`)
  if (wrong.length > 0) failWith(wrong, visits.length)
  const step = Math.ceil(visits.length / SHOWN)
  for (const { url, timestamp, body } of visits.filter((_, n) => n % step === 0)) {
    const title = /<title>(.*?)<\/title>/.exec(body.toString())[1].replaceAll('&amp;', '&')
    await page.goto(`${origin}/w/${collection}/${timestamp}mp_/${url}`)
    if ((await page.title()) !== title) throw new Error(`${url} shows "${await page.title()}", not "${title}"`)
  }
  return `${visits.length} visits of ${pages.length} pages are listed and byte-equal, each at its date; ${SHOWN} were shown`
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
