import { resolve } from 'node:path'
import { systemClock } from '../../base/clock.ts'
import { catalogue } from '../../base/words/language.ts'
import { printable } from '../../base/words/printable.ts'
import { shownBytes, shownCount } from '../../base/words/quantity.ts'
import { packWacz, type WaczSummary } from '../../export/wacz/pack-wacz.ts'
import type { Command } from '../commands.ts'
import { onlyFolder } from '../terminal/arguments.ts'
import { type OptionRows, readArguments } from '../terminal/option-table.ts'
import { placeInCrawl, writeOutput } from '../terminal/output.ts'
import { say } from '../terminal/say.ts'
import { useWords, wrongUse } from '../terminal/use-words.ts'
import { WorkBar } from '../terminal/work-bar.ts'

const OPTIONS = {
  output: { short: 'o', value: 'FILE', names: 'file' },
  text: {},
  quiet: { short: 'q' },
} as const satisfies OptionRows

/** `escalona wacz DIR`: packs a crawl's archive into one file for players. */
export const WACZ: Command = { run: waczCommand, help: () => waczWords(), options: OPTIONS, names: 'folder' }

async function waczCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  const folder = onlyFolder(positionals)
  const path = values.output ?? `${resolve(folder)}.wacz`
  if (path === '') throw wrongUse(useWords().outputHasNoName)
  // None of the crawl's own files ends in .wacz.
  if (!(placeInCrawl(path, folder) ?? '.wacz').endsWith('.wacz'))
    throw wrongUse(waczWords().insideFolder(printable(path)))
  const { text = false, quiet = false } = values
  const bar = new WorkBar(quiet, systemClock())
  const onProgress = (share: number) => bar.show(systemClock(), share, waczWords().packing)
  const summary = await writeOutput(path, output =>
    packWacz(folder, bytes => output.write(bytes), { text, onProgress }),
  ).finally(() => bar.hide())
  if (!quiet) sayPacked(path, summary)
  const { unread, firstUnread = '' } = summary
  if (unread > 0) say('warn', waczWords().unread(shownCount(unread), firstUnread))
  return unread > 0 ? 1 : 0
}

function sayPacked(path: string, { files, pages, answers, bytes, ...left }: WaczSummary): void {
  const words = waczWords()
  const name = path === '-' ? words.standardOutput : printable(path)
  say('info', words.packed(name, shownCount(files), shownCount(pages), shownCount(answers), shownBytes(bytes)))
  if (left.inProgress.length > 0) say('info', words.inProgress)
  if (left.missing.length > 0) say('warn', words.missing(shownCount(left.missing.length), printable(left.missing[0]!)))
  const elsewhere = left.originalsElsewhere
  if (elsewhere.length > 0) say('warn', words.elsewhere(shownCount(elsewhere.length), printable(elsewhere[0]!)))
}

const waczWords = catalogue({
  en: {
    head: `Examples
  escalona wacz crawl                          writes crawl.wacz; open it at https://replayweb.page
  escalona wacz crawl -o /mnt/shared/ufmg.wacz --text
  escalona wacz crawl -o - | ssh archive 'cat > ufmg.wacz'

Usage: escalona wacz DIR [options]

Packs the archive of a crawl into one WACZ file (version 1.1.1) with its index and page list, for
replayweb.page and other players.

`,
    options: {
      output: 'where to write it; DIR.wacz by default, - is standard output',
      text: 'with the visible text of every page, so that players can search it',
      quiet: 'errors only',
    },
    rest: `
FILE is replaced at once when the new one is complete. While the crawl runs, its finished WARC files are
packed: each holds 1,000 pages. DIR is only read. docs/wacz.md describes what is in the file.
`,
    packing: 'packing',
    standardOutput: 'standard output',
    insideFolder: (path: string) =>
      `${path} is in the folder of the crawl, where only a name that ends in .wacz is safe; choose another`,
    packed: (path: string, files: string, pages: string, answers: string, bytes: string) =>
      `${path}: WARC files ${files}, pages ${pages}, answers ${answers}, ${bytes}`,
    inProgress: 'the WARC file in progress is left out; pack again when the crawl has ended',
    missing: (count: string, first: string) =>
      `WARC files that were moved away are left out: ${count}, the first is ${first}; to have them packed, put them back`,
    elsewhere: (count: string, first: string) =>
      `some pages are stored as revisits, and their bodies are in files that were moved away: ${count}, the first is ${first}; players cannot show these pages without them`,
    unread: (count: string, why: string) =>
      `some of the archive could not be read, so pages are not listed or without text: ${count}; the first: ${why}`,
  },
  pt: {
    head: `Exemplos
  escalona wacz crawl                          escreve crawl.wacz; abra-o em https://replayweb.page
  escalona wacz crawl -o /mnt/shared/ufmg.wacz --text
  escalona wacz crawl -o - | ssh arquivo 'cat > ufmg.wacz'

Uso: escalona wacz DIR [opções]

Empacota o arquivo de uma coleta num só arquivo WACZ (versão 1.1.1), com índice e lista de páginas,
para o replayweb.page e outros leitores.

`,
    options: {
      output: 'onde escrever; DIR.wacz por padrão, - é a saída padrão',
      text: 'com o texto visível de cada página, para que os leitores possam fazer buscas',
      quiet: 'só erros',
    },
    rest: `
FILE é substituído de uma vez quando o novo está completo. Enquanto a coleta roda, são empacotados os
arquivos WARC prontos: cada um tem 1.000 páginas. DIR só é lido. docs/wacz.md descreve o conteúdo.
`,
    packing: 'empacotando',
    standardOutput: 'saída padrão',
    insideFolder: path =>
      `${path} fica na pasta da coleta, onde só é seguro um nome que termine em .wacz; escolha outro`,
    packed: (path, files, pages, answers, bytes) =>
      `${path}: arquivos WARC ${files}, páginas ${pages}, respostas ${answers}, ${bytes}`,
    inProgress: 'o arquivo WARC em andamento ficou de fora; empacote de novo quando a coleta terminar',
    missing: (count, first) =>
      `arquivos WARC levados para outro lugar ficaram de fora: ${count}, o primeiro é ${first}; para empacotá-los, ponha-os de volta`,
    elsewhere: (count, first) =>
      `algumas páginas estão guardadas como revisitas, e seus corpos estão em arquivos levados para outro lugar: ${count}, o primeiro é ${first}; sem eles os leitores não mostram essas páginas`,
    unread: (count, why) =>
      `parte do arquivo da coleta não pôde ser lida, então há páginas fora da lista ou sem texto: ${count}; a primeira: ${why}`,
  },
})
