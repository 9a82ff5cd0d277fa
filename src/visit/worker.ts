import { parentPort, workerData } from 'node:worker_threads'
import { unixClock } from '../base/clock.ts'
import type { FetchJob, SitemapPart } from '../decide/job.ts'
import { languageDetector } from '../extract/detect-language.ts'
import { Fetcher } from '../fetch/fetcher.ts'
import type { HostHeaders } from '../fetch/own-headers.ts'
import { type LinkRuleOptions, LinkRules } from '../settings/link-rules.ts'
import type { CrawlSettings } from '../settings/settings-table.ts'
import { KnownPayloads } from './known-payloads.ts'
import { type NumberedPart, type NumberedResult, pack, READY } from './parcel.ts'
import { RecentlyOffered } from './recently-offered.ts'
import { visit } from './visit.ts'

/** What a worker receives when it starts: the settings, but not the addresses of hosts, which may be a million. */
export interface WorkerData extends Omit<CrawlSettings, 'hosts' | 'hostSettings'> {
  readonly agent: string
  readonly maxConnections: number
  readonly hostHeaders: readonly HostHeaders[]
  readonly links: LinkRuleOptions
  /** Whether to send links every time they are found, not only the first time. */
  readonly sendsRepeats: boolean
  /** Whether links have their texts: a program ranks them. */
  readonly wantsTexts: boolean
  readonly crawl: string
  readonly revisits: boolean
  /** With `--dedup`: the table of payloads. */
  readonly payloadMemory: SharedArrayBuffer | undefined
}

/** What a worker receives later: new visits, and the numbers of earlier ones whose outcome and links are safe, or never will be. */
export interface WorkerOrder {
  readonly visits: readonly { readonly visit: number; readonly job: FetchJob }[]
  readonly settled: readonly number[]
  readonly unsettled: readonly number[]
  /** Parts of sitemaps that were offered. `isWanted`: whether to go on. */
  readonly read: readonly { readonly visit: number; readonly isWanted: boolean }[]
  /** Not empty: links that were offered may be lost, and are sent again when they are found. */
  readonly forgotten: readonly true[]
}

const data = workerData as WorkerData
const port = parentPort!
const offered = data.sendsRepeats ? undefined : new RecentlyOffered()
const deps = {
  ...data,
  fetcher: new Fetcher({ ...data, clock: unixClock }),
  rules: new LinkRules(data.links, await domainsFor(data.links)),
  offered,
  detectLanguage: await languageDetector(data),
  payloads: data.payloadMemory && new KnownPayloads(data.crawl, data.dedup, data.payloadMemory),
  clock: unixClock,
}
let results: NumberedResult[] = []
const waiting = new Map<number, (isWanted: boolean) => void>()

/** Loads the list of suffixes, which is large, only for the scope that needs it. */
async function domainsFor({ scope }: LinkRuleOptions): Promise<(host: string) => string> {
  if (scope !== 'domain') return host => host
  return (await import('../url/registrable-domain.ts')).registrableDomain
}

port.on('message', ({ visits, settled, unsettled, read, forgotten }: WorkerOrder) => {
  if (forgotten.length > 0) offered?.forget()
  for (const { visit: number, isWanted } of read) waiting.get(number)?.(isWanted)
  for (const number of settled) offered?.close(number, true)
  for (const number of unsettled) offered?.close(number, false)
  for (const { visit: number, job } of visits) void run(number, job)
})
port.postMessage(READY)

async function run(number: number, job: FetchJob): Promise<void> {
  const result = await visit(number, job, deps, part => sendPart(number, part))
  // Results from one turn of the event loop are sent together.
  if (results.length === 0) setImmediate(send)
  results.push({ visit: number, result })
}

function sendPart(number: number, part: SitemapPart): Promise<boolean> {
  return new Promise(resolve => {
    waiting.set(number, isWanted => {
      waiting.delete(number)
      resolve(isWanted)
    })
    port.postMessage({ visit: number, part } satisfies NumberedPart)
  })
}

function send(): void {
  const parcel = pack(results)
  results = []
  port.postMessage(parcel, [parcel.block.buffer])
}
