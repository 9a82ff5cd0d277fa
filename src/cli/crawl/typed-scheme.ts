import { availableParallelism } from 'node:os'
import { unixClock } from '../../base/clock.ts'
import { version } from '../../base/version.ts'
import { printable } from '../../base/words/printable.ts'
import { AddressGuard } from '../../fetch/address-guard.ts'
import { Dialer, type Target } from '../../fetch/dialer.ts'
import { Resolver } from '../../fetch/dns.ts'
import type { Failure } from '../../fetch/exchange.ts'
import { Routes } from '../../fetch/routes.ts'
import { securely } from '../../fetch/securely.ts'
import { readSeeds } from '../../folder/seeds-file.ts'
import { settingsWith } from '../../settings/settings.ts'
import { type WebUrl, webUrl } from '../../url/web.ts'
import type { CrawlArguments } from './crawl-options.ts'
import { crawlWords } from './crawl-words.ts'

/** After these, nobody speaks https there. A certificate that is not trusted is a fault of a host that does. */
const NO_HTTPS: ReadonlySet<string> = new Set<Failure>(['connect', 'timeout', 'reset', 'tls'])

/**
 * Chooses http for a seed that was typed without a scheme if no https connection can be made, but a plain one. Connections are made and
 * closed; nothing is requested. What the folder has decides at once. Behind a proxy, which alone knows, it stays https.
 */
export async function withScheme(
  seed: WebUrl,
  { folder, given, isFresh }: Pick<CrawlArguments, 'folder' | 'given' | 'isFresh'>,
  say: (message: string) => void,
): Promise<WebUrl> {
  const plain = webUrl(seed.href.replace(/^https:/, 'http:'))
  const known = new Set(isFresh ? [] : readSeeds(folder).map(({ url }) => url))
  if (typeof plain === 'string' || known.has(seed.href)) return seed
  if (known.has(plain.href)) return plain
  const settings = settingsWith(given, availableParallelism(), version())
  const { hosts, dnsServers: servers, allowNetworks, ca, connectTimeoutMs, proxy } = settings
  if (proxy?.http !== undefined || proxy?.https !== undefined) return seed
  const { hostname, port } = new URL(seed.href)
  const names = new Resolver({ clock: unixClock, hosts, ...(servers.length > 0 && { servers }) })
  const found = await names.resolve(hostname)
  const guard = new AddressGuard(allowNetworks)
  const ip = found.kind === 'found' ? found.addresses[0]?.ip : undefined
  if (ip === undefined || !guard.isAllowed(ip)) return seed
  const dialer = new Dialer(guard, new Routes(unixClock), securely(ca))
  const secureName = hostname.replace(/^\[|\]$/g, '')
  const why = await fault(dialer, { ip, port: Number(port || 443), secureName }, connectTimeoutMs)
  if (why === undefined || !NO_HTTPS.has(why)) return seed
  if (await fault(dialer, { ip, port: Number(port || 80), secureName: undefined }, connectTimeoutMs)) return seed
  say(crawlWords().httpInstead(printable(seed.host), why, printable(plain.href)))
  return plain
}

/** Why no connection can be made; undefined when one was. */
function fault(dialer: Dialer, target: Target, longestMs: number): Promise<Failure | 'address' | undefined> {
  return new Promise(resolve => {
    const end = (why?: Failure | 'address') => {
      clearTimeout(timer)
      socket.destroy()
      resolve(why)
    }
    const timer = setTimeout(() => end('timeout'), longestMs)
    const socket = dialer.dial(
      target,
      () => {},
      error => end(error?.why),
    )
  })
}
