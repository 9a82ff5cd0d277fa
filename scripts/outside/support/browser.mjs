// Chromium, as a person uses it: what it gets from a player is compared with what the web gave.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { Skipped } from './tools.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const AT_ONCE = 8
const SHOWN = 20
const PATIENCE_MS = 30_000

/** A page of a new browser, which is closed with the context. */
export async function openBrowserPage(context) {
  const executablePath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap(folder => NAMES.map(name => join(folder, name)))
    .find(existsSync)
  if (executablePath === undefined) throw new Skipped('there is no Chromium')
  const { chromium } = await import('playwright-core')
  const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage']
  const browser = await chromium.launch({ executablePath, args })
  context.onClose(() => browser.close())
  return browser.newPage()
}

/**
 * Fetches each visit in the page and compares it, byte for byte, with what the web gave. `urlOf(visit)`: where the player has it.
 * Returns what is wrong, one line per visit.
 */
export async function wrongVisits(page, visits, urlOf) {
  const wrong = []
  for (const some of batches(visits)) {
    const got = await page.evaluate(digestsInPage, some.map(urlOf))
    for (const [n, { url, timestamp, body }] of some.entries()) {
      const { status, sha256 } = got[n]
      const isEqual = sha256 === createHash('sha256').update(body).digest('hex')
      if (status !== 200 || !isEqual)
        wrong.push(`${timestamp} ${url}: status ${status}, ${isEqual ? 'the same bytes' : 'other bytes'}`)
    }
  }
  return wrong
}

/**
 * Compares the dates that a player knows of each page with those of its visits. `urlOf(page)`: where the player lists them;
 * `timestampsIn(text)`: the dates in its answer, of 14 digits.
 */
export async function wrongDates(page, visits, urlOf, timestampsIn) {
  const wanted = new Map()
  for (const { url, timestamp } of visits) wanted.set(url, [...(wanted.get(url) ?? []), timestamp])
  const wrong = []
  for (const some of batches([...wanted.keys()])) {
    const got = await page.evaluate(textsInPage, some.map(urlOf))
    for (const [n, url] of some.entries()) {
      const known = new Set(timestampsIn(got[n]))
      const missing = wanted.get(url).filter(timestamp => !known.has(timestamp))
      if (missing.length > 0) wrong.push(`${url}: ${missing.join(', ')} not in ${[...known].join(', ')}`)
    }
  }
  return wrong
}

/** Shows some of the visits as a person sees them, in the player's frame, and compares their titles. Returns how many. */
export async function showSome(page, visits, urlOf) {
  const step = Math.ceil(visits.length / SHOWN)
  const some = visits.filter((_, n) => n % step === 0)
  for (const visit of some) {
    const title = /<title>(.*?)<\/title>/.exec(visit.body.toString('latin1'))[1].replaceAll('&amp;', '&')
    await page.goto('about:blank')
    await page.goto(urlOf(visit))
    const endMs = performance.now() + PATIENCE_MS
    let shown = []
    while (!shown.includes(title)) {
      if (performance.now() > endMs) throw new Error(`${visit.url} shows ${JSON.stringify(shown)}, not "${title}"`)
      await new Promise(resolve => setTimeout(resolve, 100))
      // A frame may just be loading.
      const titles = page
        .frames()
        .slice(1)
        .map(frame => frame.title().catch(() => ''))
      shown = await Promise.all(titles)
    }
  }
  return some.length
}

function* batches(list) {
  for (let at = 0; at < list.length; at += AT_ONCE) yield list.slice(at, at + AT_ONCE)
}

/** Runs in the browser. */
async function digestsInPage(urls) {
  const one = async url => {
    const answer = await fetch(url)
    const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', await answer.arrayBuffer()))
    return { status: answer.status, sha256: [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('') }
  }
  return Promise.all(urls.map(one))
}

/** Runs in the browser. */
async function textsInPage(urls) {
  return Promise.all(urls.map(url => fetch(url).then(answer => answer.text())))
}

/** An error that names the first of what is wrong. */
export function failIf(wrong, what) {
  if (wrong.length > 0) throw new Error(`${what}, ${wrong.length} times:\n  ${wrong.slice(0, 5).join('\n  ')}`)
}
