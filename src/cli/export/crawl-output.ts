import { realpathSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { leadsTo } from '../../base/files/output-file.ts'

/** The place in a crawl's folder to which an output would be written, by whatever symbolic links; undefined: it is outside. */
export function placeInCrawl(path: string, folder: string): string | undefined {
  if (path === '-') return undefined
  try {
    const target = resolve(leadsTo(path))
    const place = join(realpathSync(dirname(target)), basename(target))
    return place.startsWith(`${realpathSync(folder)}${sep}`) ? place : undefined
  } catch {
    // What is not there is reported by whoever opens it.
    return undefined
  }
}
