import { systemClock } from '../../base/clock.ts'
import { catalogue } from '../../base/words/language.ts'
import { printable } from '../../base/words/printable.ts'
import { readCount, shownCount, shownDecimal } from '../../base/words/quantity.ts'
import { exportTable, MOST_EXPORT_WORKERS } from '../../export/export-table.ts'
import { FORMATS, type FormatName, TABLES } from '../../export/tables.ts'
import type { Command } from '../commands.ts'
import { checkedChoice, onlyFolder } from '../terminal/arguments.ts'
import { type OptionRows, readArguments } from '../terminal/option-table.ts'
import { placeInCrawl, writeOutput } from '../terminal/output.ts'
import { say } from '../terminal/say.ts'
import { useWords, wrongUse } from '../terminal/use-words.ts'
import { WorkBar } from '../terminal/work-bar.ts'

const OPTIONS = {
  table: { value: 'T', choices: TABLES },
  format: { value: 'F', choices: FORMATS },
  text: {},
  output: { short: 'o', value: 'F', names: 'file' },
  workers: { value: 'N' },
  quiet: { short: 'q' },
} as const satisfies OptionRows

const BY_ENDING: readonly (readonly [ending: RegExp, format: FormatName])[] = [
  [/\.(?:jsonl|ndjson)$/i, 'jsonl'],
  [/\.csv$/i, 'csv'],
  [/\.parquet$/i, 'parquet'],
  [/\.wet(?:\.gz)?$/i, 'wet'],
]

/** `escalona export DIR`: the archive as a table. */
export const EXPORT: Command = { run: exportCommand, help: () => exportWords(), options: OPTIONS, names: 'folder' }

async function exportCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  const folder = onlyFolder(positionals)
  const path = values.output ?? '-'
  if (path === '') throw wrongUse(useWords().outputHasNoName)
  const format = formatOf(values.format, path)
  const isBinary = format === 'parquet' || format === 'wet'
  if (path === '-' && isBinary && process.stdout.isTTY) throw wrongUse(exportWords().binary(format))
  if (placeInCrawl(path, folder) !== undefined)
    throw wrongUse(exportWords().insideCrawl(printable(path), printable(folder)))
  const options = {
    table: checkedChoice('--table', values.table ?? 'pages', TABLES),
    format,
    text: values.text ?? false,
    ...(values.workers !== undefined && { workers: workersOf(values.workers) }),
  }
  const startMs = systemClock()
  const { quiet: isQuiet = false } = values
  const bar = new WorkBar(isQuiet, startMs)
  const onProgress = (share: number) => bar.show(systemClock(), share, exportWords().reading)
  const summary = await writeOutput(path, output =>
    exportTable(folder, bytes => output.write(bytes), { ...options, onProgress }),
  ).finally(() => bar.hide())
  const { rows, visits, unread, firstUnread = '' } = summary
  const seconds = shownDecimal((systemClock() - startMs) / 1000, 2)
  if (!isQuiet) say('info', exportWords().done(rows, visits, format, seconds))
  if (unread > 0) say('warn', exportWords().unread(unread, firstUnread))
  return unread > 0 ? 1 : 0
}

function formatOf(given: string | undefined, path: string): FormatName {
  if (given !== undefined) return checkedChoice('--format', given, FORMATS)
  return BY_ENDING.find(([ending]) => ending.test(path))?.[1] ?? 'jsonl'
}

function workersOf(text: string): number {
  const workers = readCount(text)
  if (workers !== undefined && workers >= 1 && workers <= MOST_EXPORT_WORKERS) return workers
  throw wrongUse(exportWords().badWorkers(printable(text), MOST_EXPORT_WORKERS))
}

