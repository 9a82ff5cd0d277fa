import { shownCount, shownDuration } from '../../base/words/quantity.ts'
import { shownCause } from '../../run/rests.ts'
import { CrawlView } from '../../view/crawl-view.ts'
import type { HostFilter, ListedHost } from '../../view/questions/host-shapes.ts'
import type { Command } from '../commands.ts'
import { type Arguments, type OptionRows, optionLines, readArguments } from '../terminal/option-table.ts'
import { redisPassword } from '../terminal/redis-password.ts'
import { type Column, RowWriter } from '../terminal/row-writer.ts'
import { say } from '../terminal/say.ts'
import { checkedChoice, formOf, onlyFolder, rowLimit } from './look-arguments.ts'
import { lookHelp } from './look-help.ts'
import { lookWords } from './look-words.ts'

const ORDERS = ['waiting', 'pages', 'failures', 'delay'] as const
type Order = (typeof ORDERS)[number]

/** The options of a list of hosts. */
export const HOST_OPTIONS = {
  host: { value: 'H' },
  sort: { value: 'S', choices: ORDERS },
  limit: { short: 'n', value: 'N' },
  json: {},
  csv: {},
} as const satisfies OptionRows

const SEE = 'escalona hosts --help'
/** The longest sorted list, since it is kept in memory. */
const MOST_SORTED = 10_000
/** Rows of a sorted list without `-n`. */
const SORTED = 100

/** `escalona hosts DIR`: hosts, how much is waiting at each, and when it may be asked again. */
export const HOSTS: Command = { run: hostsCommand, help: hostsHelp, options: HOST_OPTIONS, names: 'folder' }

function hostsHelp(): string {
  const { hosts, options } = lookHelp()
  return hosts.head + optionLines(HOST_OPTIONS, { ...options, ...hosts.options }) + hosts.rest
}

async function hostsCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, HOST_OPTIONS, SEE)
  const crawl = new CrawlView(onlyFolder(positionals, SEE), { frontierPassword: redisPassword(process.env) })
  try {
    await showHosts(filter => crawl.hosts(filter), values, SEE)
    return 0
  } finally {
    await crawl.close()
  }
}

/** Writes the hosts that are asked for. `help`: the command that shows the help page. */
export async function showHosts(
  hostsLike: (filter: HostFilter) => AsyncIterable<ListedHost>,
  values: Arguments<typeof HOST_OPTIONS>['values'],
  help: string,
): Promise<void> {
  const form = formOf(values, help)
  const limit = rowLimit(values.limit, help)
  const order = values.sort === undefined ? undefined : checkedChoice('--sort', values.sort, ORDERS, help)
  const rows = new RowWriter(columns(), form)
  const hosts = hostsLike(values.host === undefined ? {} : { host: values.host })
  const listed =
    order === undefined ? hosts : await highest(hosts, order, Math.min(values.limit ? limit : SORTED, MOST_SORTED))
  for await (const host of listed) if (!rows.write(host) || rows.count >= limit) break
  rows.flush()
  if (rows.count === 0) say('info', lookWords().noHosts)
}

const KEYS: Readonly<Record<Order, (host: ListedHost) => number>> = {
  waiting: host => host.waiting,
  pages: host => host.pages,
  failures: host => host.failures,
  delay: host => host.delayMs,
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

function columns(): readonly Column<ListedHost>[] {
  const { titles, hostStates, now } = lookWords()
  const count = (name: 'waiting' | 'pages' | 'failures', width: number): Column<ListedHost> => ({
    name,
    title: titles[name],
    width,
    isNumber: true,
    value: host => host[name],
    shown: host => shownCount(host[name]),
  })
  return [
    count('waiting', 9),
    count('pages', 9),
    count('failures', 8),
    {
      name: 'delay_ms',
      title: titles.delay,
      width: 9,
      isNumber: true,
      value: host => host.delayMs,
      shown: host => (host.delayMs === 0 ? '' : shownDuration(host.delayMs)),
    },
    {
      name: 'ready_in_ms',
      title: titles.readyIn,
      width: 12,
      isNumber: true,
      value: host => Math.round(host.readyInMs),
      shown: host => (host.readyInMs > 0 ? shownDuration(host.readyInMs) : now),
    },
    {
      name: 'waits_for',
      title: titles.waitsFor,
      width: 15,
      value: host => host.waitsFor,
      shown: host => (host.waitsFor === undefined ? '' : shownCause(host.waitsFor)),
    },
    {
      name: 'state',
      title: titles.state,
      width: 9,
      value: host => (host.isDown ? 'down' : host.state),
      shown: host => hostStates[host.isDown ? 'down' : host.state],
    },
    { name: 'host', title: titles.host, width: 0, value: host => host.host },
    { name: 'server', title: '', width: 0, isExtra: true, value: host => host.server },
  ]
}
