import { CrawlView } from '../../view/crawl-view.ts'
import type { Command } from '../commands.ts'
import { type OptionRows, optionLines, readArguments } from '../terminal/option-table.ts'
import { redisPassword } from '../terminal/redis-password.ts'
import { safeJson } from '../terminal/say.ts'
import { answer } from '../terminal/tell.ts'
import { folderAndUrl } from './look-arguments.ts'
import { lookHelp } from './look-help.ts'
import { shownHistory } from './shown-history.ts'

const OPTIONS = { json: {} } as const satisfies OptionRows
const SEE = 'escalona explain --help'

/** `escalona explain DIR URL`: what became of one URL, and why. */
export const EXPLAIN: Command = { run: explainCommand, help: explainHelp, options: OPTIONS, names: 'folder' }

function explainHelp(): string {
  const { explain, options } = lookHelp()
  return explain.head + optionLines(OPTIONS, options) + explain.rest
}

async function explainCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS, SEE)
  const [folder, url] = folderAndUrl(positionals, SEE)
  const view = new CrawlView(folder, { frontierPassword: redisPassword(process.env) })
  try {
    const { history, lines } = await view.ask('explain', { url })
    answer(values.json ? `${safeJson(history)}\n` : `${shownHistory(history.url, lines).join('\n')}\n`)
    return 0
  } finally {
    await view.close()
  }
}
