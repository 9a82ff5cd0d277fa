import { closeSync, openSync, readdirSync, readSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { PAGES_FILE } from '../../archive/names.ts'
import { unixClock } from '../../base/clock.ts'
import { FolderLock } from '../../base/files/folder-lock.ts'
import { printable } from '../../base/words/printable.ts'
import { shownCount, shownTime } from '../../base/words/quantity.ts'
import { isCrawlFolder, openCrawlFile, readCrawlFile } from '../../folder/crawl-file.ts'
import { say } from '../terminal/say.ts'
import { wrongUse } from '../terminal/use-words.ts'
import { crawlWords } from './crawl-words.ts'

const FRONTIER =
  /^(?:(?:journal|links|snapshot)-\d{8}\.(?:log|bin)(?:\.tmp|\.new)?|frontier\.txt(?:\.\w+)?|synced(?:\.new)?)$/

/**
 * Every file that a crawl writes, by folder. Files that match no pattern are not ours and stay. `crawl.json` goes last: until
 * then an interrupted removal still counts as a crawl, and can be repeated.
 */
const WRITTEN: readonly (readonly [folder: string, names: RegExp])[] = [
  ['archive', /^(?:escalona-[0-9a-z]{8}-\d{14}-\d{5,}\.warc\.gz(?:\.open)?|synced)(?:\.new)?$/],
  ['index', /^(?:escalona-[0-9a-z]{8}-\d{14}-\d{5,}\.cdxj|merged(?:-\d+)?)(?:\.new)?$/],
  ['frontier', FRONTIER],
  [
    '',
    /^(?:crawl\.toml|(?:pages|failures|seeds|actions)\.jsonl(?:\.synced)?|frontier\.synced|(?:stats|sitemaps|handed-out|run|report)\.json|report\.html|index\.cdxj)(?:\.new)?$|^run\.sock$/,
  ],
  ['', /^crawl\.json(?:\.new)?$/],
]
const LOCK = /^\.?lock-/

/** `--fresh`: removes the crawl in a folder, if there is one, after asking. Returns false when the answer is no. */
export async function startOver(folder: string, isSure: boolean): Promise<boolean> {
  if (!isCrawlFolder(folder)) return true
  const words = crawlWords().fresh
  if (!isSure) {
    if (!process.stdin.isTTY || !process.stderr.isTTY) throw wrongUse(words.noTerminal(printable(folder)))
    const since = Date.parse(readCrawlFile(folder)?.startedAt ?? '')
    const begun = Number.isNaN(since) ? '?' : shownTime(since, unixClock())
    if (!(await ask(words.ask(printable(folder), shownCount(pagesIn(folder)), begun), words.yes))) {
      say('info', words.kept)
      return false
    }
  }
  const where = readCrawlFile(folder)?.frontier?.where
  say('info', words.removed(printable(folder), shownCount(await removeCrawl(folder))))
  if (where !== undefined) say('info', words.stays(printable(where)))
  return true
}

async function removeCrawl(folder: string): Promise<number> {
  const lock = await FolderLock.acquire(folder, { codes: 'CRAWL', onWait: text => say('info', text) })
  let files = 0
  try {
    // Frontiers that were being made again, or were set aside.
    const others = namesIn(folder).filter(name => /^frontier\.(?:rebuilding|damaged-\d+)$/.test(name))
    for (const [part, pattern] of [...others.map(name => [name, FRONTIER] as const), ...WRITTEN]) {
      const place = join(folder, part)
      for (const name of namesIn(place)) {
        if (!pattern.test(name) && !(part !== '' && LOCK.test(name))) continue
        lock.check()
        rmSync(join(place, name))
        files++
      }
      if (part !== '' && namesIn(place).length === 0) removeEmpty(place)
    }
    // What is left is not ours. A new crawl.json marks the folder as a crawl's, so that the next crawl may use it.
    if (namesIn(folder).some(name => !LOCK.test(name))) openCrawlFile(folder, unixClock())
  } finally {
    lock.release()
  }
  return files
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // It is not there.
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** The lines of `pages.jsonl`: how many pages would be lost. */
function pagesIn(folder: string): number {
  if (!namesIn(folder).includes(PAGES_FILE)) return 0
  const file = openSync(join(folder, PAGES_FILE), 'r')
  try {
    const piece = Buffer.allocUnsafe(1 << 20)
    let lines = 0
    for (let got = readSync(file, piece); got > 0; got = readSync(file, piece)) {
      for (let at = piece.indexOf(10); at !== -1 && at < got; at = piece.indexOf(10, at + 1)) lines++
    }
    return lines
  } finally {
    closeSync(file)
  }
}

async function ask(question: string, yes: RegExp): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return yes.test((await terminal.question(question)).trim())
  } finally {
    terminal.close()
  }
}
