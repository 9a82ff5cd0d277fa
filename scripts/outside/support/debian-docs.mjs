// Real pages: those of Debian's documentation packages, downloaded once into the cache.
import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { has } from '../../needs.mjs'
import { Skipped } from './tools.mjs'

/** The HTML files of a package, by their names: `path` of the file, and `file`, its path in the package. */
export async function debianPages(context, name) {
  const folder = join(context.cache, 'debian', name)
  if (!existsSync(folder)) await unpack(context, name, folder)
  return readdirSync(folder, { recursive: true })
    .filter(file => /\.x?html?$/.test(file))
    .sort()
    .map(file => ({ path: join(folder, file), file }))
    .filter(({ path }) => existsSync(path) && statSync(path).isFile())
}

async function unpack({ cache, run }, name, folder) {
  if (!has('apt-get') || !has('dpkg-deb')) throw new Skipped('there is no apt-get')
  const packages = join(cache, 'debian', 'packages')
  mkdirSync(packages, { recursive: true })
  try {
    await run('apt-get', ['download', name], { cwd: packages })
    const file = readdirSync(packages).find(one => one.startsWith(`${name}_`))
    await run('dpkg-deb', ['-x', file, `${folder}.new`], { cwd: packages })
    renameSync(`${folder}.new`, folder)
  } catch (error) {
    throw new Skipped(`cannot download the package ${name}: ${error.message.split('\n')[0]}`)
  }
}

/** Of many packages, in which pages are as different as can be. */
const PACKAGES = [
  'apache2-doc',
  'aptitude-doc-ru',
  'debian-handbook',
  'debian-policy',
  'debian-reference-en',
  'debian-reference-ja',
  'developers-reference',
  'exim4-doc-html',
  'git-doc',
  'libglib2.0-doc',
  'libxml2-doc',
  'nodejs-doc',
  'octave-doc',
  'python-django-doc',
  'sqlite3-doc',
]

/** So many pages, from each package in turn; of a package those that lie furthest from each other. */
export async function variousPages(context, count) {
  const all = []
  for (const name of PACKAGES) all.push(await debianPages(context, name))
  const share = Math.ceil(count / all.length)
  const few = all.reduce((sum, pages) => sum + Math.max(0, share - pages.length), 0)
  const rich = all.filter(pages => pages.length > share).length
  const most = share + Math.ceil(few / Math.max(1, rich))
  const chosen = all.flatMap(pages => {
    const step = Math.max(1, pages.length / most)
    return Array.from({ length: Math.min(most, pages.length) }, (_, n) => pages[Math.floor(n * step)].path)
  })
  if (chosen.length < count) throw new Skipped(`Debian's documentation has only ${chosen.length} pages here`)
  return chosen.slice(0, count)
}
