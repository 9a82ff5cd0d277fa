// The keys of the index, for the links of Debian's documentation and for odd ones, beside those of cdxj-indexer.
//   node scripts/outside.mjs keys
// `node scripts/outside/keys.mjs --list FILE` writes a small list of URLs with the keys of cdxj-indexer, as
// test/archive/surt-keys.txt has it.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { has } from '../needs.mjs'
import { oddUrls } from './support/odd-urls.mjs'
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
  const { surt, targetUri } = await ours(context)
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
  const { cache, run } = context
  if (!has('apt-get') || !has('dpkg-deb')) throw new Skipped('there is no apt-get')
  const { webUrl, prepareBase } = await ours(context)
  const urls = new Set()
  for (const name of PACKAGES) {
    const folder = join(cache, 'debian', name)
    if (!existsSync(folder)) await unpack(name, folder, join(cache, 'debian', 'packages'), run)
    const files = readdirSync(folder, { recursive: true }).filter(file => /\.x?html?$/.test(file))
    for (const file of files) {
      const path = join(folder, file)
      const base = prepareBase(`http://${name}.example/${file}`)
      for (const [, href] of hrefsIn(path)) {
        const url = webUrl(href.replaceAll('&amp;', '&'), base)
        if (typeof url === 'object') urls.add(url.href)
      }
    }
  }
  return [...urls]
}

function hrefsIn(path) {
  try {
    return readFileSync(path, 'utf8').matchAll(/href\s*=\s*["']([^"']*)["']/g)
  } catch {
    // A link to a file of another package.
    return []
  }
}

async function unpack(name, folder, packages, run) {
  mkdirSync(packages, { recursive: true })
  try {
    await run('apt-get', ['download', name], { cwd: packages })
    const file = readdirSync(packages).find(one => one.startsWith(`${name}_`))
    await run('dpkg-deb', ['-x', file, folder], { cwd: packages })
  } catch (error) {
    throw new Skipped(`cannot download the package ${name}: ${error.message.split('\n')[0]}`)
  }
}

/** Our own modules; dist/ has them only in bundles. */
async function ours({ root, scratch }) {
  const { build } = await import('esbuild')
  const contents = ['archive/surt', 'archive/target-uri', 'url/web']
    .map(path => `export * from './${path}.ts'\n`)
    .join('')
  const outfile = join(scratch, 'ours.mjs')
  const stdin = { contents, resolveDir: join(root, 'src') }
  await build({ stdin, outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'error' })
  return import(pathToFileURL(outfile).href)
}

if (process.argv[2] === '--list') {
  const { openContext } = await import('./support/context.mjs')
  const context = openContext()
  try {
    const { targetUri } = await ours(context)
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
