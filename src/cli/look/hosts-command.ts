import { catalogue } from '../../base/words/language.ts'
import { shownCount, shownDuration } from '../../base/words/quantity.ts'
import { shownCause } from '../../run/rests.ts'
import { CrawlView } from '../../view/crawl-view.ts'
import { shownImportance } from '../../view/history-lines.ts'
import type { HostFilter, ListedHost } from '../../view/questions/host-shapes.ts'
import type { Command } from '../commands.ts'
import { checkedChoice, formOf, onlyFolder, redisPassword, rowLimit } from '../terminal/arguments.ts'
import { type Arguments, type OptionRows, readArguments } from '../terminal/option-table.ts'
import { type RowColumn, RowWriter } from '../terminal/row-writer.ts'
import { say } from '../terminal/say.ts'
import { useWords } from '../terminal/use-words.ts'

const ORDERS = ['waiting', 'pages', 'failures', 'delay', 'received'] as const
type Order = (typeof ORDERS)[number]

/** The options of a list of hosts. */
export const HOST_OPTIONS = {
  host: { value: 'H' },
  sort: { value: 'S', choices: ORDERS },
  limit: { short: 'n', value: 'N' },
  json: {},
  csv: {},
} as const satisfies OptionRows

/** The longest sorted list, since it is kept in memory. */
const MOST_SORTED = 10_000
/** Rows of a sorted list without `-n`. */
const SORTED = 100

/** `escalona hosts DIR`: hosts, how much is waiting at each, and when it may be asked again. */
export const HOSTS: Command = {
  run: hostsCommand,
  help: () => ({ ...words(), options: { ...useWords().rowOptions, ...words().options } }),
  options: HOST_OPTIONS,
  names: 'folder',
}

async function hostsCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, HOST_OPTIONS)
  const crawl = new CrawlView(onlyFolder(positionals), { frontierPassword: redisPassword(process.env) })
  try {
    await showHosts(filter => crawl.hosts(filter), values)
    return 0
  } finally {
    await crawl.close()
  }
}

/** Writes the hosts that are asked for. */
export async function showHosts(
  hostsLike: (filter: HostFilter) => AsyncIterable<ListedHost>,
  values: Arguments<typeof HOST_OPTIONS>['values'],
): Promise<void> {
  const form = formOf(values)
  const limit = rowLimit(values.limit)
  const order = values.sort === undefined ? undefined : checkedChoice('--sort', values.sort, ORDERS)
  const hosts = hostsLike(values.host === undefined ? {} : { host: values.host })
  const listed =
    order === undefined ? hosts : await highest(hosts, order, Math.min(values.limit ? limit : SORTED, MOST_SORTED))
  let rows: RowWriter<ListedHost> | undefined
  for await (const host of listed) {
    rows ??= new RowWriter(columns(host.isByShare === true), form)
    if (!rows.write(host) || rows.count >= limit) break
  }
  rows?.flush()
  if (rows === undefined) say('info', words().noHosts)
}

const KEYS: Readonly<Record<Order, (host: ListedHost) => number>> = {
  waiting: host => host.waiting,
  pages: host => host.pages,
  failures: host => host.failures,
  delay: host => host.delayMs,
  received: host => host.received,
}

/** The `count` highest hosts by `order`, highest first. Keeps at most twice as many in memory. */
async function highest(hosts: AsyncIterable<ListedHost>, order: Order, count: number): Promise<ListedHost[]> {
  const key = KEYS[order]
  const cut = (list: ListedHost[]) => list.sort((a, b) => key(b) - key(a)).slice(0, count)
  let kept: ListedHost[] = []
  for await (const host of hosts) {
    kept.push(host)
    if (kept.length >= 2 * count) kept = cut(kept)
  }
  return cut(kept)
}

