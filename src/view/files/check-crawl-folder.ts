import { statSync } from 'node:fs'
import { EscalonaError } from '../../base/errors.ts'
import { catalogue } from '../../base/words/language.ts'
import { printable } from '../../base/words/printable.ts'
import { isCrawlFolder } from '../../folder/crawl-file.ts'

const words = catalogue({
  en: {
    noFolder: (path: string) => `there is no folder ${path}; name the folder of a crawl`,
    noCrawl: (path: string) => `${path} is not the folder of a crawl; name the folder that a crawl was written to`,
    noText: 'openCrawl takes the path of a folder; give it as a string',
  },
  pt: {
    noFolder: path => `não existe a pasta ${path}; indique a pasta de uma coleta`,
    noCrawl: path => `${path} não é a pasta de uma coleta; indique a pasta em que uma coleta foi gravada`,
    noText: 'openCrawl recebe o caminho de uma pasta; dê-o como texto',
  },
})

/** Throws `CRAWL_NOT_FOUND` when the folder holds no crawl. */
export function checkCrawlFolder(folder: string): void {
  if (typeof folder !== 'string') throw new EscalonaError('CRAWL_BAD_OPTIONS', words().noText)
  if (!isFolder(folder)) throw new EscalonaError('CRAWL_NOT_FOUND', words().noFolder(printable(folder)))
  if (!isCrawlFolder(folder)) throw new EscalonaError('CRAWL_NOT_FOUND', words().noCrawl(printable(folder)))
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
