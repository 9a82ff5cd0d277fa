// pywb, directly on the folder of a crawl, in Chromium: every visit of every page is there, byte for byte, under its own date.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { failIf, openBrowserPage, showSome, wrongDates, wrongVisits } from './support/browser.mjs'
import { startServer } from './support/run-program.mjs'

export async function check(context) {
  const python = await context.python(['pywb'])
  const page = await openBrowserPage(context)
  const { folder, visits, pages } = await context.crawl()
  const home = join(context.scratch, 'pywb')
  mkdirSync(home)
  const paths = `index_paths: ${join(folder, 'index.cdxj')}\n    archive_paths: ${join(folder, 'archive')}/\n`
  writeFileSync(join(home, 'config.yaml'), `collections:\n  crawl:\n    ${paths}`)
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(`${origin}/crawl/`).then(
      answer => answer.ok,
      () => false,
    )
  const args = ['-c', 'from pywb.apps.cli import wayback; wayback()', '-b', '127.0.0.1', '-p', String(port)]
  const server = await startServer(python, args, { cwd: home, isReady })
  context.onClose(server.end)
  await page.goto(`${origin}/crawl/`)
  failIf(
    await wrongVisits(page, visits, ({ url, timestamp }) => `/crawl/${timestamp}id_/${url}`),
    'a visit is not as the web gave it',
  )
  const listOf = url => `/crawl/cdx?url=${encodeURIComponent(url)}&fl=timestamp`
  failIf(await wrongDates(page, visits, listOf, text => text.match(/\b\d{14}\b/g) ?? []), 'a date is missing')
  const shown = await showSome(page, visits, ({ url, timestamp }) => `${origin}/crawl/${timestamp}/${url}`)
  return `${visits.length} visits of ${pages.length} pages are byte-equal and listed with their dates; ${shown} were shown`
}

async function freePort() {
  const server = createServer()
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise(resolve => server.close(resolve))
  return port
}
