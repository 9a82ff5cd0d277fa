// Somebody who looks at the live page: in a browser, or a program that asks for what the page asks for.
import { execFileSync } from 'node:child_process'

const EVERY_MS = 2000
/** What the pages show, one after the other. */
const LOOKS = ['/api/hosts?sort=waiting&limit=50', '/api/pages?limit=50', '/api/series', '/api/hosts?q=h77&limit=50']

/** Listens to the events and looks at a page of hosts, pages or charts every two seconds. Returns what ends it. */
export function program({ origin, token }) {
  const ending = new AbortController()
  const options = { headers: { Authorization: `Bearer ${token}` }, signal: ending.signal }
  const listen = async () => {
    const { body } = await fetch(`${origin}/api/events?brief=true`, options)
    for await (const _ of body);
  }
  let looks = 0
  const look = async () => {
    await (await fetch(`${origin}${LOOKS[looks++ % LOOKS.length]}`, options)).text()
  }
  const ignore = () => {}
  listen().catch(ignore)
  const timer = setInterval(() => look().catch(ignore), EVERY_MS)
  return () => {
    clearInterval(timer)
    ending.abort()
  }
}

/** Chromium with the page of hosts, sorted, or with the charts. Returns what ends it. */
export async function browser({ origin, token }) {
  const { chromium } = await import('playwright-core')
  const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim()
  const opened = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  })
  const page = await opened.newPage()
  await page.goto(`${origin}/?token=${token}`)
  let looks = 0
  const timer = setInterval(() => {
    page.goto(`${origin}${['/hosts?sort=waiting', '/', '/pages', '/'][looks++ % 4]}`).catch(() => {})
  }, EVERY_MS)
  return async () => {
    clearInterval(timer)
    await opened.close()
  }
}
