import { said } from '../../base/messages/message.ts'
import type { CrawlHappening } from '../../settings/events.ts'
import { classOf, isChallenge } from '../../settings/reasons.ts'
import { hostOf } from '../../url/host-of.ts'
import { BoundedTable, type TableData } from './bounded-table.ts'

/** Details for people to look into, over all runs of a crawl. Their size is bounded; see the limits below. */
export interface DetailsData {
  /** Archived pages by the language they declare, such as `pt-br`; `other` once there are too many names. */
  readonly languages: Readonly<Record<string, number>>
  /** Answers that were not HTML, by media type. */
  readonly refusedTypes: Readonly<Record<string, number>>
  readonly samples: readonly PageSample[]
  readonly slowHosts: TableData<HostAnswers>
  readonly failingHosts: TableData<HostFailures>
  /** The longest `Retry-After` of each host, in milliseconds. */
  readonly retryAfter: TableData<number>
  /** Answers of each host that were challenge pages, since its last page; see docs/challenges.md. */
  readonly challenges: TableData<HostChallenges>
  /** A few URLs for each reason for a failure or refusal. */
  readonly examples: Readonly<Record<string, readonly string[]>>
}

export interface HostAnswers {
  readonly answers: number
  readonly totalMs: number
  readonly longestMs: number
}

export interface HostChallenges {
  readonly answers: number
  /** Whose the last one was; missing when its robots.txt or a sitemap was asked for. */
  readonly by?: string | undefined
}

export interface ChallengedHost extends HostChallenges {
  readonly host: string
}

const MOST_NAMED = 5

/** One sentence about hosts that answer with challenge pages, and what to do; undefined when there are none. */
export function aboutChallenges(hosts: readonly ChallengedHost[]): string | undefined {
  if (hosts.length === 0) return undefined
  const named = hosts.slice(0, MOST_NAMED).map(({ host, by }) => (by === undefined ? host : `${host} (${by})`))
  const all = hosts.length > MOST_NAMED ? [...named, '…'] : named
  return said('run/challenges', { count: hosts.length, hosts: all.join(', ') })
}

/** A host that answered so often in a row is one to talk about. */
export const MANY_CHALLENGES = 3

export interface HostFailures {
  readonly links: number
  /** An example, and the reason of the newest failure. */
  readonly url: string
  readonly reason: string
}

const MOST_NAMES = 200
const MOST_REASONS = 100
const EXAMPLES_PER_REASON = 3
/** Longer URLs are not used as examples: they say little, and all of this is written every few seconds. */
const MOST_URL_CHARS = 500
const MOST_HOSTS = 50

/** Keeps a single slow answer from making a host the slowest of all. */
const DAMPING = 2
const meanMs = ({ totalMs, answers }: HostAnswers) => totalMs / (answers + DAMPING)

export class Details {
  private readonly languages: Map<string, number>
  private readonly refusedTypes: Map<string, number>
  private readonly samples: PageSamples
  private readonly slowHosts: BoundedTable<HostAnswers>
  private readonly failingHosts: BoundedTable<HostFailures>
  private readonly retryAfter: BoundedTable<number>
  private readonly challenges: BoundedTable<HostChallenges>
  private readonly examples: Map<string, string[]>

  constructor(data?: Partial<DetailsData>) {
    this.languages = new Map(Object.entries(data?.languages ?? {}))
    this.refusedTypes = new Map(Object.entries(data?.refusedTypes ?? {}))
    this.samples = new PageSamples(data?.samples)
    this.slowHosts = new BoundedTable(MOST_HOSTS, meanMs, data?.slowHosts)
    this.failingHosts = new BoundedTable(MOST_HOSTS, ({ links }) => links, data?.failingHosts)
    this.retryAfter = new BoundedTable(MOST_HOSTS, ms => ms, data?.retryAfter)
    this.challenges = new BoundedTable(MOST_HOSTS, ({ answers }) => answers, data?.challenges)
    this.examples = new Map(Object.entries(data?.examples ?? {}).map(([reason, urls]) => [reason, [...urls]]))
  }

  record(event: CrawlHappening): void {
    switch (event.kind) {
      case 'answered':
        this.answered(hostOf(event.url), event.tookMs, event.retryAfterMs ?? 0)
        return
      case 'again':
        this.challenged(event)
        return
      case 'failed':
        this.challenged(event)
        this.failed(event.url, event.why)
        this.addExample(event.why, event.url)
        return
      case 'gone':
        if (classOf(event.why) === 'failed') this.failed(`http://${event.host}/`, event.why, event.links)
        return
      case 'refused':
        this.addExample(event.reason, event.url)
        if (event.type !== undefined) countName(this.refusedTypes, event.type)
    }
  }

  /** How many answers of a host were challenge pages, since its last page. */
  challengesOf(host: string): HostChallenges {
    return this.challenges.get(host) ?? { answers: 0 }
  }

  /** The hosts whose last answers were challenge pages, most first. */
  get challengedHosts(): ChallengedHost[] {
    return this.challenges
      .toJSON()
      .entries.filter(([, { answers }]) => answers >= MANY_CHALLENGES)
      .map(([host, challenges]) => ({ host, ...challenges }))
  }

  addPage(page: SampledPage & { readonly language?: string | undefined }, opening: string): void {
    if (page.language !== undefined) countName(this.languages, page.language)
    this.samples.add(page, opening)
    const host = hostOf(page.url)
    if (this.challenges.get(host) !== undefined) this.challenges.set(host, { answers: 0 })
  }

