import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The Chromium of this machine. */
export async function findBrowser(): Promise<string | undefined> {
  for (const name of NAMES) {
    const found = await run(name, ['--version']).catch(() => undefined)
    if (found !== undefined) return name
  }
  return undefined
}

export interface Seen {
  readonly title: string
  readonly background: string
  /** What is coloured in each chart: pixels of a canvas, elements of an SVG. */
  readonly charts: Readonly<Record<string, number>>
  /** Whatever was asked for besides the page itself, and what its policy stopped. */
  readonly requests: readonly string[]
  readonly violations: readonly string[]
  readonly errors: readonly string[]
  readonly images: number
  readonly scripts: number
  /** Boxes whose inside is wider than they are, other than those that scroll. */
  readonly cut: readonly string[]
  /** How wide the page is, and how wide its place: that of a telephone when the window is narrow. */
  readonly width: number
  readonly place: number
  readonly text: string
}

/** Looks at the page when it is there: put in front of everything else, so that it notices whatever goes wrong. */
const LISTENER = `<script>
const violations = [], errors = []
document.addEventListener('securitypolicyviolation', event => violations.push(event.blockedURI))
addEventListener('error', event => errors.push(event.message))
</script>`

/** Draws all charts, also those that nobody has scrolled to, and looks at everything. */
const PROBE = `<script>
addEventListener('load', () => {
  const place = innerWidth < 560 ? 390 : innerWidth
  document.body.style.width = place + 'px'
  if (document.documentElement.dataset.printed !== undefined) dispatchEvent(new Event('beforeprint'))
  for (const fold of document.querySelectorAll('details')) fold.open = true
  for (const element of [...waiting.keys()]) show(element)
  const charts = {}
  for (const element of document.querySelectorAll('.chart')) {
    const chart = echarts.getInstanceByDom(element)
    chart?.resize()
    chart?.getZr().flush()
    const pixels = [...element.querySelectorAll('canvas')].reduce((sum, canvas) => sum + coloured(canvas), 0)
    charts[element.id] = pixels + [...element.querySelectorAll('svg *')].filter(isColoured).length
  }
  const cut = [...document.querySelectorAll('main *')]
    .filter(box => box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 0 && getComputedStyle(box).overflowX !== 'auto')
    .filter(box => box.closest('.chart') === null && getComputedStyle(box).display !== 'inline')
    .map(box => box.tagName + '.' + box.className + ': ' + box.textContent.slice(0, 40))
  const { title } = document
  const seen = {
    title, charts, violations, errors, place, cut,
    background: getComputedStyle(document.body).backgroundColor,
    requests: performance.getEntriesByType('resource').map(entry => entry.name),
    images: document.images.length,
    scripts: document.scripts.length,
    width: document.body.scrollWidth,
    text: document.querySelector('main').innerText,
  }
  document.body.textContent = 'SEEN' + encodeURIComponent(JSON.stringify(seen)) + 'SEEN'
})
function isColoured(element) {
  return ['fill', 'stroke'].some(name => {
    const [, digits] = /^#([0-9a-f]{6})$/i.exec(element.getAttribute(name) ?? '') ?? []
    if (digits === undefined) return false
    const parts = [0, 2, 4].map(at => Number.parseInt(digits.slice(at, at + 2), 16))
    return Math.max(...parts) - Math.min(...parts) > 40
  })
}
function coloured(canvas) {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  let count = 0
  for (let i = 0; i < data.length; i += 4) {
    const [least, most] = [Math.min(data[i], data[i + 1], data[i + 2]), Math.max(data[i], data[i + 1], data[i + 2])]
    if (data[i + 3] > 0 && most - least > 40) count++
  }
  return count
}
</script>`

/** Opens a page as a file, with these options of Chromium. */
export async function seenIn(browser: string, html: string, ...options: string[]): Promise<Seen> {
  const folder = mkdtempSync(join(tmpdir(), 'escalona-page-'))
  try {
    const path = join(folder, 'page.html')
    writeFileSync(
      path,
      html.replace('<head>', () => `<head>${LISTENER}`).replace('</body>\n</html>', () => `${PROBE}</body></html>`),
    )
    const fixed = [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      `--user-data-dir=${folder}/profile`,
    ]
    const { stdout } = await run(browser, [...fixed, ...options, '--dump-dom', pathToFileURL(path).href], {
      timeout: 60_000,
      maxBuffer: 1 << 26,
    })
    return JSON.parse(decodeURIComponent(/SEEN(\S*)SEEN/.exec(stdout)?.[1] ?? 'null')) as Seen
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The page as it is on paper: what its style says for print holds, and what it says for dark screens does not. */
export function onPaper(html: string): string {
  return html
    .replace(/<html/, '<html data-printed')
    .replaceAll('@media print', '@media all')
    .replaceAll('@media screen and (prefers-color-scheme: dark)', '@media not all')
}