/** `isByShare`: people see what decides whose turn is next. */
function columns(isByShare: boolean): readonly RowColumn<ListedHost>[] {
  const { titles, hostStates, now } = words()
  type Shown = Pick<RowColumn<ListedHost>, 'value' | 'shown'>
  const column = (name: string, title: string, width: number, shown: Shown) => ({ name, title, width, ...shown })
  const number = (...given: Parameters<typeof column>) => ({ ...column(...given), isNumber: true })
  const count = (name: 'waiting' | 'pages' | 'failures' | 'turns', width: number) =>
    number(name, titles[name], width, { value: host => host[name], shown: host => shownCount(host[name]) })
  return [
    count('waiting', 9),
    count('pages', 9),
    count('failures', 8),
    {
      ...number('received', titles.received, 9, {
        value: host => host.received,
        shown: host => shownImportance(host.received),
      }),
      isExtra: !isByShare,
    },
    { ...count('turns', 7), isExtra: !isByShare },
    number('delay_ms', titles.delay, 9, {
      value: host => host.delayMs,
      shown: host => (host.delayMs === 0 ? '' : shownDuration(host.delayMs)),
    }),
    number('ready_in_ms', titles.readyIn, 12, {
      value: host => Math.round(host.readyInMs),
      shown: host => (host.readyInMs > 0 ? shownDuration(host.readyInMs) : now),
    }),
    column('waits_for', titles.waitsFor, 15, {
      value: host => host.waitsFor,
      shown: host => (host.waitsFor === undefined ? '' : shownCause(host.waitsFor)),
    }),
    column('state', titles.state, 9, {
      value: host => (host.isDown ? 'down' : host.state),
      shown: host => hostStates[host.isDown ? 'down' : host.state],
    }),
    column('host', titles.host, 0, { value: host => host.host }),
    { ...column('server', '', 0, { value: host => host.server }), isExtra: true },
  ]
}

const words = catalogue({
  en: {
    head: `Examples
  escalona hosts crawl --sort waiting          the hosts with the most waiting links
  escalona hosts crawl --sort delay -n 10      the hosts that ask for the longest delays
  escalona hosts crawl --host '*.example.org'
  escalona hosts crawl --csv > hosts.csv

Usage: escalona hosts DIR [options]

Hosts, how much is waiting at each, and when it can be asked again.

`,
    options: {
      host: "only this host, with its port if it has one; * matches any text: '*.example.org'",
      sort: 'highest first, by waiting, pages, failures, delay or received; 100 rows unless -n says otherwise, at most 10,000',
    },
    rest: `
Without --sort, hosts are listed as they are read, in the order in which they were discovered.
`,
    noHosts: 'no such host in this crawl',
    now: 'now',
    hostStates: { idle: 'idle', waiting: 'waiting', leased: 'being asked', down: 'down' },
    titles: {
      state: 'STATE',
      host: 'HOST',
      waiting: 'WAITING',
      pages: 'PAGES',
      failures: 'FAILURES',
      received: 'RECEIVED',
      turns: 'TURNS',
      delay: 'DELAY',
      readyIn: 'READY IN',
      waitsFor: 'BECAUSE OF',
    },
  },
  pt: {
    head: `Exemplos
  escalona hosts crawl --sort waiting          os hosts com mais links esperando
  escalona hosts crawl --sort delay -n 10      quem pede as pausas mais longas
  escalona hosts crawl --host '*.example.org'
  escalona hosts crawl --csv > hosts.csv

Uso: escalona hosts DIR [opções]

Hosts, quanto espera em cada um, e quando podem ser consultados de novo.

`,
    options: {
      host: "só este host, com a porta se houver; * combina com qualquer texto: '*.example.org'",
      sort: 'os maiores primeiro: waiting, pages, failures, delay ou received; 100 linhas se -n não disser outra coisa, no máximo 10.000',
    },
    rest: `
Sem --sort, os hosts são listados à medida que são lidos, na ordem em que foram descobertos.
`,
    noHosts: 'não há host assim nesta coleta',
    now: 'agora',
    hostStates: { idle: 'ocioso', waiting: 'esperando', leased: 'sendo consultado', down: 'fora do ar' },
    titles: {
      state: 'ESTADO',
      host: 'HOST',
      waiting: 'ESPERAM',
      pages: 'PÁGINAS',
      failures: 'FALHAS',
      received: 'RECEBEU',
      turns: 'VEZES',
      delay: 'PAUSA',
      readyIn: 'PRONTO EM',
      waitsFor: 'POR CAUSA DE',
    },
  },
})
