import { Counter, Gauge, Registry } from 'prom-client'
import { version } from '../base/version.ts'
import { isReason } from '../settings/reasons.ts'
import type { CrawlNow } from '../view/questions/crawl-shapes.ts'

const STATES = ['running', 'paused', 'stopping', 'ended'] as const

/** The figures of a crawl for Prometheus: base units, and labels with few values. */
export class Metrics {
  private readonly registry = new Registry()
  readonly contentType = this.registry.contentType

  /** Everything is set anew from what the crawl counts itself. */
  async text(now: CrawlNow): Promise<string> {
    this.registry.clear()
    this.counter('escalona_pages_total', 'Pages archived in the life of the crawl.', now.pages)
    this.counter('escalona_requests_total', 'Requests of all kinds.', now.requests)
    this.counter('escalona_received_bytes_total', 'Bytes received.', now.wireBytes)
    this.counter('escalona_work_seconds_total', 'How long all runs have worked.', now.workMs / 1000)
    this.counter('escalona_failed_links_total', 'Links that ended by an error, after all retries.', now.failed)
    this.counter(
      'escalona_frontier_losses_total',
      'How often the engine of a shared frontier had lost data.',
      now.losses,
    )
    this.gauge('escalona_open_requests', 'Open requests.', now.openRequests)
    this.gauge('escalona_request_slots', 'How many requests may be open at once.', now.slots)
    this.gauge('escalona_known_hosts', 'Known hosts.', now.frontier.hosts)
    const { waiting, leased, done, refused } = now.frontier
    this.gauges('escalona_links', 'Known page links by what became of them.', 'state', {
      waiting,
      leased,
      done,
      refused,
    })
    this.gauges('escalona_refused_links', 'Links that ended without a page, by reason.', 'reason', byReason(now))
    const { blocked, ...hosts } = now.hosts
    this.gauges('escalona_hosts', 'Hosts with something waiting, by state.', 'state', hosts)
    this.gauge('escalona_blocked_hosts', 'Hosts that people block, whether something waits there or not.', blocked)
    const states = Object.fromEntries(STATES.map(state => [state, state === now.state ? 1 : 0]))
    this.gauges('escalona_state', 'Which state the crawl is in: that one is 1.', 'state', states)
    this.gauges('escalona_build_info', 'The version that runs.', 'version', { [version()]: 1 })
    this.known('escalona_page_limit', 'The crawl ends after this many pages.', now.limit)
    this.known(
      'escalona_eta_seconds',
      'Estimated remaining time.',
      now.eta && (now.eta.ms ?? Number.POSITIVE_INFINITY) / 1000,
    )
    this.known(
      'escalona_run_start_time_seconds',
      'When the newest run began, since 1970.',
      now.startedAtMs && now.startedAtMs / 1000,
    )
    this.known('escalona_machines', 'Machines at work, when several share the crawl.', now.machines)
    return this.registry.metrics()
  }

  private counter(name: string, help: string, value: number): void {
    new Counter({ name, help, registers: [this.registry] }).inc(value)
  }

  private gauge(name: string, help: string, value: number): void {
    new Gauge({ name, help, registers: [this.registry] }).set(value)
  }

  private gauges(name: string, help: string, label: string, values: Readonly<Record<string, number>>): void {
    const gauge = new Gauge({ name, help, labelNames: [label], registers: [this.registry] })
    for (const [is, value] of Object.entries(values)) gauge.set({ [label]: is }, value)
  }

  /** Left out while there is no value. */
  private known(name: string, help: string, value: number | undefined): void {
    if (value !== undefined) this.gauge(name, help, value)
  }
}

/** Refused links by reason. A host can answer with any status, so statuses are counted by their class. */
function byReason({ frontier }: CrawlNow): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const [reason, links] of Object.entries(frontier.refusedFor)) {
    const label = labelOf(reason)
    sums[label] = (sums[label] ?? 0) + links
  }
  return sums
}

function labelOf(reason: string): string {
  if (/^status-\d{3}$/.test(reason)) return `status-${reason['status-'.length]}xx`
  if (isReason(reason)) return reason
  return reason.startsWith('robots-') && isReason(reason.slice('robots-'.length)) ? 'robots-unavailable' : 'other'
}
