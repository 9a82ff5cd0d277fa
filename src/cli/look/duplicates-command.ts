import { systemClock } from '../../base/clock.ts'
import { catalogue } from '../../base/words/language.ts'
import { printable } from '../../base/words/printable.ts'
import { readCount, shownCount } from '../../base/words/quantity.ts'
import { Wildcard } from '../../base/words/wildcard.ts'
import { type NearDuplicate, nearDuplicates } from '../../export/near-duplicates.ts'
import { PageLines } from '../../export/visits.ts'
import { NEAR_BITS } from '../../extract/simhash.ts'
import { hostOf } from '../../url/host-of.ts'
import { checkCrawlFolder } from '../../view/files/check-crawl-folder.ts'
import type { Command } from '../commands.ts'
import { formOf, onlyFolder, rowLimit } from '../terminal/arguments.ts'
import { type OptionRows, readArguments } from '../terminal/option-table.ts'
import { type RowColumn, RowWriter } from '../terminal/row-writer.ts'
import { say } from '../terminal/say.ts'
import { useWords, wrongUse } from '../terminal/use-words.ts'
import { runWork, WorkBar } from '../terminal/work-bar.ts'

const OPTIONS = {
  host: { value: 'H' },
  distance: { value: 'D' },
  limit: { short: 'n', value: 'N' },
  json: {},
  csv: {},
  quiet: { short: 'q' },
} as const satisfies OptionRows

/** `escalona duplicates DIR`: groups of pages whose words are nearly the same. */
export const DUPLICATES: Command = {
  run: duplicatesCommand,
  help: () => ({ ...words(), options: { ...useWords().rowOptions, ...words().options } }),
  options: OPTIONS,
  names: 'folder',
}

async function duplicatesCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  const folder = onlyFolder(positionals)
  checkCrawlFolder(folder)
  const form = formOf(values)
  const most = distanceOf(values.distance)
  const limit = rowLimit(values.limit)
  const host = values.host === undefined ? undefined : new Wildcard(values.host.toLowerCase(), true)
  const { quiet: isQuiet = false } = values
  const bar = new WorkBar(isQuiet, systemClock())
  let unread = 0
  let firstUnread = ''
  const lines = new PageLines(folder, why => {
    if (unread++ === 0) firstUnread = why
  })
  const isWanted = ({ url }: { readonly url: string }) => host === undefined || host.matches(hostOf(url))
  const found = await runWork(nearDuplicates(lines, { isWanted, most }), (nowMs, share) =>
    bar.show(nowMs, share, words().comparing),
  ).finally(() => bar.hide())
  const rows = new RowWriter(columns(), form)
  for (const row of found.rows()) if (row.group > limit || !rows.write(row)) break
  rows.flush()
  if (!isQuiet) say('info', words().summary(found.groups, rows.count, found.pages))
  if (!isQuiet && found.without > 0) say('info', words().without(found.without))
  if (unread > 0) say('warn', words().unread(unread, firstUnread))
  return unread > 0 ? 1 : 0
}

function distanceOf(text: string | undefined): number {
  const distance = text === undefined ? NEAR_BITS : readCount(text)
  if (distance !== undefined && distance <= NEAR_BITS) return distance
  throw wrongUse(words().badDistance(printable(text ?? ''), NEAR_BITS))
}

function columns(): readonly RowColumn<NearDuplicate>[] {
  const { titles } = words()
  const number = (name: 'group' | 'size' | 'distance' | 'tokens', width: number): RowColumn<NearDuplicate> => ({
    ...{ name, title: titles[name], width, isNumber: true },
    value: row => row[name],
    shown: row => shownCount(row[name]),
  })
  return [
    number('group', 7),
    number('size', 7),
    number('distance', 4),
    number('tokens', 7),
    { name: 'url', title: 'URL', width: 0, value: row => row.url },
    { name: 'title', title: '', width: 0, isExtra: true, value: row => row.title },
    { name: 'simhash', title: '', width: 0, isExtra: true, value: row => row.simhash },
    { name: 'time', title: '', width: 0, isExtra: true, value: row => new Date(row.dateMs).toISOString() },
  ]
}

