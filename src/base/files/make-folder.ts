import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Node's recursive `mkdir` never returns under `/proc`, and hides why a folder on a read-only disk can't be made. */
export function makeFolder(path: string): void {
  const missing: string[] = []
  for (let at = resolve(path); statSync(at, { throwIfNoEntry: false }) === undefined; at = dirname(at)) missing.push(at)
  // The whole path may be there, as something else than a folder.
  if (missing.length === 0) missing.push(resolve(path))
  for (const one of missing.reverse()) {
    try {
      mkdirSync(one)
    } catch (error) {
      // Another process may have made it meanwhile.
      if (!statSync(one, { throwIfNoEntry: false })?.isDirectory()) throw error
    }
  }
}
