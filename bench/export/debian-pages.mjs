// Real pages: the HTML files of Debian's documentation packages, fetched once into the system's temporary folder.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pages as syntheticPages } from '../extract/pages.mjs'

const PACKAGES = ['debian-handbook', 'python-django-doc', 'git-doc', 'apache2-doc', 'sqlite3-doc', 'exim4-doc-html']
const MOST_BYTES = 2_000_000

/** Up to `most` pages; synthetic ones where there is no apt-get. Returns them and what they are. */
export function realPages(cache, most) {
  const folder = join(cache, 'debian')
  const stamp = join(folder, 'fetched')
  if (!existsSync(stamp)) fetchPackages(folder, stamp)
  const files = existsSync(folder) ? htmlFiles(folder) : []
  if (files.length < 100) return { kind: 'synthetic', pages: repeated(most) }
  const step = Math.max(1, files.length / most)
  const chosen = Array.from({ length: Math.min(most, files.length) }, (_, n) => files[Math.floor(n * step)])
  return { kind: 'debian', pages: pagesOf(folder, chosen) }
}

function fetchPackages(folder, stamp) {
  if (spawnSync('which', ['apt-get']).status !== 0) return
  mkdirSync(folder, { recursive: true })
  console.error(`fetching ${PACKAGES.join(', ')} …`)
  for (const name of PACKAGES) {
    // A package that this Debian does not have is left out.
    if (spawnSync('apt-get', ['download', '-q', name], { cwd: folder, stdio: 'ignore' }).status !== 0) continue
    const file = readdirSync(folder).find(one => one.startsWith(`${name}_`))
    execFileSync('dpkg-deb', ['-x', file, name], { cwd: folder })
  }
  writeFileSync(stamp, '')
}

/** In the order of their names, so that every run takes the same. */
function htmlFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.html?$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
}

function* pagesOf(folder, files) {
  for (const [n, file] of files.entries()) {
    const body = readFileSync(file)
    if (body.length > MOST_BYTES) continue
    const path = file.slice(folder.length).split('/').map(encodeURIComponent).join('/')
    yield { url: `http://host${n % 50}.example${path}`, body }
  }
}

/** Synthetic pages of all kinds, again and again. */
export function* repeated(most) {
  const kinds = Object.values(syntheticPages(100)).flat()
  for (let n = 0; n < most; n++)
    yield { url: `http://host${n % 50}.example/page-${n}.html`, body: kinds[n % kinds.length] }
}