const words = catalogue({
  en: {
    head: `Examples
  escalona duplicates crawl                      all groups, the largest first
  escalona duplicates crawl --host www.example.org -n 10
  escalona duplicates crawl --distance 0         only pages with the same words
  escalona duplicates crawl --csv > duplicates.csv

Usage: escalona duplicates DIR [options]

Groups of archived pages whose visible words are nearly the same: their simhashes differ in at most
3 of 64 bits. A page is in a group if it is that near to any page of it.

`,
    options: {
      host: "only pages of this host, with its port if it has one; * matches any text: '*.example.org'",
      distance: 'how many bits may differ, from 0 to 3 (default)',
      limit: 'at most N groups',
      quiet: 'no progress and no summary',
    },
    rest: `
The newest visit of each page counts. BITS says how far a page is from the first one of its group.
docs/near-duplicates.md says how sure this is.
`,
    comparing: 'comparing pages',
    badDistance: (text: string, most: number) => `--distance takes a whole number from 0 to ${most}, not ${text}`,
    summary: (groups: number, rows: number, pages: number) =>
      groups === 0
        ? `no near-duplicates among ${shownCount(pages)} ${pages === 1 ? 'page' : 'pages'}`
        : `${shownCount(groups)} ${groups === 1 ? 'group' : 'groups'} among ${shownCount(pages)} pages; ${shownCount(rows)} ${rows === 1 ? 'page' : 'pages'} listed`,
    without: (pages: number) =>
      `${shownCount(pages)} ${pages === 1 ? 'page was' : 'pages were'} not compared: without words, or archived by a version that wrote no simhash`,
    unread: (lines: number, first: string) =>
      `${shownCount(lines)} ${lines === 1 ? 'line' : 'lines'} of pages.jsonl could not be read; the first: ${first}`,
    titles: { group: 'GROUP', size: 'PAGES', distance: 'BITS', tokens: 'WORDS' },
  },
  pt: {
    head: `Exemplos
  escalona duplicates crawl                      todos os grupos, os maiores primeiro
  escalona duplicates crawl --host www.example.org -n 10
  escalona duplicates crawl --distance 0         só páginas com as mesmas palavras
  escalona duplicates crawl --csv > duplicatas.csv

Uso: escalona duplicates DIR [opções]

Grupos de páginas arquivadas cujas palavras visíveis são quase as mesmas: seus simhashes diferem em
no máximo 3 de 64 bits. Uma página está num grupo se fica a essa distância de alguma página dele.

`,
    options: {
      host: "só páginas deste host, com a porta se houver; * combina com qualquer texto: '*.example.org'",
      distance: 'quantos bits podem diferir, de 0 a 3 (padrão)',
      limit: 'no máximo N grupos',
      quiet: 'sem progresso e sem resumo',
    },
    rest: `
Vale a visita mais recente de cada página. BITS diz a distância até a primeira página do grupo.
docs/near-duplicates.md diz quão seguro isso é.
`,
    comparing: 'comparando páginas',
    badDistance: (text, most) => `--distance recebe um número inteiro de 0 a ${most}, não ${text}`,
    summary: (groups, rows, pages) =>
      groups === 0
        ? `nenhuma quase duplicata entre ${shownCount(pages)} ${pages === 1 ? 'página' : 'páginas'}`
        : `${shownCount(groups)} ${groups === 1 ? 'grupo' : 'grupos'} entre ${shownCount(pages)} páginas; ${shownCount(rows)} ${rows === 1 ? 'página listada' : 'páginas listadas'}`,
    without: pages =>
      `${shownCount(pages)} ${pages === 1 ? 'página não foi comparada' : 'páginas não foram comparadas'}: sem palavras, ou arquivadas por uma versão que não escrevia simhash`,
    unread: (lines, first) =>
      `${shownCount(lines)} ${lines === 1 ? 'linha' : 'linhas'} de pages.jsonl não puderam ser lidas; a primeira: ${first}`,
    titles: { group: 'GRUPO', size: 'PÁGINAS', distance: 'BITS', tokens: 'PALAVRAS' },
  },
})
