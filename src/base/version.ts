import { existsSync, readFileSync } from 'node:fs'

/** The version of this package, from the package.json above this file: one folder up in dist/, farther up in a test build. */
export function version(): string {
  const file = ['../package.json', '../../package.json', '../../../package.json']
    .map(path => new URL(path, import.meta.url))
    .find(url => existsSync(url))
  return file === undefined ? 'unknown' : (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
