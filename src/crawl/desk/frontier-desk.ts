import { Wildcard } from '../../base/words/wildcard.ts'
import {
  type Cursor,
  type HostView,
  hostOf,
  type LinkFilter,
  type LinkView,
  type Page,
} from '../../frontier/frontier.ts'
import type { FrontierView } from '../../frontier/local/readable.ts'
import { RobotsRules } from '../../robots/rules.ts'
import { webUrl } from '../../url/web.ts'
import { noteKey, originOf } from '../conductor/robots-gate.ts'
import type { RestCause } from '../rests.ts'
import type { LinkRules } from '../worker/link-rules.ts'
import type { Desk, DeskHost, DeskStatus, DeskStory, HostFilter, RobotsStory, RunningNow } from './desk.ts'

export interface DeskRooms {
  readonly frontier: Omit<FrontierView, 'close'>
  /** The current settings' rules for links; undefined when the settings are unknown. */
  readonly rules: Pick<LinkRules, 'refusal'> | undefined
  /** The product token that robots.txt rules are matched against. */
  readonly agent: string
  /** Why a host cannot be asked yet; undefined when the settings are unknown. */
  readonly restCause: ((host: HostView) => RestCause | undefined) | undefined
  /** Present when machines share the crawl: how many are at work. */
  machines?(): number
  /** Present for a running crawl. */
  running?(): Promise<RunningNow>
}

/** Maximum items per answer. */
export const MOST_ITEMS = 500
/** How many hosts are compared with a pattern in one call. */
const MOST_LOOKED_AT = 1000

/** Answers from a frontier: the running crawl's, or one read from the files. */
export class FrontierDesk implements Desk {
  private readonly rooms: DeskRooms

  constructor(rooms: DeskRooms) {
    this.rooms = rooms
  }

  async status(): Promise<DeskStatus> {
    const { frontier, running } = this.rooms
    const [counts, outlook, now] = await Promise.all([frontier.counts(), frontier.outlook(), running?.()])
    const machines = this.rooms.machines?.()
    return { frontier: counts, outlook, running: now, ...(machines !== undefined && { machines }) }
  }

  async hosts(page: Cursor, filter: HostFilter = {}): Promise<Page<DeskHost>> {
    const { items, next } = await this.found(page, filter)
    return { items: items.map(host => this.deskHost(host)), next }
  }

  private deskHost(host: HostView): DeskHost {
    const waitsFor = this.rooms.restCause?.(host)
    return waitsFor === undefined ? host : { ...host, waitsFor }
  }

  private async found(page: Cursor, filter: HostFilter): Promise<Page<HostView>> {
    const { frontier } = this.rooms
    const { host } = filter
    if (host === undefined) return frontier.hosts(bounded(page))
    if (!host.includes('*')) {
      const found = await frontier.host(host)
      return { items: found === undefined ? [] : [found], next: undefined }
    }
    const pattern = new Wildcard(host, true)
    const all = await frontier.hosts({ ...page, limit: MOST_LOOKED_AT })
    return { items: all.items.filter(view => pattern.matches(view.host)), next: all.next }
  }

  async links(which: LinkFilter, page: Cursor): Promise<Page<LinkView>> {
    const { frontier } = this.rooms
    const { state, host } = which
    if (state !== 'waiting' || host === undefined) return frontier.links(which, bounded(page))
    // One host's links are listed directly; finding them among all links would mean a search.
    const { items, next } = await frontier.waiting(host, bounded(page))
    return { items: items.map(link => ({ ...link, host, attempts: 0 })), next }
  }

  async explain(url: string): Promise<DeskStory> {
    const { frontier, agent } = this.rooms
    const [explanations, link, host, robots] = await Promise.all([
      frontier.explain([url]),
      frontier.link(url),
      frontier.host(hostOf(url)),
      this.robotsStory(url),
    ])
    return {
      frontier: explanations[0]!,
      link,
      host: host && this.deskHost(host),
      heldBy: this.heldBy(url, link?.hops ?? 0),
      robots,
      agent,
    }
  }

  private heldBy(url: string, hops: number): string | undefined {
    const target = webUrl(url)
    return typeof target === 'string' ? target : this.rooms.rules?.refusal(target, hops)
  }

  private async robotsStory(url: string): Promise<RobotsStory> {
    const origin = originOf(url)
    const bytes = await this.rooms.frontier.noted(hostOf(url), noteKey(origin))
    if (bytes === undefined) return { kind: 'unknown' }
    const rules = new RobotsRules(bytes)
    const { allowed, line } = rules.verdict(url)
    return { kind: allowed ? 'allowed' : 'refused', line, crawlDelaySeconds: rules.crawlDelaySeconds }
  }
}

function bounded(page: Cursor): Cursor {
  return { ...page, limit: Math.min(Math.max(1, page.limit), MOST_ITEMS) }
}
