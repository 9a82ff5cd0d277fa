import { existsSync, readFileSync } from 'node:fs'

/** Of this package, out of the package.json above this file: near when it is bundled, farther in a test build. */
export function version(): string {
  const file = ['../package.json', '../../package.json', '../../../package.json']
    .map(path => new URL(path, import.meta.url))
    .find(url => existsSync(url))
  return file === undefined ? 'unknown' : (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
