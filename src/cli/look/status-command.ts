import { CrawlView } from '../../view/crawl-view.ts'
import type { Command } from '../commands.ts'
import { type OptionRows, optionLines, readArguments } from '../terminal/option-table.ts'
import { redisPassword } from '../terminal/redis-password.ts'
import { safeJson } from '../terminal/say.ts'
import { answer } from '../terminal/tell.ts'
import { onlyFolder } from './look-arguments.ts'
import { lookHelp } from './look-help.ts'
import { statusLines } from './status-lines.ts'

const OPTIONS = { json: {} } as const satisfies OptionRows
const SEE = 'escalona status --help'

/** `escalona status DIR`: where a crawl stands. */
export const STATUS: Command = { run: statusCommand, help: statusHelp, options: OPTIONS, names: 'folder' }

function statusHelp(): string {
  const { status, options } = lookHelp()
  return status.head + optionLines(OPTIONS, options) + status.rest
}

async function statusCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS, SEE)
  const folder = onlyFolder(positionals, SEE)
  const crawl = new CrawlView(folder, { frontierPassword: redisPassword(process.env) })
  try {
    const status = await crawl.status()
    answer(values.json ? `${safeJson(status)}\n` : `${statusLines(folder, status).join('\n')}\n`)
    return 0
  } finally {
    await crawl.close()
  }
}
