import type { Clock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
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
import type { SettingGap } from '../../settings/host-settings.ts'
import type { LinkRules } from '../../settings/link-rules.ts'
import { webUrl } from '../../url/web.ts'
import { noteKey, originOf } from '../conductor/robots-gate.ts'
import type { RestCause } from '../rests.ts'
import type { Desk, DeskHost, DeskStatus, DeskStory, HostFilter, HostRows, NamedHost, RobotsStory } from './desk.ts'
import type { HostRow, RobotsState } from './front-desk.ts'
import { hostRows, MOST_ROWS } from './host-rows.ts'
import { robotsStateOf } from './robots-state.ts'

/** What a frontier's desk needs to know besides the frontier. The settings may change while a crawl runs, so each is asked anew. */
export interface DeskRooms {
  readonly frontier: Omit<FrontierView, 'close'>
  /** Unix time. */
  readonly clock: Clock
  /** The current settings' rules for links; undefined when the settings are unknown. */
  rules(): Pick<LinkRules, 'refusal' | 'settingBehind'> | undefined
  /** The product token that robots.txt rules are matched against. */
  agent(): string
  /** The time between two requests to a host according to the settings. */
  gapOf(host: string): SettingGap
  /** Until when a person blocks a host, in milliseconds since 1970. */
  blockedUntilMs(host: string): number | undefined
  /** Why a host cannot be asked yet, if known. */
  restCause(host: HostView): RestCause | undefined
  /** Present when machines share the crawl: how many are at work. */
  readonly machines?: (() => number) | undefined
}

/** Maximum items per answer. */
const MOST_ITEMS = 500
const MOST_NAMED = 200
/** How many hosts are compared with a pattern in one call. */
const MOST_LOOKED_AT = 1000

/** Answers from a frontier: the running crawl's, or one read from the files. */
export class FrontierDesk implements Desk {
  protected readonly rooms: DeskRooms

  constructor(rooms: DeskRooms) {
    this.rooms = rooms
  }

  async status(): Promise<DeskStatus> {
    const { frontier, machines } = this.rooms
    const [counts, outlook] = await Promise.all([frontier.counts(), frontier.outlook()])
    return { frontier: counts, outlook, running: undefined, ...(machines && { machines: machines() }) }
  }

  async hosts(page: Cursor, filter: HostFilter = {}): Promise<Page<DeskHost>> {
    const { items, next } = await this.found(page, filter)
    return { items: items.map(host => this.deskHost(host)), next }
  }

  private deskHost(host: HostView): DeskHost {
    const waitsFor = this.rooms.restCause(host)
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

  async rows({ after, limit }: Cursor): Promise<HostRows> {
    const { frontier, clock } = this.rooms
    const page = { ...(after !== undefined && { after }), limit: Math.min(Math.max(1, limit), MOST_ROWS) }
    const { items, next } = await frontier.hosts(page)
    return hostRows(items, next, host => this.gap(host).ms, clock())
  }

  async named(hosts: readonly string[]): Promise<readonly NamedHost[]> {
    const found = await Promise.all(hosts.slice(0, MOST_NAMED).map(host => this.namedHost(host)))
    return found.filter(host => host !== undefined)
  }

  private async namedHost(name: string): Promise<NamedHost | undefined> {
    const [host, robots] = await Promise.all([this.rooms.frontier.host(name), this.robotsState(name)])
    if (host === undefined) return undefined
    return { ...this.deskHost(host), gap: this.gap(host), blockedUntilMs: this.rooms.blockedUntilMs(name), robots }
  }

  private gap({ host, delayMs }: HostView): HostRow['gap'] {
    const gap = this.rooms.gapOf(host)
    return delayMs > gap.ms ? { ms: delayMs, by: 'robots.txt' } : gap
  }

  private async robotsState(host: string): Promise<RobotsState> {
    const origins = [`https://${host}`, `http://${host}`]
    const noted = await Promise.all(origins.map(origin => this.rooms.frontier.noted(host, noteKey(origin))))
    return robotsStateOf(noted.flatMap(bytes => inRules(bytes, ({ kind }) => kind) ?? []))
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
      ...this.judged(url, link?.hops ?? 0),
      robots,
      agent: agent(),
    }
  }

  private judged(url: string, hops: number): Pick<DeskStory, 'heldBy' | 'setting'> {
    const target = webUrl(url)
    if (typeof target === 'string') return { heldBy: target }
    const rules = this.rooms.rules()
    const heldBy = rules?.refusal(target, hops)
    if (rules === undefined || heldBy === undefined) return { heldBy }
    return { heldBy, setting: rules.settingBehind(heldBy, target) }
  }

  private async robotsStory(url: string): Promise<RobotsStory> {
    const origin = originOf(url)
    const bytes = await this.rooms.frontier.noted(hostOf(url), noteKey(origin))
    const found = inRules(bytes, rules => {
      const { allowed, line } = rules.verdict(url)
      const kind = allowed ? ('allowed' as const) : ('refused' as const)
      return { kind, line, crawlDelaySeconds: rules.crawlDelaySeconds }
    })
    return found ?? { kind: 'unknown' }
  }
}

/** Looks something up in the noted rules of a robots.txt; undefined when there are none, or they are damaged or of another version. */
function inRules<Found>(bytes: Uint8Array | undefined, look: (rules: RobotsRules) => Found): Found | undefined {
  try {
    return bytes && look(new RobotsRules(bytes))
  } catch (error) {
    if (error instanceof EscalonaError) return undefined
    throw error
  }
}

function bounded(page: Cursor): Cursor {
  return { ...page, limit: Math.min(Math.max(1, page.limit), MOST_ITEMS) }
}
