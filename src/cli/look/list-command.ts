import { constants, setPriority } from 'node:os'
import { catalogue } from '../../base/words/language.ts'
import { printable } from '../../base/words/printable.ts'
import { CrawlView } from '../../view/crawl-view.ts'
import { historyWords } from '../../view/history-lines.ts'
import { LINK_STATES, type LinkState, type ListedLink, stateOf } from '../../view/listed.ts'
import type { Command } from '../commands.ts'
import { checkedChoice, formOf, onlyFolder, redisPassword, rowLimit } from '../terminal/arguments.ts'
import { type OptionRows, readArguments } from '../terminal/option-table.ts'
import { type RowColumn, RowWriter } from '../terminal/row-writer.ts'
import { say } from '../terminal/say.ts'
import { useWords } from '../terminal/use-words.ts'

const OPTIONS = {
  state: { value: 'S', choices: LINK_STATES, isRepeatable: true },
  reason: { value: 'R' },
  host: { value: 'H' },
  limit: { short: 'n', value: 'N' },
  json: {},
  csv: {},
} as const satisfies OptionRows

const PROMPT_ROWS = 1000

/** `escalona list DIR`: lists links and what became of them. */
export const LIST: Command = {
  run: listCommand,
  help: () => ({ ...words(), options: { ...useWords().rowOptions, ...words().options } }),
  options: OPTIONS,
  names: 'folder',
}

async function listCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  const folder = onlyFolder(positionals)
  const form = formOf(values)
  const limit = rowLimit(values.limit)
  const states = values.state?.map(state => checkedChoice('--state', state, LINK_STATES))
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
  if (reason === undefined) {
    say('info', words().nothingListed)
    return
  }
  const { refusedFor } = (await crawl.status()).frontier
  const known = Object.keys(refusedFor).filter(one => refusedFor[one]! > 0 && (states?.includes(stateOf(one)) ?? true))
  say('info', words().noSuchReason(printable(reason), known.sort().join(', ')))
}

function columns(): readonly RowColumn<ListedLink>[] {
  const { titles } = words()
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

const words = catalogue({
  en: {
    head: `Examples
  escalona list crawl --state failed           which URLs failed, and why
  escalona list crawl --state refused --reason 'status-4*'
  escalona list crawl --state held --reason scope | head
  escalona list crawl --state waiting --host example.org
  escalona list crawl --state done --csv > pages.csv

Usage: escalona list DIR [options]

Links and what became of them.

`,
    options: {
      state:
        'done (archived), failed (errors, after all retries), refused (by the host or its robots.txt), held (kept out by a setting) or waiting; repeatable; all of them by default',
      reason: "only links that ended for this reason; * matches any text: 'status-4*'",
      host: "only links of this host, with its port if it has one; * matches any text: '*.example.org'",
    },
    rest: `
Links are listed as they are read, in the order in which they were discovered; piping into head ends at once.
docs/reading.md describes every column, docs/crawl.md every reason.
`,
    nothingListed: 'no such links in this crawl',
    noSuchReason: (reason: string, known: string) =>
      `no link ended for the reason ${reason}; reasons in this crawl: ${known === '' ? 'none' : known}`,
    titles: {
      state: 'STATE',
      reason: 'REASON',
      attempts: 'TRIES',
      hops: 'HOPS',
    },
  },
  pt: {
    head: `Exemplos
  escalona list crawl --state failed           quais URLs falharam, e por quê
  escalona list crawl --state refused --reason 'status-4*'
  escalona list crawl --state held --reason scope | head
  escalona list crawl --state waiting --host example.org
  escalona list crawl --state done --csv > paginas.csv

Uso: escalona list DIR [opções]

Links e o destino de cada um.

`,
    options: {
      state:
        'done (arquivados), failed (erros, depois de todas as tentativas), refused (pelo host ou pelo robots.txt), held (retidos por uma configuração) ou waiting (esperando); pode ser repetida; todos por padrão',
      reason: "só links que terminaram por este motivo; * combina com qualquer texto: 'status-4*'",
      host: "só links deste host, com a porta se houver; * combina com qualquer texto: '*.example.org'",
    },
    rest: `
Os links são listados à medida que são lidos, na ordem em que foram descobertos; com head, termina na hora.
docs/reading.md descreve cada coluna, docs/crawl.md cada motivo.
`,
    nothingListed: 'não há links assim nesta coleta',
    noSuchReason: (reason, known) =>
      `nenhum link terminou pelo motivo ${reason}; motivos nesta coleta: ${known === '' ? 'nenhum' : known}`,
    titles: {
      state: 'ESTADO',
      reason: 'MOTIVO',
      attempts: 'TENT.',
      hops: 'DIST',
    },
  },
})
