import { EscalonaError } from '../../base/errors.ts'
import type { Bilingual } from '../../base/words/language.ts'
import { Wildcard } from '../../base/words/wildcard.ts'
import { noteKey, originOf } from '../../decide/robots-gate.ts'
import type { Cursor, HostView } from '../../frontier/frontier.ts'
import { RobotsRules } from '../../robots/rules.ts'
import type { RunStatus, SettingFacts, ViewedRun } from '../../run/run-status.ts'
import { hostOf } from '../../url/host-of.ts'
import { webUrl } from '../../url/web.ts'
import type { RobotsVerdict, UrlFacts } from './explained-shapes.ts'
import { hostColumns, MOST_ROWS } from './host-columns.ts'
import { type HostFacts, type ListedHost, type RobotsState, robotsStateOf } from './host-shapes.ts'
import type { Asks, QUESTIONS, Says, Source, SourceName } from './questions.ts'

/** What answers from a frontier need to know. The settings may change while a crawl runs, so each is asked anew. */
export type FrontierDeps = SettingFacts & Pick<ViewedRun, 'frontier' | 'machines'>

type By<Who extends 'frontier' | 'run'> = {
  [Name in SourceName]: (typeof QUESTIONS)[Name]['by'] extends Who ? Name : never
}[SourceName]

/** What the run itself answers, or its files in its place. */
export type RunAnswers = {
  readonly [Name in By<'run'>]: (question: Asks<Name>) => Promise<Says<Name>>
}

type FrontierAnswers = {
  readonly [Name in By<'frontier'>]: (question: Asks<Name>, deps: FrontierDeps) => Promise<Says<Name>>
}

const MOST_ITEMS = 500
const MOST_NAMED = 200
/** How many hosts are compared with a pattern in one call. */
const MOST_COMPARED = 1000

/** What a frontier says: that of a running crawl, or one read from files. Every answer is bounded: long lists come page by page. */
const FRONTIER_ANSWERS: FrontierAnswers = {
  async explain({ url }, deps): Promise<UrlFacts> {
    const { frontier, agent } = deps
    const [explanations, link, host, robots] = await Promise.all([
      frontier.explain([url]),
      frontier.link(url),
      frontier.host(hostOf(url)),
      robotsVerdict(url, deps),
    ])
    return {
      frontier: explanations[0]!,
      link,
      host: host && listedHost(host, deps),
      ...heldBy(url, link?.hops ?? 0, deps),
      preference: deps.preference(url),
      robots,
      agent: agent(),
    }
  },

  async listLinks({ which, page }, { frontier }) {
    const { state, host } = which
    if (state !== 'waiting' || host === undefined) return frontier.links(defined(which), bounded(page))
    // One host's links are listed directly; finding them among all links would mean a search.
    const { items, next } = await frontier.waiting(host, bounded(page))
    return { items: items.map(link => ({ ...link, host, attempts: 0 })), next }
  },

  async listHosts({ page, host }, deps) {
    const { frontier } = deps
    const shown = (views: readonly HostView[]) => views.map(view => listedHost(view, deps))
    if (host !== undefined && !host.includes('*')) {
      const found = await frontier.host(host)
      return { items: shown(found === undefined ? [] : [found]), next: undefined }
    }
    if (host === undefined) {
      const { items, next } = await frontier.hosts(bounded(page))
      return { items: shown(items), next }
    }
    const pattern = new Wildcard(host, true)
    const { items, next } = await frontier.hosts({ ...defined(page), limit: MOST_COMPARED })
    return { items: shown(items.filter(view => pattern.matches(view.host))), next }
  },

  async hostColumns(page, deps) {
    const { items, next } = await deps.frontier.hosts(bounded(page, MOST_ROWS))
    return hostColumns(items, next, host => gapOf(host, deps).ms, deps.clock())
  },

  async hostsNamed({ hosts }, deps) {
    const found = await Promise.all(hosts.slice(0, MOST_NAMED).map(host => hostNamed(host, deps)))
    return found.filter(host => host !== undefined)
  },
}

/** Answers from a frontier, and with what is known of its run: without anything, of a frontier alone. */
export function sourceOf(deps: FrontierDeps, run: Partial<RunAnswers> = {}): Source {
  const answers: object = { status: () => frontierStatus(deps), ...run, ...FRONTIER_ANSWERS }
  type Answers = Readonly<Record<string, (question: unknown, deps: FrontierDeps) => Promise<never>>>
  return { ask: async (name, question) => (answers as Answers)[name]!(question, deps) }
}

/** The state of a frontier of whose run nothing is known. */
export async function frontierStatus({ frontier, machines }: FrontierDeps): Promise<RunStatus<Bilingual>> {
  const [counts, outlook] = await Promise.all([frontier.counts(), frontier.outlook()])
  return { frontier: counts, outlook, running: undefined, ...(machines && { machines: machines() }) }
}

function listedHost(host: HostView, deps: FrontierDeps): ListedHost {
  const waitsFor = deps.restCause(host)
  const isByShare = deps.strategy() === 'important'
  const outage = host.isDown ? deps.outage(host.host) : undefined
  const gap = deps.gapOf(host.host)
  const slowed = gap.by === 'little new' && { slowedMs: gap.ms }
  const share = isByShare && { isByShare }
  return { ...host, ...slowed, ...share, ...(waitsFor && { waitsFor }), ...(outage && { outage }) }
}

async function hostNamed(name: string, deps: FrontierDeps): Promise<HostFacts | undefined> {
  const [host, robots] = await Promise.all([deps.frontier.host(name), robotsState(name, deps)])
  if (host === undefined) return undefined
  return { ...listedHost(host, deps), gap: gapOf(host, deps), blockedUntilMs: deps.blockedUntilMs(name), robots }
}

function gapOf({ host, delayMs }: HostView, deps: FrontierDeps): HostFacts['gap'] {
  const gap = deps.gapOf(host)
  return delayMs > gap.ms ? { ms: delayMs, by: 'robots.txt' } : gap
}

async function robotsState(host: string, { frontier }: FrontierDeps): Promise<RobotsState> {
  const origins = [`https://${host}`, `http://${host}`]
  const noted = await Promise.all(origins.map(origin => frontier.noted(host, noteKey(origin))))
  return robotsStateOf(noted.flatMap(bytes => inRules(bytes, ({ kind }) => kind) ?? []))
}

function heldBy(url: string, hops: number, deps: FrontierDeps): Pick<UrlFacts, 'heldBy' | 'setting'> {
  const target = webUrl(url)
  if (typeof target === 'string') return { heldBy: target }
  const rules = deps.rules()
  const reason = rules?.refusal(target, hops)
  if (rules === undefined || reason === undefined) return { heldBy: reason }
  return { heldBy: reason, setting: rules.settingBehind(reason, target) }
}

async function robotsVerdict(url: string, { frontier }: FrontierDeps): Promise<RobotsVerdict> {
  const bytes = await frontier.noted(hostOf(url), noteKey(originOf(url)))
  const found = inRules(bytes, rules => {
    const { allowed, line } = rules.verdict(url)
    const kind = allowed ? ('allowed' as const) : ('refused' as const)
    return { kind, line, crawlDelaySeconds: rules.crawlDelaySeconds }
  })
  return found ?? { kind: 'unknown' }
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

function bounded(page: Asks<'hostColumns'>, most = MOST_ITEMS): Cursor {
  return { ...defined(page), limit: Math.min(Math.max(1, page.limit), most) }
}

function defined<Value extends object>(value: Value): { [Name in keyof Value]: Exclude<Value[Name], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as never
}
