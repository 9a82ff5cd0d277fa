// The keys of the index, for the links of Debian's documentation and for odd ones, beside those of cdxj-indexer.
//   node scripts/outside.mjs keys
// `node scripts/outside/keys.mjs --list FILE` writes a small list of URLs with the keys of cdxj-indexer, as
// test/archive/surt-keys.txt has it.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { debianPages } from './support/debian-docs.mjs'
import { oddUrls } from './support/odd-urls.mjs'
import { ownModules } from './support/own-modules.mjs'
import { Skipped } from './support/tools.mjs'

const PACKAGES = [
  'apache2-doc',
  'debian-policy',
  'debian-reference-en',
  'developers-reference',
  'git-doc',
  'nodejs-doc',
  'python-django-doc',
]
const LEAST_REAL = 10_000
const ODD = 20_000

export async function check(context) {
  const { surt, targetUri } = await ownModules(context, ['src/archive/surt', 'src/archive/target-uri', 'src/url/web'])
  const real = await realUrls(context)
  if (real.length < LEAST_REAL) throw new Skipped(`Debian's documentation has only ${real.length} links here`)
  const urls = [...new Set([...real, ...oddUrls(ODD)].map(targetUri))]
  const keys = await keysOf(context, urls)
  const wrong = urls.flatMap((url, i) => (surt(url) === keys[i] ? [] : `${url}: ${surt(url)}, not ${keys[i]}`))
  if (wrong.length > 0)
    throw new Error(`${wrong.length} of ${urls.length} keys differ: ${wrong.slice(0, 3).join('; ')}`)
  return `${real.length} real and ${urls.length - real.length} odd URLs have the same key`
}

/** The keys that cdxj-indexer gives to URLs. */
async function keysOf(context, urls) {
  const python = await context.python(['cdxj-indexer'])
  const script = fileURLToPath(new URL('keys.py', import.meta.url))
  const input = urls.map(url => `${url}\n`).join('')
  return execFileSync(python, [script], { input, maxBuffer: 1 << 28 })
    .toString()
    .split('\n')
}

/** Every link in some documentation packages, canonical, once. */
async function realUrls(context) {
  const { webUrl, prepareBase } = await ownModules(context, [
    'src/archive/surt',
    'src/archive/target-uri',
    'src/url/web',
  ])
  const urls = new Set()
  for (const name of PACKAGES) {
    for (const { path, file } of await debianPages(context, name)) {
      const base = prepareBase(`http://${name}.example/${file}`)
      for (const [, href] of readFileSync(path, 'utf8').matchAll(/href\s*=\s*["']([^"']*)["']/g)) {
        const url = webUrl(href.replaceAll('&amp;', '&'), base)
        if (typeof url === 'object') urls.add(url.href)
      }
    }
  }
  return [...urls]
}

if (process.argv[2] === '--list') {
  const { openContext } = await import('./support/context.mjs')
  const context = openContext()
  try {
    const { targetUri } = await ownModules(context, ['src/archive/surt', 'src/archive/target-uri', 'src/url/web'])
    const real = await realUrls(context)
    const every = Math.ceil(real.length / 150)
    // Links with something to decode are rarer, and tell more.
    const telling = real.filter(url => /[%?]/.test(url.replace(/#.*/, '')))
    const some = [
      ...real.filter((_, i) => i % every === 0),
      ...telling.filter((_, i) => i % Math.ceil(telling.length / 100) === 0),
      ...oddUrls(250),
    ]
    const urls = [...new Set(some.map(targetUri))]
    const keys = await keysOf(context, urls)
    writeFileSync(process.argv[3], urls.map((url, i) => `${url} ${keys[i]}\n`).join(''))
  } finally {
    await context.close()
  }
}
