import { constants, setPriority } from 'node:os'
import { unixClock } from '../../base/clock.ts'
import { catalogue } from '../../base/words/language.ts'
import { printable } from '../../base/words/printable.ts'
import { readDuration } from '../../base/words/quantity.ts'
import { LINK_ORIGINS, LINK_STATES, type LinkChoice, reasonsIn } from '../../settings/link-choice.ts'
import { CrawlView } from '../../view/crawl-view.ts'
import { historyWords } from '../../view/history-lines.ts'
import type { ListedLink } from '../../view/listed.ts'
import type { Command } from '../commands.ts'
import { checkedChoice, formOf, onlyFolder, redisPassword, rowLimit } from '../terminal/arguments.ts'
import { type OptionRows, readArguments } from '../terminal/option-table.ts'
import { type RowColumn, RowWriter } from '../terminal/row-writer.ts'
import { say } from '../terminal/say.ts'
import { useWords, wrongUse } from '../terminal/use-words.ts'

const OPTIONS = {
  state: { value: 'S', choices: LINK_STATES, isRepeatable: true },
  reason: { value: 'R' },
  host: { value: 'H' },
  origin: { value: 'O', choices: LINK_ORIGINS },
  search: { value: 'TEXT' },
  changed: {},
  since: { value: 'T' },
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
  const { reason, host, search: q } = values
  const origin = values.origin === undefined ? undefined : checkedChoice('--origin', values.origin, LINK_ORIGINS)
  if (values.changed && (states !== undefined || reason !== undefined))
    throw wrongUse(useWords().contradict('--changed', states === undefined ? '--reason' : '--state'))
  if (values.since !== undefined && !values.changed) throw wrongUse(words().sinceAlone)
  const changedSinceMs = values.changed ? sinceOf(values.since) : undefined
  const crawl = new CrawlView(folder, { frontierPassword: redisPassword(process.env) })
  try {
    const rows = new RowWriter(values.changed ? changeColumns() : columns(), form)
    const which = { states, reason, origin, host, q }
    for await (const link of crawl.list({ ...which, ...(changedSinceMs !== undefined && { changedSinceMs }) })) {
      if (!rows.write(link) || rows.count >= limit) break
      // The first rows are on screen; from now on, yield to a crawl that may be running on this machine.
      if (rows.count === PROMPT_ROWS) setPriority(constants.priority.PRIORITY_LOW)
    }
    rows.flush()
    if (rows.count === 0 && values.changed) say('info', words().nothingChanged)
    else if (rows.count === 0) await sayWhyNothing(crawl, which)
    return 0
  } finally {
    await crawl.close()
  }
}

/** `7d`: since then; `2026-11-18`, or with a time: since that. In milliseconds since 1970; 0 without one. */
function sinceOf(text: string | undefined): number {
  if (text === undefined) return 0
  const agoMs = readDuration(text)
  const atMs = agoMs === undefined ? Date.parse(/^\d{4}-\d\d-\d\d/.test(text) ? text : '') : unixClock() - agoMs
  if (Number.isFinite(atMs)) return Math.max(0, atMs)
  throw wrongUse(words().badSince(printable(text)))
}

