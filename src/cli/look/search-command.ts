import { systemClock } from '../../base/clock.ts'
import { EscalonaError, errorSaying } from '../../base/errors.ts'
import { catalogue } from '../../base/words/language.ts'
import { printable } from '../../base/words/printable.ts'
import { readCount, shownBytes, shownCount, shownDecimal } from '../../base/words/quantity.ts'
import { type FoundPage, Search, type SearchResult } from '../../search/search.ts'
import { type IndexState, updateIndex } from '../../search/update-index.ts'
import { checkCrawlFolder } from '../../view/files/check-crawl-folder.ts'
import type { Command } from '../commands.ts'
import { rowLimit } from '../terminal/arguments.ts'
import { type OptionRows, readArguments } from '../terminal/option-table.ts'
import { answer, safeJson, say } from '../terminal/say.ts'
import { useWords, wrongUse } from '../terminal/use-words.ts'
import { WorkBar } from '../terminal/work-bar.ts'

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

const LIMIT = 10
const MOST_WORKERS = 256

/** `escalona search DIR WORDS`: finds archived pages by their text. */
export const SEARCH: Command = { run: searchCommand, help: () => searchWords(), options: OPTIONS, names: 'folder' }

async function searchCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  const [folder = '', ...given] = positionals
  if (folder === '') throw wrongUse(useWords().noFolder)
  const isIndexOnly = values.index === true || values.rebuild === true
  if (given.length === 0 && !isIndexOnly) throw wrongUse(searchWords().noQuestion)
  const limit = values.limit === undefined ? LIMIT : rowLimit(values.limit)
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
      say('warn', searchWords().unread(state.unread, reasonIn(state)))
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
  if (state.unread > 0) say('warn', unread(state.unread, reasonIn(state)))
  return state.unread > 0 ? 1 : 0
}

/** Why the first page could not be read; empty when another version of the program knew. */
function reasonIn({ firstUnread }: IndexState): string {
  return errorSaying(firstUnread)?.message ?? ''
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
  throw wrongUse(searchWords().badWorkers(printable(text), MOST_WORKERS))
}

function pages(count: number): string {
  return count === 1 ? '1 page' : `${shownCount(count)} pages`
}

function paginas(count: number): string {
  return count === 1 ? '1 página' : `${shownCount(count)} páginas`
}

