// Has the tools of others read what Escalona writes:
//   npm run test:outside -- [warcio pywb …]
// Makes a crawl of a web on loopback, and visits it again; then each file of scripts/outside/ is one check. Tools are
// installed into a cache, never into the project: Python packages, Java archives, replayweb.page. What cannot be installed is
// skipped by name. Prints one line per check, and fails when a check does.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openContext, Skipped } from './outside/support/context.mjs'

const context = openContext()
const folder = join(context.root, 'scripts', 'outside')
const wanted = process.argv.slice(2)
const names = readdirSync(folder)
  .filter(name => name.endsWith('.mjs'))
  .map(name => name.slice(0, -'.mjs'.length))
const chosen = names.filter(name => wanted.length === 0 || wanted.includes(name))
if (chosen.length < Math.max(1, wanted.length)) {
  console.error(`no such check. There are ${names.join(', ')}`)
  process.exit(2)
}
const results = { ok: [], FAILED: [], skipped: [] }
try {
  for (const name of chosen) {
    const startMs = performance.now()
    const { verdict, says } = await verdictOf(name)
    results[verdict].push(name)
    const seconds = ((performance.now() - startMs) / 1000).toFixed(1)
    console.log(`${verdict.padEnd(7)} ${name}: ${says} (${seconds} s)`)
  }
} finally {
  await context.close()
}
const { ok, FAILED: failed, skipped } = results
const list = names => (names.length === 0 ? '' : ` (${names.join(', ')})`)
console.log(`${ok.length} ok, ${failed.length} failed${list(failed)}, ${skipped.length} skipped${list(skipped)}`)
process.exit(failed.length > 0 ? 1 : 0)

async function verdictOf(name) {
  try {
    const { check } = await import(join(folder, `${name}.mjs`))
    return { verdict: 'ok', says: await check(context) }
  } catch (error) {
    if (error instanceof Skipped) return { verdict: 'skipped', says: error.message }
    return { verdict: 'FAILED', says: error instanceof Error ? error.message : String(error) }
  }
}
