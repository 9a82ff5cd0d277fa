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
  /** Coloured pixels of each chart. */
  readonly charts: Readonly<Record<string, number>>
  /** Whatever was asked for besides the page itself, and what its policy stopped. */
  readonly requests: readonly string[]
  readonly violations: readonly string[]
  readonly errors: readonly string[]
  readonly images: number
  readonly scripts: number
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

/** All charts are drawn before printing, also those that nobody has scrolled to. */
const PROBE = `<script>
addEventListener('load', () => {
  const place = innerWidth < 560 ? 390 : innerWidth
  document.body.style.width = place + 'px'
  dispatchEvent(new Event('beforeprint'))
  const charts = {}
  for (const element of document.querySelectorAll('.chart')) {
    echarts.getInstanceByDom(element)?.getZr().flush()
    charts[element.id] = [...element.querySelectorAll('canvas')].reduce((sum, canvas) => sum + coloured(canvas), 0)
  }
  const { title } = document
  const seen = {
    title, charts, violations, errors, place,
    background: getComputedStyle(document.body).backgroundColor,
    requests: performance.getEntriesByType('resource').map(entry => entry.name),
    images: document.images.length,
    scripts: document.scripts.length,
    width: document.body.scrollWidth,
    text: document.querySelector('main').innerText,
  }
  document.body.textContent = 'SEEN' + encodeURIComponent(JSON.stringify(seen)) + 'SEEN'
})
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
