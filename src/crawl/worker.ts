import { parentPort, workerData } from 'node:worker_threads'
import { unixClock } from '../base/clock.ts'
import { Fetcher } from '../fetch/fetcher.ts'
import type { Errand, Finding } from './errand.ts'
import { type LinkRuleOptions, linkRules } from './link-rules.ts'
import { pack } from './parcel.ts'
import { RecentlyOffered } from './recently-offered.ts'
import { visit } from './visit.ts'

/** What a worker is told when it starts. */
export interface WorkerData {
  readonly userAgent: string
  readonly agent: string
  readonly timeoutMs: number
  readonly maxBodyBytes: number
  readonly allowNetworks: readonly string[]
  /** Requests that are open at once. */
  readonly concurrency: number
  readonly links: LinkRuleOptions
  /** Links travel each time that they are found, not only the first time. */
  readonly sendsRepeats: boolean
}

/** What a worker is told later: errands, or to make no more requests than are open. */
export type WorkerOrder = { readonly errands: readonly Errand[] } | { readonly stop: true }

const data = workerData as WorkerData
const port = parentPort!
const rooms = {
  fetcher: new Fetcher({
    ...data,
    connectTimeoutMs: Math.min(5000, data.timeoutMs),
    firstByteTimeoutMs: data.timeoutMs,
    clock: unixClock,
  }),
  rules: linkRules(data.links, await domainsFor(data.links)),
  offered: data.sendsRepeats ? undefined : new RecentlyOffered(),
  agent: data.agent,
  clock: unixClock,
}
const queue: Errand[] = []
let found: Finding[] = []
let open = 0
let isStopped = false

/** The list of suffixes is large; a worker loads it only for the scope that needs it. */
async function domainsFor({ scope }: LinkRuleOptions): Promise<(host: string) => string> {
  if (scope !== 'domain') return host => host
  return (await import('../url/registrable-domain.ts')).registrableDomain
}

port.on('message', (order: WorkerOrder) => {
  if ('stop' in order) {
    isStopped = true
    for (const { ticketId } of queue.splice(0)) {
      tell({ ticketId, answer: undefined, end: { kind: 'unvisited' }, links: [], refusedLinks: {} })
    }
    return
  }
  if (isStopped) throw new Error('an errand came after the stop')
  queue.push(...order.errands)
  begin()
})

function begin(): void {
  while (open < data.concurrency && queue.length > 0) {
    open++
    void run(queue.shift()!)
  }
}

async function run(errand: Errand): Promise<void> {
  const finding = await visit(errand, rooms)
  open--
  tell(finding)
  begin()
}

/** Findings of one turn of the event loop travel together. */
function tell(finding: Finding): void {
  if (found.length === 0) setImmediate(send)
  found.push(finding)
}

function send(): void {
  const parcel = pack(found)
  found = []
  port.postMessage(parcel, [parcel.block.buffer])
}
