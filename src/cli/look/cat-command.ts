import { readWhole } from '../../archive/read.ts'
import { findAnswer, isBrokenOff } from '../../archive/visits-of.ts'
import type { HttpMessage, WarcRecord } from '../../archive/warc-record.ts'
import { EscalonaError } from '../../base/errors.ts'
import { writeAll } from '../../base/files/write-all.ts'
import { printable, shellWord } from '../../base/words/printable.ts'
import { lastHeaderOf } from '../../base/words/raw-headers.ts'
import { decodePage } from '../../extract/charset.ts'
import { openCrawl } from '../../view/crawl-view.ts'
import { extractedFrom } from '../../view/files/archived-page.ts'
import { canonicalForms } from '../../view/files/canonical-forms.ts'
import { redirectTarget } from '../../view/url-history.ts'
import type { Command } from '../commands.ts'
import { type OptionRows, optionLines, readArguments } from '../terminal/option-table.ts'
import { say } from '../terminal/say.ts'
import { answer } from '../terminal/tell.ts'
import { useWords } from '../terminal/use-words.ts'
import { wrongUse } from '../terminal/wrong-use.ts'
import { folderAndUrl } from './look-arguments.ts'
import { lookHelp } from './look-help.ts'
import { lookWords } from './look-words.ts'

const OPTIONS = { headers: {}, html: {}, text: {}, links: {} } as const satisfies OptionRows
type Part = keyof typeof OPTIONS

const SEE = 'escalona cat --help'
const STANDARD_OUTPUT = 1

/** `escalona cat DIR URL`: prints an archived answer. */
export const CAT: Command = { run: catCommand, help: catHelp, options: OPTIONS, names: 'folder' }

function catHelp(): string {
  const { cat } = lookHelp()
  return cat.head + optionLines(OPTIONS, cat.options) + cat.rest
}

async function catCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS, SEE)
  const [folder, text] = folderAndUrl(positionals, SEE)
  const [part = 'html', other] = (Object.keys(OPTIONS) as Part[]).filter(name => values[name])
  if (other !== undefined) throw wrongUse(useWords().contradict(`--${part}`, `--${other}`), SEE)
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
    throw new EscalonaError('CRAWL_NOT_ARCHIVED', lookWords().notArchived(printable(text), printable(folder)))
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
  say('warn', lookWords().noPage(printable(url), status, command))
  return 1
}

/** A redirect has no page to print; says where the page is. */
function sayRedirect(url: string, message: HttpMessage, folder: string): number {
  const { redirects, redirectsNowhere } = lookWords()
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