  merge(data: DetailsData): void {
    for (const [name, count] of Object.entries(data.languages)) countName(this.languages, name, count)
    for (const [name, count] of Object.entries(data.refusedTypes)) countName(this.refusedTypes, name, count)
    for (const page of data.samples) this.samples.add(page, page.opening)
    this.slowHosts.merge(data.slowHosts, (a, b) => ({
      answers: a.answers + b.answers,
      totalMs: a.totalMs + b.totalMs,
      longestMs: Math.max(a.longestMs, b.longestMs),
    }))
    this.failingHosts.merge(data.failingHosts, (a, b) => ({
      ...(b.links > a.links ? b : a),
      links: a.links + b.links,
    }))
    this.retryAfter.merge(data.retryAfter, (a, b) => Math.max(a, b))
    this.challenges.merge(data.challenges, (a, b) => ({ ...b, answers: a.answers + b.answers }))
    for (const [reason, urls] of Object.entries(data.examples)) for (const url of urls) this.addExample(reason, url)
  }

  toJSON(): DetailsData {
    return {
      languages: Object.fromEntries(this.languages),
      refusedTypes: Object.fromEntries(this.refusedTypes),
      samples: this.samples.toJSON(),
      slowHosts: this.slowHosts.toJSON(),
      failingHosts: this.failingHosts.toJSON(),
      retryAfter: this.retryAfter.toJSON(),
      challenges: this.challenges.toJSON(),
      examples: Object.fromEntries([...this.examples].map(([reason, urls]) => [reason, [...urls]])),
    }
  }

  private answered(host: string, tookMs: number, retryAfterMs: number): void {
    const { slowHosts, retryAfter } = this
    const known = slowHosts.get(host)
    if (known !== undefined)
      slowHosts.set(host, {
        answers: known.answers + 1,
        totalMs: known.totalMs + tookMs,
        longestMs: Math.max(known.longestMs, tookMs),
      })
    else if (tookMs / (1 + DAMPING) > slowHosts.floor)
      slowHosts.set(host, { answers: 1, totalMs: tookMs, longestMs: tookMs })
    if (retryAfterMs > (retryAfter.get(host) ?? retryAfter.floor)) retryAfter.set(host, retryAfterMs)
  }

  private challenged({
    url,
    why,
    by,
  }: {
    readonly url: string
    readonly why: string
    readonly by?: string | undefined
  }): void {
    if (!isChallenge(why)) return
    const host = hostOf(url)
    const known = this.challenges.get(host)
    this.challenges.set(host, { answers: (known?.answers ?? 0) + 1, by: by ?? known?.by })
  }

  private failed(url: string, reason: string, more = 1): void {
    const host = hostOf(url)
    const known = this.failingHosts.get(host)
    const example = known !== undefined && known.reason === reason ? known.url : url.slice(0, MOST_URL_CHARS)
    this.failingHosts.set(host, { links: (known?.links ?? 0) + more, url: example, reason })
  }

  private addExample(reason: string, url: string): void {
    if (url.length > MOST_URL_CHARS) return
    const urls = this.examples.get(reason)
    if (urls === undefined) {
      if (this.examples.size < MOST_REASONS) this.examples.set(reason, [url])
    } else if (urls.length < EXAMPLES_PER_REASON && !urls.includes(url)) urls.push(url)
  }
}

/** Counts a name. Names come from the web, so their number must be bounded. */
function countName(counts: Map<string, number>, name: string, by = 1): void {
  const key = counts.has(name) || counts.size < MOST_NAMES ? name : 'other'
  counts.set(key, (counts.get(key) ?? 0) + by)
}

export interface PageSample {
  readonly url: string
  readonly title: string
  /** The first words of visible text; empty if the page was counted again from `pages.jsonl`, which does not have them. */
  readonly opening: string
  readonly bytes: number
  readonly tokens: number
  readonly hops: number
}

type SampledPage = Omit<PageSample, 'opening' | 'title'> & { readonly title?: string }

const MOST_SAMPLES = 12
/** Longer texts are cut, since samples are for reading and are written every few seconds. */
const MOST_CHARS = 300

/** Chosen by the hash of their URL: as good as random, and the same whenever the choice is repeated, also after a crash. */
export class PageSamples {
  /** Smallest hash first. */
  private readonly chosen: { readonly hash: number; readonly page: PageSample }[] = []

  constructor(pages: readonly PageSample[] = []) {
    for (const page of pages) this.add(page, page.opening)
  }

  add({ url, title = '', bytes, tokens, hops }: SampledPage, opening: string): void {
    const hash = hashOf(url)
    const { chosen } = this
    if (chosen.length === MOST_SAMPLES && hash >= chosen[MOST_SAMPLES - 1]!.hash) return
    const at = chosen.findIndex(other => other.hash >= hash)
    if (chosen[at]?.page.url === url) return
    const page = { url, title: cut(title), opening: cut(opening), bytes, tokens, hops }
    chosen.splice(at === -1 ? chosen.length : at, 0, { hash, page })
    chosen.length = Math.min(chosen.length, MOST_SAMPLES)
  }

  toJSON(): PageSample[] {
    return this.chosen.map(({ page }) => page)
  }
}

function cut(text: string): string {
  return text.length <= MOST_CHARS ? text : `${Array.from(text.slice(0, MOST_CHARS)).slice(0, -1).join('')}…`
}

/** FNV-1a with a final mix, so that similar URLs get very different hashes. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
