import { constants, setPriority } from 'node:os'
import { printable } from '../../base/words/printable.ts'
import { CrawlView } from '../../view/crawl-view.ts'
import { historyWords } from '../../view/history-lines.ts'
import { LINK_STATES, type LinkState, type ListedLink, stateOf } from '../../view/listed.ts'
import type { Command } from '../commands.ts'
import { type OptionRows, optionLines, readArguments } from '../terminal/option-table.ts'
import { redisPassword } from '../terminal/redis-password.ts'
import { type Column, RowWriter } from '../terminal/row-writer.ts'
import { say } from '../terminal/say.ts'
import { checkedChoice, formOf, onlyFolder, rowLimit } from './look-arguments.ts'
import { lookHelp } from './look-help.ts'
import { lookWords } from './look-words.ts'

const OPTIONS = {
  state: { value: 'S', choices: LINK_STATES, isRepeatable: true },
  reason: { value: 'R' },
  host: { value: 'H' },
  limit: { short: 'n', value: 'N' },
  json: {},
  csv: {},
} as const satisfies OptionRows

const SEE = 'escalona list --help'
const PROMPT_ROWS = 1000

/** `escalona list DIR`: lists links and what became of them. */
export const LIST: Command = { run: listCommand, help: listHelp, options: OPTIONS, names: 'folder' }

function listHelp(): string {
  const { list, options } = lookHelp()
  return list.head + optionLines(OPTIONS, { ...options, ...list.options }) + list.rest
}

async function listCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS, SEE)
  const folder = onlyFolder(positionals, SEE)
  const form = formOf(values, SEE)
  const limit = rowLimit(values.limit, SEE)
  const states = values.state?.map(state => checkedChoice('--state', state, LINK_STATES, SEE))
  const { reason, host } = values
  const crawl = new CrawlView(folder, { frontierPassword: redisPassword(process.env) })
  try {
    const rows = new RowWriter(columns(), form)
    const which = {
      ...(states !== undefined && { states }),
      ...(reason !== undefined && { reason }),
      ...(host !== undefined && { host }),
    }
    for await (const link of crawl.list(which)) {
      if (!rows.write(link) || rows.count >= limit) break
      // The first rows are on screen; from now on, yield to a crawl that may be running on this machine.
      if (rows.count === PROMPT_ROWS) setPriority(constants.priority.PRIORITY_LOW)
    }
    rows.flush()
    if (rows.count === 0) await sayWhyNothing(crawl, reason, states)
    return 0
  } finally {
    await crawl.close()
  }
}

/** An empty list often means a misspelt reason, so the message names the reasons that did occur. */
async function sayWhyNothing(
  crawl: CrawlView,
  reason: string | undefined,
  states: readonly LinkState[] | undefined,
): Promise<void> {
  const words = lookWords()
  if (reason === undefined) {
    say('info', words.nothingListed)
    return
  }
  const { refusedFor } = (await crawl.status()).frontier
  const known = Object.keys(refusedFor).filter(one => refusedFor[one]! > 0 && (states?.includes(stateOf(one)) ?? true))
  say('info', words.noSuchReason(printable(reason), known.sort().join(', ')))
}

function columns(): readonly Column<ListedLink>[] {
  const { titles } = lookWords()
  const { states } = historyWords()
  return [
    { name: 'state', title: titles.state, width: 9, value: link => link.state, shown: link => states[link.state] },
    {
      name: 'reason',
      title: titles.reason,
      width: 18,
      value: link => link.reason,
      shown: link => link.reason ?? (link.status === undefined ? '' : String(link.status)),
    },
    { name: 'attempts', title: titles.attempts, width: 5, isNumber: true, value: link => link.attempts },
    { name: 'hops', title: titles.hops, width: 4, isNumber: true, value: link => link.hops },
    { name: 'url', title: 'URL', width: 0, value: link => link.url },
    { name: 'from', title: '', width: 0, isExtra: true, value: link => link.from },
    { name: 'status', title: '', width: 0, isExtra: true, value: link => link.status },
    { name: 'bytes', title: '', width: 0, isExtra: true, value: link => link.bytes },
    { name: 'time', title: '', width: 0, isExtra: true, value: link => isoTime(link.dateMs) },
    { name: 'title', title: '', width: 0, isExtra: true, value: link => link.title },
  ]
}

function isoTime(dateMs: number | undefined): string | undefined {
  return dateMs === undefined ? undefined : new Date(dateMs).toISOString()
}
