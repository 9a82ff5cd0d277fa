import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The finished WARC files of a crawl's folder. */
export function warcFiles(folder) {
  const archive = join(folder, 'archive')
  return readdirSync(archive)
    .filter(name => name.endsWith('.warc.gz'))
    .sort()
    .map(name => join(archive, name))
}
