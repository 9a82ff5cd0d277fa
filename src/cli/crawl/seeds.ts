import { existsSync, statSync } from 'node:fs'
import { EscalonaError } from '../../base/errors.ts'
import { openInput } from '../../base/files/byte-input.ts'
import { printable, quoted } from '../../base/words/printable.ts'
import { shownCount } from '../../base/words/quantity.ts'
import { seedUrl } from '../../settings/check-options.ts'
import { type WebUrl, webUrl } from '../../url/web.ts'
import { wrongUse } from '../terminal/use-words.ts'
import { crawlWords } from './crawl-words.ts'

const READ_BYTES = 1 << 16
/** Longer lines are cut; no web address is that long. */
const LONGEST_LINE = 1 << 14
const MOST_SHOWN = 20
/** The name of a file with seeds: no host is called so. */
const LIST_NAME = /^(?!\w+:)[^?#]*\.(?:txt|csv|tsv|list|lst|urls|jsonl?|gz)$/i

/** Where seeds come from: URLs typed on the command line, and files that list them (`-` is standard input). */
export interface SeedSources {
  readonly urls: readonly string[]
  readonly lists: readonly string[]
}

/** Sorts the seeds on the command line: a bare word is a URL or `-`; `-s` names a file, or a URL with its scheme. */
export function seedSources(words: readonly string[], named: readonly string[]): SeedSources {
  const typed = words.filter(word => word !== '-')
  for (const word of typed) {
    if (isFile(word)) throw wrongUse(crawlWords().seedIsFile(printable(word)))
    if (LIST_NAME.test(word)) throw wrongUse(crawlWords().noSuchFile(printable(word)))
  }
  const isUrl = (text: string) => /^(?:https?:\/\/|sitemap:)/i.test(text)
  const lists = [...named.filter(text => !isUrl(text)), ...words.filter(word => word === '-')]
  for (const path of lists) {
    if (looksLikeHost(path) && !existsSync(path)) throw wrongUse(crawlWords().noSuchList(printable(path)))
  }
  if (lists.filter(path => path === '-').length > 1) throw wrongUse(crawlWords().stdinOnce)
  return { urls: [...typed, ...named.filter(isUrl)], lists }
}

function isFile(word: string): boolean {
  return !word.includes('://') && existsSync(word) && statSync(word).isFile()
}

/**
 * Reads the seeds of a crawl, without duplicates. A typed seed that is not a web address is an error; `typed` completes one that was typed
 * without a scheme. Files have one seed per line; empty lines and lines that begin with `#` are skipped, and lines that are not web
 * addresses are reported and skipped.
 */
export async function readSeeds(
  { urls, lists }: SeedSources,
  report: (message: string) => void,
  typed = async (seed: WebUrl) => seed,
): Promise<WebUrl[]> {
  const seeds = new Map<string, WebUrl>()
  for (const text of urls) {
    const seed = seedOf(text)
    if (typeof seed === 'string') throw wrongUse(`${quoted(Buffer.from(text))}: ${crawlWords().seeds[seed]}`)
    const whole = looksLikeHost(text.replace(/^\/\//, '')) ? await typed(seed) : seed
    seeds.set(whole.href, whole)
  }
  for (const path of lists) for (const seed of await readList(path, report)) seeds.set(seed.href, seed)
  return [...seeds.values()]
}

async function readList(path: string, report: (message: string) => void): Promise<WebUrl[]> {
  const words = crawlWords().seeds
  const name = path === '-' ? '<stdin>' : printable(path)
  const seeds: WebUrl[] = []
  let mistakes = 0
  let number = 0
  for await (const line of linesOf(path)) {
    number++
    const text = line.trim()
    if (text === '' || text.startsWith('#')) continue
    const seed = seedOf(text)
    if (typeof seed !== 'string') seeds.push(seed)
    else if (mistakes++ < MOST_SHOWN) report(words.skipped(`${name}:${number}`, quoted(Buffer.from(text)), words[seed]))
  }
  if (mistakes > MOST_SHOWN) report(words.more(name, shownCount(mistakes - MOST_SHOWN)))
  if (seeds.length > 0) return seeds
  throw new EscalonaError('CRAWL_NO_SEEDS', words.none(name))
}

/** Assumes https where a host is clearly meant: `ufmg.br`, `ufmg.br:8080/x`, `//ufmg.br`, `sitemap:ufmg.br/sitemap.xml`. */
export function seedOf(text: string): ReturnType<typeof webUrl> {
  return seedUrl(text, addressOf)
}

function addressOf(text: string): ReturnType<typeof webUrl> {
  if (text.startsWith('//')) return webUrl(`https:${text}`)
  return webUrl(looksLikeHost(text) ? `https://${text}` : text)
}

function looksLikeHost(text: string): boolean {
  return /^(?:[^\s/?#:@.]+(?:\.[^\s/?#:@.]+)+|localhost|\[[\da-f:.]+\])\.?(?::\d+)?(?:[/?#]|$)/i.test(text)
}

/** The lines of a file; overlong lines are cut, but stay long enough to be rejected as too long. */
async function* linesOf(path: string): AsyncGenerator<string> {
  const input = openInput(path)
  try {
    const buffer = Buffer.alloc(READ_BYTES)
    const decoder = new TextDecoder()
    let begun = ''
    for (;;) {
      await input.ready()
      const got = input.read(buffer, 0, READ_BYTES)
      const lines = (begun + decoder.decode(buffer.subarray(0, got), { stream: got > 0 })).split(/\r?\n|\r/)
      begun = lines.pop()!.slice(0, LONGEST_LINE)
      yield* lines
      if (got > 0) continue
      if (begun !== '') yield begun
      return
    }
  } finally {
    input.close()
  }
}
