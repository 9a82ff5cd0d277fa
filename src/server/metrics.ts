import { STATUS_CODES } from 'node:http'
import { Counter, Gauge, Registry } from 'prom-client'
import { version } from '../base/version.ts'
import { isReason } from '../settings/reasons.ts'
import type { CrawlNow, CrawlTotals } from '../view/questions/crawl-shapes.ts'

const STATES = ['running', 'paused', 'stopping', 'ended'] as const

/** The figures of a crawl for Prometheus: base units, and labels with few values. */
export class Metrics {
  private readonly registry = new Registry()
  readonly contentType = this.registry.contentType

  /** Everything is set anew from what the crawl counts itself. */
  async text(now: CrawlNow, totals: CrawlTotals): Promise<string> {
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
    this.responses(totals)
    this.known(
      'escalona_disk_free_bytes',
      'What may still be written to the disk of the crawl.',
      totals.disk?.freeBytes,
    )
    this.known('escalona_disk_size_bytes', 'The size of the disk of the crawl.', totals.disk?.sizeBytes)
    return `${(await this.registry.metrics()).trimEnd()}\n\n${histogram(totals.answers)}`
  }

  /** Answers by status, and failures by reason. */
  private responses({ statuses, retried, failed }: CrawlTotals): void {
    const responses = new Counter({
      name: 'escalona_responses_total',
      help: 'Answers by HTTP status; other: a status that is in no standard.',
      labelNames: ['class', 'code'],
      registers: [this.registry],
    })
    for (const [status, count] of Object.entries(statuses)) {
      const code = Object.hasOwn(STATUS_CODES, status) ? status : 'other'
      responses.inc({ class: /^[1-5]\d\d$/.test(status) ? `${status[0]}xx` : 'other', code }, count)
    }
    // From the start: a counter that begins at its first event hides that event from rate().
    for (const code of ['429', '503']) responses.inc({ class: `${code[0]}xx`, code }, 0)
    const failures = new Counter({
      name: 'escalona_failures_total',
      help: 'Failures by reason: requests that were made again (retried), and links that were given up (ended).',
      labelNames: ['reason', 'outcome'],
      registers: [this.registry],
    })
    for (const [outcome, counts] of Object.entries({ retried, ended: failed })) {
      for (const [reason, count] of Object.entries(counts)) failures.inc({ reason: labelOf(reason), outcome }, count)
    }
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

/** prom-client only counts what it observes itself. */
function histogram({ upToMs, counts, totalMs }: CrawlTotals['answers']): string {
  const name = 'escalona_response_seconds'
  let sum = 0
  const buckets = counts.map((count, at) => {
    sum += count
    const bound = upToMs[at]
    return `${name}_bucket{le="${bound === undefined ? '+Inf' : bound / 1000}"} ${sum}`
  })
  return [
    `# HELP ${name} How long answers took, from the connection to the last byte.`,
    `# TYPE ${name} histogram`,
    ...buckets,
    `${name}_sum ${totalMs / 1000}`,
    `${name}_count ${sum}`,
    '',
  ].join('\n')
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
