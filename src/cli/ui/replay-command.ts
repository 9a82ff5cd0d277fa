import type { Command } from '../commands.ts'
import { onlyFolder } from '../look/look-arguments.ts'
import { type OptionRows, optionLines, readArguments } from '../terminal/option-table.ts'
import { say, sayAnyway } from '../terminal/say.ts'
import { replayWords } from './replay-words.ts'
import { servePage } from './serve-page.ts'
import { readUiOptions, uiWarnings } from './ui-options.ts'
import { uiWords } from './ui-words.ts'

const OPTIONS = {
  port: { value: 'N' },
  'ui-bind': { value: 'ADDRESS' },
  'ui-token': { value: 'T' },
} as const satisfies OptionRows
const SEE = 'escalona replay --help'
/** Where the reading room begins. */
const PATH = '/read'

/** `escalona replay DIR`: the archived pages in a browser, safely. */
export const REPLAY: Command = { run: replayCommand, help: replayHelp, options: OPTIONS, names: 'folder' }

function replayHelp(): string {
  const { head, rest } = replayWords()
  return head + optionLines(OPTIONS, uiWords().options) + rest
}

async function replayCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS, SEE)
  const folder = onlyFolder(positionals, SEE)
  const texts = { port: values.port ?? '', bind: values['ui-bind'], token: values['ui-token'] }
  const options = readUiOptions(texts, '--port', process.env, SEE)
  return servePage(folder, options, address => {
    for (const warning of uiWarnings(options)) say('warn', warning)
    const url = new URL(address)
    url.pathname = PATH
    sayAnyway(replayWords().where(url.href), { event: 'reading room', url: url.href })
  })
}
