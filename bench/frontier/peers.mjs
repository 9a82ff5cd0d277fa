// The peers' packages live in the system's temporary folder: they are no dependencies of this project.
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installPackages } from '../install-packages.mjs'

/** better-sqlite3 13 wants Node 22; 12 is compiled on the spot where there is no binary to fetch. */
const PACKAGES = ['better-sqlite3@12', '@crawlee/core@3', '@crawlee/memory-storage@3']
export const benchFolder = join(tmpdir(), 'escalona-bench-frontier')
const folder = join(benchFolder, 'peers')

export const peerRequire = createRequire(join(folder, 'package.json'))

export function installPeers() {
  installPackages(folder, PACKAGES)
}

/** Their versions, for the record. */
export function peerVersions() {
  const version = name => `${name} ${peerRequire(`${name}/package.json`).version}`
  const sqlite = new (peerRequire('better-sqlite3'))(':memory:').prepare('SELECT sqlite_version()').pluck().get()
  return `${version('better-sqlite3')} (SQLite ${sqlite}), ${version('@crawlee/core')}, Node ${process.versions.node}`
}
