// Pictures of pages in a real browser: as wide as a desk's screen and a telephone's, light, dark and printed.
//   node scripts/screenshots.mjs PAGE.html… [-o FOLDER] [--readme]
// --readme takes the two pictures of a report that the README shows, into docs/images/.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { WebSocket } from 'undici'
import { has } from './needs.mjs'

const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const WIDTHS = [1440, 390]
/** Where a picture ends, however long its page is. */
const MOST_HEIGHT = 16_000
const README_SIZE = { width: 1440, height: 900 }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    output: { type: 'string', short: 'o', default: 'screenshots' },
    readme: { type: 'boolean' },
    /** For looking: cuts long pictures into pieces of this height. */
    piece: { type: 'string' },
  },
})
if (positionals.length === 0) throw new Error('name the pages: node scripts/screenshots.mjs crawl/report.html')

const profile = mkdtempSync(join(tmpdir(), 'escalona-pictures-'))
const chromium = spawn(
  BROWSERS.find(has) ?? 'chromium',
  [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--hide-scrollbars',
    '--remote-debugging-port=0',
    `--user-data-dir=${profile}`,
    'about:blank',
  ],
  { stdio: 'ignore' },
)
try {
  const ask = await connect()
  for (const page of positionals) await picture(ask, resolve(page))
} finally {
  chromium.kill()
  await new Promise(resolve => chromium.once('exit', resolve))
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
}

async function picture(ask, page) {
  const folder = values.readme ? fileURLToPath(new URL('../docs/images/', import.meta.url)) : values.output
  mkdirSync(folder, { recursive: true })
  const name = basename(page).replace(/\.html$/, '')
  const keep = (file, base64) => writeFileSync(join(folder, file), Buffer.from(base64, 'base64'))
  for (const scheme of ['light', 'dark']) {
    await ask('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] })
    if (values.readme) {
      await open(ask, page, README_SIZE)
      keep(`${name}-${scheme}.png`, (await ask('Page.captureScreenshot', {})).data)
      continue
    }
    for (const width of WIDTHS) {
      const height = await open(ask, page, { width, height: 900 })
      const step = Number(values.piece ?? height)
      for (let y = 0, piece = 1; y < height; y += step, piece++) {
        const clip = { x: 0, y, width, height: Math.min(step, height - y), scale: 1 }
        const { data } = await ask('Page.captureScreenshot', { clip, captureBeyondViewport: true })
        keep(`${name}-${width}-${scheme}${values.piece === undefined ? '' : `-${piece}`}.png`, data)
      }
    }
  }
  if (values.readme) return
  // Still dark: on paper that must not matter.
  const { data } = await ask('Page.printToPDF', { preferCSSPageSize: true, printBackground: true })
  keep(`${name}.pdf`, data)
}

/** Opens a page and scrolls through it, so that everything is drawn. Returns its height. */
async function open(ask, page, { width, height }) {
  await ask('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 })
  await ask('Page.navigate', { url: pathToFileURL(page).href })
  const expression = `new Promise(async done => {
    while (document.readyState !== 'complete') await new Promise(resolve => setTimeout(resolve, 50))
    for (let y = 0; y < document.body.scrollHeight; y += 600) {
      scrollTo(0, y)
      await new Promise(resolve => setTimeout(resolve, 60))
    }
    scrollTo(0, 0)
    setTimeout(() => done(document.documentElement.scrollHeight), 300)
  })`
  const { result } = await ask('Runtime.evaluate', { expression, awaitPromise: true })
  return Math.min(result.value, MOST_HEIGHT)
}

/** A way to ask the browser's only page, by the DevTools protocol. */
async function connect() {
  const portFile = join(profile, 'DevToolsActivePort')
  for (let tries = 0; !existsSync(portFile) && tries < 200; tries++) await new Promise(done => setTimeout(done, 50))
  const [port] = readFileSync(portFile, 'utf8').split('\n')
  const pages = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()
  const socket = new WebSocket(pages.find(({ type }) => type === 'page').webSocketDebuggerUrl)
  await new Promise((done, fail) => {
    socket.onopen = done
    socket.onerror = fail
  })
  const waiting = new Map()
  socket.onmessage = ({ data }) => {
    const { id, result, error } = JSON.parse(data)
    const { done, fail } = waiting.get(id) ?? {}
    waiting.delete(id)
    if (error === undefined) done?.(result)
    else fail?.(new Error(error.message))
  }
  let last = 0
  return (method, params) =>
    new Promise((done, fail) => {
      waiting.set(++last, { done, fail })
      socket.send(JSON.stringify({ id: last, method, params }))
    })
}