const searchWords = catalogue({
  en: {
    head: `Examples
  escalona search crawl vaccine schedule              pages that have both words
  escalona search crawl "open source" licence         a phrase, and a word
  escalona search crawl graduacao --host ufmg.br      also graduação; ufmg.br and its subdomains
  escalona search crawl energy --since 2026-01-01 --json | jq .url
  escalona search crawl --index                       build the index, and search later

Usage: escalona search DIR WORDS [options]

Finds archived pages by their text, title and URL; the best first. A page must have all words; case and
accents do not matter. An argument with blanks in it is a phrase.

`,
    options: {
      host: 'only pages of this host and its subdomains',
      since: 'only visits from this day on (UTC): 2026-01-31, or 2026-01-31T12:00Z',
      until: 'only visits up to this day',
      limit: 'at most N pages; default 10',
      json: 'one JSON object per line',
      index: 'bring the index up to date; no words are needed',
      rebuild: 'build the index anew, for instance when pages could not be read before',
      workers: 'threads that index; by default one per core',
      quiet: 'no progress and no summary',
    },
    rest: `
The first search builds an index in DIR/search, later ones add the pages that are new, even while the
crawl runs. Of a page that was visited several times the newest visit is found; a page that is gone is
not. DIR/search can be removed at any time. docs/search.md says more.
`,
    noQuestion: 'nothing to search for; write words after the folder, or --index to build the index only',
    badWorkers: (text: string, most: number) => `--workers takes a whole number from 1 to ${most}, not ${text}`,
    indexing: 'indexing the pages',
    untitled: '(untitled)',
    asItIs: (why: string) => `searching the index as it is: ${why}`,
    indexed: (count: number, bytes: number, seconds: string) =>
      `${pages(count)} in the index, ${shownBytes(bytes)}, ${seconds} s`,
    found: (shown: number, total: number, isEstimate: boolean, ms: string) =>
      `${shown === total ? `${pages(total)} found` : `the best ${shownCount(shown)} of ${isEstimate ? 'about ' : ''}${pages(total)}`}, ${ms} ms`,
    nothing: (indexed: number) =>
      `no page found; ${indexed === 1 ? '1 page is' : `${pages(indexed)} are`} in the index`,
    cut: 'too many pages have these words, but not as a phrase: only the best of them were read; add a rarer word',
    unread: (count: number, why: string) =>
      count === 1
        ? `1 page could not be read and cannot be found: ${why}`
        : `${pages(count)} could not be read and cannot be found; the first: ${why}`,
  },
  pt: {
    head: `Exemplos
  escalona search crawl calendario vacinas            páginas que têm as duas palavras
  escalona search crawl "código aberto" licença       uma frase, e uma palavra
  escalona search crawl graduacao --host ufmg.br      também graduação; ufmg.br e seus subdomínios
  escalona search crawl energia --since 2026-01-01 --json | jq .url
  escalona search crawl --index                       construir o índice, e buscar depois

Uso: escalona search DIR PALAVRAS [opções]

Encontra páginas arquivadas pelo texto, título e URL; as melhores primeiro. Uma página precisa ter todas
as palavras; maiúsculas e acentos não importam. Um argumento com espaços é uma frase.

`,
    options: {
      host: 'só páginas deste host e de seus subdomínios',
      since: 'só visitas a partir deste dia (UTC): 2026-01-31, ou 2026-01-31T12:00Z',
      until: 'só visitas até este dia',
      limit: 'no máximo N páginas; padrão 10',
      json: 'um objeto JSON por linha',
      index: 'atualizar o índice; não precisa de palavras',
      rebuild: 'construir o índice de novo, por exemplo quando antes não foi possível ler páginas',
      workers: 'threads que indexam; por padrão uma por núcleo',
      quiet: 'sem progresso e sem resumo',
    },
    rest: `
A primeira busca constrói um índice em DIR/search, as seguintes acrescentam as páginas novas, mesmo
enquanto a coleta roda. De uma página visitada várias vezes, encontra-se a visita mais nova; uma página
que sumiu não é encontrada. DIR/search pode ser removida a qualquer momento. docs/search.md diz mais.
`,
    noQuestion: 'nada a buscar; escreva palavras depois da pasta, ou --index para só construir o índice',
    badWorkers: (text, most) => `--workers recebe um número inteiro de 1 a ${most}, não ${text}`,
    indexing: 'indexando as páginas',
    untitled: '(sem título)',
    asItIs: why => `buscando no índice como ele está: ${why}`,
    indexed: (count, bytes, seconds) => `${paginas(count)} no índice, ${shownBytes(bytes)}, ${seconds} s`,
    found: (shown, total, isEstimate, ms) =>
      shown === total
        ? `${total === 1 ? '1 página encontrada' : `${paginas(total)} encontradas`}, ${ms} ms`
        : `as ${shownCount(shown)} melhores de ${isEstimate ? 'cerca de ' : ''}${paginas(total)}, ${ms} ms`,
    nothing: indexed => `nenhuma página encontrada; há ${paginas(indexed)} no índice`,
    cut: 'páginas demais têm estas palavras, mas não como frase: só as melhores foram lidas; acrescente uma palavra mais rara',
    unread: (count, why) =>
      count === 1
        ? `1 página não pôde ser lida e não pode ser encontrada: ${why}`
        : `${paginas(count)} não puderam ser lidas e não podem ser encontradas; a primeira: ${why}`,
  },
})
