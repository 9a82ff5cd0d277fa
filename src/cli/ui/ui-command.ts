import type { Command } from '../commands.ts'
import { onlyFolder } from '../look/look-arguments.ts'
import { type OptionRows, optionLines, readArguments } from '../terminal/option-table.ts'
import { sayLivePage } from './say-live-page.ts'
import { servePage } from './serve-page.ts'
import { readUiOptions } from './ui-options.ts'
import { uiWords } from './ui-words.ts'

const OPTIONS = {
  port: { value: 'N' },
  'ui-bind': { value: 'ADDRESS' },
  'ui-token': { value: 'T' },
} as const satisfies OptionRows
const SEE = 'escalona ui --help'

/** `escalona ui DIR`: shows a crawl in a browser, running or not. */
export const UI: Command = { run: uiCommand, help: uiHelp, options: OPTIONS, names: 'folder' }

function uiHelp(): string {
  const { head, options, rest } = uiWords()
  return head + optionLines(OPTIONS, options) + rest
}

async function uiCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS, SEE)
  const folder = onlyFolder(positionals, SEE)
  const texts = { port: values.port ?? '', bind: values['ui-bind'], token: values['ui-token'] }
  const options = readUiOptions(texts, '--port', process.env, SEE)
  return servePage(folder, options, url => sayLivePage(url, options))
}
