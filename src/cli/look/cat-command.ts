import { readWhole } from '../../archive/read.ts'
import { findAnswer, isBrokenOff } from '../../archive/visits-of.ts'
import type { HttpMessage, WarcRecord } from '../../archive/warc-record.ts'
import { EscalonaError } from '../../base/errors.ts'
import { writeAll } from '../../base/files/write-all.ts'
import { catalogue } from '../../base/words/language.ts'
import { printable, shellWord } from '../../base/words/printable.ts'
import { lastHeaderOf } from '../../base/words/raw-headers.ts'
import { decodePage } from '../../extract/charset.ts'
import { openCrawl } from '../../view/crawl-view.ts'
import { extractedFrom } from '../../view/files/archived-page.ts'
import { canonicalForms } from '../../view/files/canonical-forms.ts'
import { redirectTarget } from '../../view/url-history.ts'
import type { Command } from '../commands.ts'
import { folderAndUrl } from '../terminal/arguments.ts'
import { type OptionRows, readArguments } from '../terminal/option-table.ts'
import { answer, say } from '../terminal/say.ts'
import { useWords, wrongUse } from '../terminal/use-words.ts'

const OPTIONS = { headers: {}, html: {}, text: {}, links: {} } as const satisfies OptionRows
type Part = keyof typeof OPTIONS

const STANDARD_OUTPUT = 1

/** `escalona cat DIR URL`: prints an archived answer. */
export const CAT: Command = { run: catCommand, help: () => catWords(), options: OPTIONS, names: 'folder' }

async function catCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  const [folder, text] = folderAndUrl(positionals)
  const [part = 'html', other] = (Object.keys(OPTIONS) as Part[]).filter(name => values[name])
  if (other !== undefined) throw wrongUse(useWords().contradict(`--${part}`, `--${other}`))
  const crawl = await openCrawl(folder)
  try {
    for (const url of canonicalForms(text)) {
      // Pages are found by their line in pages.jsonl; redirects and robots.txt, which have none, through the index.
      const place = (await crawl.page(url)) ?? findAnswer(folder, url)
      if (place === undefined) continue
      const { record, message } = readWhole(folder, place)
      if (part !== 'headers' && isRedirect(message)) return sayRedirect(url, message, folder)
      show(part, url, message)
      return part === 'headers' || isWanted(record, message) ? 0 : sayNoPage(url, message, folder)
    }
    throw new EscalonaError('CRAWL_NOT_ARCHIVED', catWords().notArchived(printable(text), printable(folder)))
  } finally {
    await crawl.close()
  }
}

function isRedirect({ status, headers }: HttpMessage): boolean {
  return status >= 300 && status < 400 && lastHeaderOf(headers, 'location') !== undefined
}

/** A page, or a robots.txt. Of a failure only the beginning is archived, and of other types of content nothing but the head. */
function isWanted({ type, fields }: WarcRecord, { status, body }: HttpMessage): boolean {
  const isPage = type === 'revisit' || fields.get('escalona-page') === 'yes'
  const truncated = fields.get('warc-truncated')
  return isPage || (status < 300 && !isBrokenOff({ truncated }) && (body.length > 0 || truncated === undefined))
}

function sayNoPage(url: string, { status }: HttpMessage, folder: string): number {
  const command = `escalona cat ${shellWord(folder)} ${shellWord(url)} --headers`
  say('warn', catWords().noPage(printable(url), status, command))
  return 1
}

/** A redirect has no page to print; says where the page is. */
function sayRedirect(url: string, message: HttpMessage, folder: string): number {
  const { redirects, redirectsNowhere } = catWords()
  const target = redirectTarget(url, message)
  const command = `escalona cat ${shellWord(folder)} ${shellWord(target ?? url)}`
  if (target !== undefined) say('warn', redirects(printable(url), printable(target), command))
  else say('warn', redirectsNowhere(printable(url), `${command} --headers`))
  return 1
}

function show(part: Part, url: string, message: HttpMessage): void {
  switch (part) {
    case 'headers':
      answer(headLines(message))
      return
    case 'links':
      answer(
        extractedFrom(url, message)
          .links.map(({ href }) => `${href}\n`)
          .join(''),
      )
      return
    case 'text':
      answer(`${onTerminal(extractedFrom(url, message, { textUnits: Infinity }).text!)}\n`)
      return
    case 'html':
      if (process.stdout.isTTY) answer(`${onTerminal(htmlOf(message))}\n`)
      else writeBytes(message.body)
  }
}

function headLines({ startLine, headers }: HttpMessage): string {
  const lines = [startLine]
  for (let at = 0; at + 1 < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`)
  return lines.map(line => `${printable(line)}\n`).join('')
}

function htmlOf({ headers, body }: HttpMessage): string {
  return Buffer.from(decodePage(body, lastHeaderOf(headers, 'content-type')).bytes).toString()
}

/** Keeps line ends and tabs, and escapes every other character that a terminal might obey. */
function onTerminal(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map(line => line.split('\t').map(printable).join('\t'))
    .join('\n')
}

/** Writes the bytes exactly as archived. */
function writeBytes(bytes: Uint8Array): void {
  try {
    writeAll(STANDARD_OUTPUT, bytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}

const catWords = catalogue({
  en: {
    head: `Examples
  escalona cat crawl https://example.org/ > page.html
  escalona cat crawl https://example.org/ --text
  escalona cat crawl https://example.org/robots.txt

Usage: escalona cat DIR URL [options]

Prints the archived answer for one URL.

`,
    options: {
      headers: 'the status line and headers, as archived',
      html: 'the page, byte for byte as archived; on a terminal, control characters are escaped (default)',
      text: 'the visible text',
      links: 'the links, one canonical URL per line',
    },
    rest: `
If there are several answers, the newest is shown. Redirects and robots.txt are found too.
`,
    noPage: (url: string, status: number, command: string) =>
      `${url} answered with status ${status} and is not a page; ${command} prints the head of the answer`,
    notArchived: (url: string, folder: string) =>
      `the archive has no answer from ${url}; escalona explain ${folder} ${url} says why`,
    redirects: (url: string, target: string, command: string) => `${url} redirected to ${target}; ${command}`,
    redirectsNowhere: (url: string, command: string) => `${url} redirected, but not to a web address; ${command}`,
  },
  pt: {
    head: `Exemplos
  escalona cat crawl https://example.org/ > pagina.html
  escalona cat crawl https://example.org/ --text
  escalona cat crawl https://example.org/robots.txt

Uso: escalona cat DIR URL [opções]

Mostra a resposta arquivada de uma URL.

`,
    options: {
      headers: 'a linha de estado e os cabeçalhos, como arquivados',
      html: 'a página, byte por byte como arquivada; num terminal, sem caracteres de controle (padrão)',
      text: 'o texto visível',
      links: 'os links, uma URL canônica por linha',
    },
    rest: `
Se houver várias respostas, mostra a mais nova. Redirecionamentos e robots.txt também são achados.
`,
    noPage: (url, status, command) =>
      `${url} respondeu com o status ${status} e não é uma página; ${command} imprime o cabeçalho da resposta`,
    notArchived: (url, folder) => `o arquivo não tem resposta de ${url}; escalona explain ${folder} ${url} diz por quê`,
    redirects: (url, target, command) => `${url} redirecionou para ${target}; ${command}`,
    redirectsNowhere: (url, command) => `${url} redirecionou, mas não para um endereço da web; ${command}`,
  },
})
