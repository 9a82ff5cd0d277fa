import { systemClock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
import { printable } from '../../base/words/printable.ts'
import { readCount, shownDecimal } from '../../base/words/quantity.ts'
import { type FoundPage, Search, type SearchResult } from '../../search/search.ts'
import { type IndexState, updateIndex } from '../../search/update-index.ts'
import { checkCrawlFolder } from '../../view/files/check-crawl-folder.ts'
import type { Command } from '../commands.ts'
import { rowLimit } from '../look/look-arguments.ts'
import { lookWords } from '../look/look-words.ts'
import { type OptionRows, optionLines, readArguments } from '../terminal/option-table.ts'
import { safeJson, say } from '../terminal/say.ts'
import { answer } from '../terminal/tell.ts'
import { WorkBar } from '../terminal/work-bar.ts'
import { wrongUse } from '../terminal/wrong-use.ts'
import { searchWords } from './search-words.ts'

const OPTIONS = {
  host: { value: 'H' },
  since: { value: 'DATE' },
  until: { value: 'DATE' },
  limit: { short: 'n', value: 'N' },
  json: {},
  index: {},
  rebuild: {},
  workers: { value: 'N' },
  quiet: { short: 'q' },
} as const satisfies OptionRows

const SEE = 'escalona search --help'
const LIMIT = 10
const MOST_WORKERS = 256

/** `escalona search DIR WORDS`: finds archived pages by their text. */
export const SEARCH: Command = { run: searchCommand, help: searchHelp, options: OPTIONS, names: 'folder' }

function searchHelp(): string {
  const { head, options, rest } = searchWords()
  return head + optionLines(OPTIONS, options) + rest
}

async function searchCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS, SEE)
  const [folder = '', ...given] = positionals
  if (folder === '') throw wrongUse(lookWords().noFolder, SEE)
  const isIndexOnly = values.index === true || values.rebuild === true
  if (given.length === 0 && !isIndexOnly) throw wrongUse(searchWords().noQuestion, SEE)
  const limit = values.limit === undefined ? LIMIT : rowLimit(values.limit, SEE)
  const { host, since, until, json = false, quiet = false, rebuild = false } = values
  checkCrawlFolder(folder)
  const startMs = systemClock()
  const options = { isFresh: rebuild, isQuiet: quiet, ...(values.workers && { workers: workersOf(values.workers) }) }
  const state = await brought(folder, options, given.length > 0)
  if (given.length === 0) return sayIndexed(state, startMs, quiet)
  const search = new Search(folder)
  try {
    const askedMs = systemClock()
    const result = await search.find({ q: given.map(asPhrase).join(' '), host, since, until }, { limit })
    show(result, json)
    if (!quiet) sayFound(result, systemClock() - askedMs)
    if (!quiet && state !== undefined && state.unread > 0)
      say('warn', searchWords().unread(state.unread, state.firstUnread ?? ''))
    return 0
  } finally {
    search.close()
  }
}

/** The shell takes the quotes away: what was one argument with blanks in it was a phrase. */
function asPhrase(argument: string): string {
  return /\s/.test(argument.trim()) && !argument.includes('"') ? `"${argument}"` : argument
}

/** Brings the index up to date. `isEnough`: an index that cannot be brought up to date now is searched as it is. */
async function brought(
  folder: string,
  { isFresh, isQuiet, workers }: { isFresh: boolean; isQuiet: boolean; workers?: number },
  isEnough: boolean,
): Promise<IndexState | undefined> {
  const bar = new WorkBar(isQuiet, systemClock())
  try {
    const onProgress = (share: number) => bar.show(systemClock(), share, searchWords().indexing)
    return await updateIndex(folder, { isFresh, onProgress, ...(workers !== undefined && { workers }) })
  } catch (error) {
    const isKnown = error instanceof EscalonaError && /^SEARCH_(?:LOCKED|UNWRITABLE)$/.test(error.code)
    if (!isKnown || !isEnough) throw error
    bar.hide()
    say('warn', searchWords().asItIs(error.message))
    return undefined
  } finally {
    bar.hide()
  }
}

function sayIndexed(state: IndexState | undefined, startMs: number, isQuiet: boolean): number {
  if (state === undefined) return 1
  const { indexed, unread } = searchWords()
  const seconds = shownDecimal((systemClock() - startMs) / 1000, 2)
  if (!isQuiet) say('info', indexed(state.pages, state.bytes, seconds))
  if (state.unread > 0) say('warn', unread(state.unread, state.firstUnread ?? ''))
  return state.unread > 0 ? 1 : 0
}

function show({ items }: SearchResult, isJson: boolean): void {
  if (isJson) answer(items.map(item => `${safeJson(item)}\n`).join(''))
  else answer(items.map((item, at) => shown(item, at + 1)).join('\n'))
}

function shown({ url, title, dateMs, snippet }: FoundPage, number: number): string {
  const hasMarks = process.stdout.isTTY === true && (process.env.NO_COLOR ?? '') === ''
  const [start, end] = hasMarks ? ['\x1b[1m', '\x1b[22m'] : ['', '']
  const text = snippet.map(piece => (piece.isMatch ? start + printable(piece.text) + end : printable(piece.text)))
  const indent = ' '.repeat(4)
  const lines = [
    `${String(number).padStart(2)}  ${title === '' ? searchWords().untitled : printable(title)}`,
    `${indent}${printable(url)}  ${new Date(dateMs).toISOString().slice(0, 10)}`,
    ...(text.length === 0 ? [] : [indent + text.join('')]),
  ]
  return `${lines.join('\n')}\n`
}

function sayFound({ items, total, isEstimate, isCut, indexed }: SearchResult, ms: number): void {
  const words = searchWords()
  if (isCut) say('warn', words.cut)
  if (total === 0) say('info', words.nothing(indexed))
  else say('info', words.found(items.length, total, isEstimate, shownDecimal(ms, 2)))
}

function workersOf(text: string): number {
  const workers = readCount(text)
  if (workers !== undefined && workers >= 1 && workers <= MOST_WORKERS) return workers
  throw wrongUse(searchWords().badWorkers(printable(text), MOST_WORKERS), SEE)
}
