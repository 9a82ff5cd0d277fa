// The peers' packages live in the system's temporary folder: they are no dependencies of this project.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installPackages } from '../install-packages.mjs'
import { needs } from '../tools.mjs'

const PACKAGES = ['@crawlee/cheerio@3']
export const benchFolder = join(tmpdir(), 'escalona-bench-crawl')
const folder = join(benchFolder, 'peers')

export const peerRequire = createRequire(join(folder, 'package.json'))

export function installCrawlee() {
  installPackages(folder, PACKAGES)
}

/** The Python that has Debian's Scrapy; it is installed where it is missing. */
export function pythonWithScrapy() {
  needs('scrapy', 'python3-scrapy')
  const found = ['/usr/bin/python3', 'python3'].find(one => spawnSync(one, ['-c', 'import scrapy']).status === 0)
  if (found === undefined) throw new Error('no python3 can import scrapy; install python3-scrapy')
  return found
}

/** Their versions, for the record. */
export function peerVersions(python) {
  const scrapy = spawnSync(python, ['-c', 'import scrapy; print(scrapy.__version__)'], { encoding: 'utf8' })
  const crawlee = peerRequire('@crawlee/cheerio/package.json').version
  return `Crawlee ${crawlee}, Scrapy ${scrapy.stdout.trim()}, Node ${process.versions.node}`
}