const exportWords = catalogue({
  en: {
    head: `Examples
  escalona export crawl > pages.jsonl
  escalona export crawl --text -o pages.parquet
  escalona export crawl --table links -o links.csv
  escalona export crawl --table hosts --format csv | head
  escalona export crawl -o text.warc.wet.gz

Usage: escalona export DIR [options]

Exports the archive of a crawl as a table, even while the crawl runs: its pages, the links between
them, or the hosts. Every page is read back from the WARC files, on all cores.

`,
    options: {
      table:
        'pages (one row per visit, with the column names of Common Crawl), links (one row per link on a page: the link graph) or hosts (pages and links of each); default pages',
      format:
        'jsonl, csv, parquet or wet (the text of the pages as WARC records); by default what the name of the output says, or jsonl',
      text: 'the visible text of each page as a column of the table pages',
      output: 'the file to write, replaced when the export is complete; standard output by default',
      workers: 'threads that read the archive; by default one per core',
      quiet: 'no progress and no summary',
    },
    rest: `
DIR is only read. docs/export.md describes every column.
`,
    badWorkers: (text: string, most: number) => `--workers takes a whole number from 1 to ${most}, not ${text}`,
    binary: (format: string) => `${format} is not for a terminal; add -o FILE, or send the output through a pipe`,
    insideCrawl: (path: string, folder: string) =>
      `${path} is in the folder of the crawl, whose files it might replace; choose a place outside of ${folder}`,
    reading: 'reading the archive',
    done: (rows: number, visits: number, format: string, seconds: string) =>
      `${rows === 1 ? '1 row' : `${shownCount(rows)} rows`} from ${visits === 1 ? '1 visit' : `${shownCount(visits)} visits`} of pages exported as ${format}, ${seconds} s`,
    unread: (count: number, why: string) =>
      count === 1
        ? `1 visit of a page could not be read and is missing: ${why}`
        : `${shownCount(count)} visits of pages could not be read and are missing; the first: ${why}`,
  },
  pt: {
    head: `Exemplos
  escalona export crawl > paginas.jsonl
  escalona export crawl --text -o paginas.parquet
  escalona export crawl --table links -o links.csv
  escalona export crawl --table hosts --format csv | head
  escalona export crawl -o texto.warc.wet.gz

Uso: escalona export DIR [opções]

Exporta o arquivo de uma coleta como tabela, mesmo enquanto a coleta roda: as páginas, os links entre
elas, ou os hosts. Cada página é lida de volta dos arquivos WARC, em todos os núcleos.

`,
    options: {
      table:
        'pages (uma linha por visita, com os nomes de coluna do Common Crawl), links (uma linha por link de uma página: o grafo de links) ou hosts (páginas e links de cada um); padrão pages',
      format:
        'jsonl, csv, parquet ou wet (o texto das páginas como registros WARC); por padrão o que o nome da saída diz, ou jsonl',
      text: 'o texto visível de cada página como coluna da tabela pages',
      output: 'o arquivo a escrever, substituído quando a exportação está completa; por padrão a saída padrão',
      workers: 'threads que leem o arquivo da coleta; por padrão uma por núcleo',
      quiet: 'sem progresso e sem resumo',
    },
    rest: `
DIR só é lido. docs/export.md descreve cada coluna.
`,
    badWorkers: (text, most) => `--workers recebe um número inteiro de 1 a ${most}, não ${text}`,
    binary: format => `${format} não é para um terminal; acrescente -o ARQUIVO, ou mande a saída por um pipe`,
    insideCrawl: (path, folder) =>
      `${path} fica na pasta da coleta, cujos arquivos poderia substituir; escolha um lugar fora de ${folder}`,
    reading: 'lendo o arquivo da coleta',
    done: (rows, visits, format, seconds) =>
      `${rows === 1 ? '1 linha' : `${shownCount(rows)} linhas`} de ${visits === 1 ? '1 visita' : `${shownCount(visits)} visitas`} a páginas, exportadas como ${format}, ${seconds} s`,
    unread: (count, why) =>
      count === 1
        ? `1 visita a uma página não pôde ser lida e falta: ${why}`
        : `${shownCount(count)} visitas a páginas não puderam ser lidas e faltam; a primeira: ${why}`,
  },
})
