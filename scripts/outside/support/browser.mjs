// Chromium, as a person uses it: what it gets from a player is compared with what the web gave.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { Skipped } from './tools.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const AT_ONCE = 8

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
 * Fetches each visit in the page, byte for byte, and compares: status, SHA-256 of the body, and the date that the player says: pywb
 * in a header of its own, replayweb.page in `Date`, which the web itself always sets to another day.
 * `urlOf(visit)`: where the player has it. Returns what is wrong, one line per visit.
 */
export async function wrongVisits(page, visits, urlOf) {
  const wrong = []
  for (let at = 0; at < visits.length; at += AT_ONCE) {
    const some = visits.slice(at, at + AT_ONCE)
    const got = await page.evaluate(inPage, some.map(urlOf))
    for (const [n, visit] of some.entries()) {
      const wanted = {
        status: 200,
        sha256: createHash('sha256').update(visit.body).digest('hex'),
        date: secondOf(visit.iso),
      }
      const differing = Object.keys(wanted).filter(key => wanted[key] !== got[n][key])
      if (differing.length > 0)
        wrong.push(
          `${visit.timestamp} ${visit.url}: ${differing.map(key => `${key} is ${got[n][key]}, not ${wanted[key]}`).join('; ')}`,
        )
    }
  }
  return wrong
}

function secondOf(iso) {
  return new Date(Math.floor(Date.parse(iso) / 1000) * 1000).toUTCString()
}

/** Runs in the browser. */
async function inPage(urls) {
  const one = async url => {
    const answer = await fetch(url)
    const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', await answer.arrayBuffer()))
    const sha256 = [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')
    return { status: answer.status, sha256, date: answer.headers.get('Memento-Datetime') ?? answer.headers.get('Date') }
  }
  return Promise.all(urls.map(one))
}

/** An error that names the first of them. */
export function failWith(wrong, of) {
  throw new Error(`${wrong.length} of ${of} visits are wrong:\n  ${wrong.slice(0, 5).join('\n  ')}`)
}