/** An empty list often means a misspelt reason, so the message names the reasons that did occur. */
async function sayWhyNothing(crawl: CrawlView, { states, reason }: LinkChoice): Promise<void> {
  if (reason === undefined) {
    say('info', words().nothingListed)
    return
  }
  const { refusedFor } = (await crawl.status()).frontier
  const known = reasonsIn({ states }, refusedFor)
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

function changeColumns(): readonly RowColumn<ListedLink>[] {
  const { titles, changes } = words()
  return [
    {
      name: 'change',
      title: titles.change,
      width: 9,
      value: link => link.change,
      shown: link => changes[link.change!],
    },
    { name: 'time', title: titles.time, width: 24, value: link => isoTime(link.dateMs) },
    { name: 'url', title: 'URL', width: 0, value: link => link.url },
    { name: 'title', title: '', width: 0, isExtra: true, value: link => link.title },
    { name: 'status', title: '', width: 0, isExtra: true, value: link => link.status },
    { name: 'bytes', title: '', width: 0, isExtra: true, value: link => link.bytes },
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
  escalona list crawl --state failed --origin seed
  escalona list crawl --state done --csv > pages.csv
  escalona list crawl --changed --since 7d     which pages changed

Usage: escalona list DIR [options]

Links and what became of them.

`,
    options: {
      state:
        'done (archived), failed (errors, after all retries), refused (by the host or its robots.txt), held (kept out by a setting), leased (being fetched) or waiting; repeatable; all of them by default',
      reason: "only links that ended for this reason; * matches any text: 'status-4*'",
      host: "only links of this host, with its port if it has one; * matches any text: '*.example.org'",
      origin: 'only seeds and what they redirected to (seed), or only all other links (found)',
      search: 'only links with this text in the URL, in any case',
      changed: 'only pages whose last visit again found a change, the earliest change first',
      since: 'with --changed: only changes found since then: 7d (ago), or 2026-11-18, or 2026-11-18T09:00Z',
    },
    rest: `
Links are listed as they are read, in the order in which they were discovered; piping into head ends at once.
docs/reading.md describes every column, docs/api/reasons.md every reason.
`,
    nothingListed: 'no such links in this crawl',
    nothingChanged: 'no page whose last visit again found a change',
    sinceAlone: '--since goes with --changed',
    badSince: (text: string) => `--since takes a duration such as 7d, or a date such as 2026-11-18, not ${text}`,
    changes: { changed: 'changed', gone: 'gone' },
    noSuchReason: (reason: string, known: string) =>
      `no link ended for the reason ${reason}; reasons in this crawl: ${known === '' ? 'none' : known}`,
    titles: {
      state: 'STATE',
      reason: 'REASON',
      attempts: 'TRIES',
      hops: 'HOPS',
      change: 'CHANGE',
      time: 'FOUND AT',
    },
  },
  pt: {
    head: `Exemplos
  escalona list crawl --state failed           quais URLs falharam, e por quê
  escalona list crawl --state refused --reason 'status-4*'
  escalona list crawl --state held --reason scope | head
  escalona list crawl --state waiting --host example.org
  escalona list crawl --state failed --origin seed
  escalona list crawl --state done --csv > paginas.csv
  escalona list crawl --changed --since 7d     quais páginas mudaram

Uso: escalona list DIR [opções]

Links e o destino de cada um.

`,
    options: {
      state:
        'done (arquivados), failed (erros, depois de todas as tentativas), refused (pelo host ou pelo robots.txt), held (retidos por uma configuração), leased (em coleta) ou waiting (esperando); pode ser repetida; todos por padrão',
      reason: "só links que terminaram por este motivo; * combina com qualquer texto: 'status-4*'",
      host: "só links deste host, com a porta se houver; * combina com qualquer texto: '*.example.org'",
      origin: 'só sementes e destinos de seus redirecionamentos (seed), ou só os outros links (found)',
      search: 'só links com este texto na URL, sem distinguir maiúsculas',
      changed: 'só páginas em que a última nova visita achou uma mudança, a mudança mais antiga primeiro',
      since: 'com --changed: só mudanças achadas desde então: 7d (atrás), ou 2026-11-18, ou 2026-11-18T09:00Z',
    },
    rest: `
Os links são listados à medida que são lidos, na ordem em que foram descobertos; com head, termina na hora.
docs/reading.md descreve cada coluna, docs/api/reasons.md cada motivo.
`,
    nothingListed: 'não há links assim nesta coleta',
    nothingChanged: 'nenhuma página em que a última nova visita tenha achado uma mudança',
    sinceAlone: '--since acompanha --changed',
    badSince: text => `--since pede uma duração como 7d, ou uma data como 2026-11-18, não ${text}`,
    changes: { changed: 'mudou', gone: 'sumiu' },
    noSuchReason: (reason, known) =>
      `nenhum link terminou pelo motivo ${reason}; motivos nesta coleta: ${known === '' ? 'nenhum' : known}`,
    titles: {
      state: 'ESTADO',
      reason: 'MOTIVO',
      attempts: 'TENT.',
      hops: 'DIST',
      change: 'MUDANÇA',
      time: 'ACHADA EM',
    },
  },
})
