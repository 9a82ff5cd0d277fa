import { resolve } from 'node:path'
import { systemClock } from '../../base/clock.ts'
import { printable } from '../../base/words/printable.ts'
import { shownBytes, shownCount } from '../../base/words/quantity.ts'
import { packWacz, type WaczSummary } from '../../export/wacz/pack-wacz.ts'
import type { Command } from '../commands.ts'
import { onlyFolder } from '../look/look-arguments.ts'
import { openOutput } from '../terminal/open-output.ts'
import { type OptionRows, optionLines, readArguments } from '../terminal/option-table.ts'
import { say } from '../terminal/say.ts'
import { useWords } from '../terminal/use-words.ts'
import { WorkBar } from '../terminal/work-bar.ts'
import { wrongUse } from '../terminal/wrong-use.ts'
import { placeInCrawl } from './crawl-output.ts'
import { waczWords } from './wacz-words.ts'

const OPTIONS = {
  output: { short: 'o', value: 'FILE', names: 'file' },
  text: {},
  quiet: { short: 'q' },
} as const satisfies OptionRows

const SEE = 'escalona wacz --help'

/** `escalona wacz DIR`: packs a crawl's archive into one file for players. */
export const WACZ: Command = { run: waczCommand, help: waczHelp, options: OPTIONS, names: 'folder' }

function waczHelp(): string {
  const { head, options, rest } = waczWords()
  return head + optionLines(OPTIONS, options) + rest
}

async function waczCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS, SEE)
  const folder = onlyFolder(positionals, SEE)
  const path = values.output ?? `${resolve(folder)}.wacz`
  if (path === '') throw wrongUse(useWords().outputHasNoName, SEE)
  // None of the crawl's own files ends in .wacz.
  if (!(placeInCrawl(path, folder) ?? '.wacz').endsWith('.wacz'))
    throw wrongUse(waczWords().insideFolder(printable(path)), SEE)
  const { text = false, quiet = false } = values
  const { output, signals } = openOutput(path)
  const startMs = systemClock()
  const bar = new WorkBar(quiet, startMs)
  try {
    const summary = await packWacz(folder, bytes => output.write(bytes), {
      text,
      onProgress: share => bar.show(systemClock(), share, waczWords().packing),
    })
    output.commit()
    bar.hide()
    if (!quiet) sayPacked(path, summary)
    const { unread, firstUnread = '' } = summary
    if (unread > 0) say('warn', waczWords().unread(shownCount(unread), firstUnread))
    return unread > 0 ? 1 : 0
  } finally {
    bar.hide()
    output.abandon()
    signals.close()
  }
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
