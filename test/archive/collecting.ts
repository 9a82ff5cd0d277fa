// Archives pages until it is killed, stopped by the disk, or done: `node collecting.js FOLDER PAGES`. Goes on where the
// folder's archive ends. Says "open N" when it begins with page N, "N" when the pages before N are synced, and in the end
// "done" or the code of its error.
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { finishIndex } from '../../src/archive/index-files.ts'
import { openArchive } from '../../src/archive/open-archive.ts'
import { PagesFile } from '../../src/archive/pages-file.ts'
import { EscalonaError } from '../../src/base/errors.ts'
import { lineOf, numberOf, options, page, robots } from './sample.ts'

const BATCH = 60
const [crawl = '', limit] = process.argv.slice(2)

try {
  const { writer, recent } = openArchive(crawl, options())
  const pages = new PagesFile(join(crawl, 'pages.jsonl'), { files: recent.map(one => one.file), onRepair: () => {} })
  const missing = recent.filter(one => one.isPage && !pages.isKnown(one))
  pages.append(missing.map(one => lineOf(numberOf(one), one)))
  const last = recent.findLast(one => one.isPage)
  let next = last === undefined ? 0 : numberOf(last) + 1
  say(`open ${next}`)
  try {
    while (next < Number(limit)) {
      const numbers = Array.from({ length: Math.min(BATCH, Number(limit) - next) }, (_, i) => next + i)
      const [, ...places] = writer.append([robots(next), ...numbers.map(page)])
      pages.append(places.map((place, i) => lineOf(numbers[i]!, place)))
      await writer.sync()
      await pages.sync()
      next += numbers.length
      say(`${next}`)
    }
  } finally {
    await writer.close()
    await pages.close()
  }
  finishIndex(crawl)
  say('done')
} catch (error) {
  if (!(error instanceof EscalonaError)) throw error
  say(error.code)
}

function say(line: string): void {
  writeSync(1, `${line}\n`)
}
