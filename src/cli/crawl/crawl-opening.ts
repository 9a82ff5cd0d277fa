import { printable, shellWord } from '../../base/words/printable.ts'
import { shownCount, shownDuration, shownTime } from '../../base/words/quantity.ts'
import { OwnHeaders } from '../../fetch/own-headers.ts'
import type { CrawlFile } from '../../folder/crawl-file.ts'
import type { Opening, SharedOpening } from '../../run/opening/opening.ts'
import { type HostSettings, hostHeaders } from '../../settings/host-settings.ts'
import { classOf } from '../../settings/reasons.ts'
import type { CrawlSettings } from '../../settings/settings.ts'
import { endingWords } from './ending-words.ts'
import { namesContact } from './user-agent.ts'

/** A delay from this length on is considerate towards hosts that are not one's own. */
const CONSIDERATE_DELAY_MS = 1000
const MOST_REASONS = 5

/** The parts of a `CrawlSession` that the opening lines need. */
export interface OpenCrawl {
  readonly opening: Opening
  readonly seeds: readonly string[]
  readonly settings: Pick<CrawlSettings, 'userAgent' | 'delayMs' | 'hostSettings'>
  readonly file: Pick<CrawlFile, 'runs'>
}

/** The lines at the start of a crawl: a missing contact, secrets not sent, what is being continued, and what has changed. */
export function openingLines(
  crawl: OpenCrawl,
  isNew: boolean,
  folder: string,
  nowMs: number,
  retry: readonly string[] = [],
): string[] {
  const { opening, seeds, settings } = crawl
  const words = endingWords()
  const lines: string[] = []
  if (!namesContact(settings.userAgent)) {
    const { userAgent, delayMs } = settings
    const slower = delayMs < CONSIDERATE_DELAY_MS ? words.slower(shownDuration(delayMs)) : ''
    lines.push(`${words.noContact(printable(userAgent))}${slower}`)
  }
  lines.push(...unsentLines(crawl))
  const { pages, sinceMs, waiting, changes, addedSeeds, requeued } = opening
  const name = shellWord(folder)
  if (opening.shared !== undefined) lines.push(sharedLine(opening, opening.shared, name, seeds.length))
  else if (isNew) return [...lines, words.begins(name, shownCount(seeds.length), seeds.length === 1)]
  else {
    const archived = words.pages(shownCount(pages), pages === 1)
    lines.push(words.goesOn(name, archived, shownTime(sinceMs, nowMs), shownCount(waiting)))
  }
  if (crawl.file.runs.at(-1)?.isPaused) lines.push(words.paused(name))
  const differences = changes.map(({ setting, before, now }) =>
    words.change(setting, printable(before), printable(now)),
  )
  if (differences.length > 0) lines.push(words.changed(differences.join(', ')))
  if (addedSeeds > 0 && opening.shared?.isBegun !== false)
    lines.push(words.seedsAdded(shownCount(addedSeeds), addedSeeds === 1))
  const reasons = Object.entries(requeued).filter(([, links]) => links > 0)
  if (reasons.length > 0) lines.push(requeuedLine(reasons))
  lines.push(...vainRetries(retry, opening).map(what => words.nothingToRetry(printable(what))))
  const secrets = missingSecrets(crawl.file)
  if (secrets.length > 0) lines.push(words.secretsMissing(printable(secrets.join(', '))))
  return lines
}

/** A machine that begins a crawl for many, or joins one. */
function sharedLine({ pages, waiting }: Opening, shared: SharedOpening, folder: string, seeds: number): string {
  const words = endingWords()
  const { where, others, isBegun } = shared
  if (!isBegun) return words.beginsShared(printable(where), folder, shownCount(seeds), seeds === 1)
  const archived = words.pages(shownCount(pages), pages === 1)
  return words.joins(printable(where), folder, archived, shownCount(waiting), shownCount(others), others === 1)
}

/** Secrets that the previous run had and this one lacks. Folders never keep them; without them, hosts may answer differently. */
function missingSecrets({ runs }: Pick<CrawlFile, 'runs'>): readonly string[] {
  const now = runs.at(-1)?.secrets ?? []
  return (runs.at(-2)?.secrets ?? []).filter(secret => !now.includes(secret))
}

/** Headers that no seed gets: without a word about them, a login would fail silently. */
function unsentLines({ settings, seeds }: OpenCrawl): string[] {
  const words = endingWords()
  return unsentHeaders(settings.hostSettings, seeds).map(({ name, host, origin, instead }) =>
    origin === undefined
      ? words.noSuchSeed(name, printable(host))
      : words.unsent(name, printable(host), printable(origin), printable(instead!)),
  )
}

/** What `--retry` named without effect. Seeds are requeued at every start, so they may have been meant. */
function vainRetries(retry: readonly string[], { requeued }: Opening): readonly string[] {
  if (requeued.seeds !== undefined) return []
  const found = new Set(Object.keys(requeued).flatMap(reason => [reason, classOf(reason) as string]))
  return retry.filter(what => !found.has(what))
}

function requeuedLine(reasons: readonly (readonly [string, number])[]): string {
  const words = endingWords()
  const links = reasons.reduce((sum, [, count]) => sum + count, 0)
  const sorted = reasons.toSorted((a, b) => b[1] - a[1])
  const named = sorted.slice(0, MOST_REASONS).map(([reason, count]) => `${printable(reason)} ${shownCount(count)}`)
  if (sorted.length > MOST_REASONS) named.push('…')
  return words.requeued(words.links(shownCount(links), links === 1), named.join(', '))
}

/** A header of a host's settings that no seed gets. */
interface UnsentHeader {
  readonly name: string
  /** As it was given. */
  readonly host: string
  /** The origin of a seed with that host name but another port or over http; undefined: no seed is on that host. */
  readonly origin: string | undefined
  /** How to name the host so that this origin gets the header. */
  readonly instead: string | undefined
}

/** The headers that no seed gets, because no seed is on their host, its port differs, or it is asked over http. */
export function unsentHeaders(all: readonly HostSettings[], seeds: readonly string[]): UnsentHeader[] {
  const given = hostHeaders(all)
  if (given.length === 0) return []
  const origins = [...new Set(seeds.map(seed => new URL(seed).origin))]
  return given.flatMap(one => {
    const own = new OwnHeaders([one])
    const sent = new Set(origins.flatMap(origin => own.of(origin)))
    const near = origins.find(origin => isOn(origin, one.host))
    const instead = near && namedAs(near, one.host)
    const unsent = Object.keys(one.headers).filter(name => !sent.has(name))
    return unsent.map(name => ({ name, host: one.host, origin: near, instead }))
  })
}

/** Whether an origin has the host name, whatever its scheme and port. */
function isOn(origin: string, host: string): boolean {
  const { hostname } = new URL(origin)
  const name = bareName(host)
  return isWildcard(host) ? hostname.endsWith(`.${name}`) : hostname === name
}

function namedAs(origin: string, host: string): string {
  if (!isWildcard(host)) return origin
  const { protocol, port } = new URL(origin)
  return `${protocol}//*.${bareName(host)}${port === '' ? '' : `:${port}`}`
}

function isWildcard(host: string): boolean {
  return /^\s*(?:https?:\/\/)?\*\./i.test(host)
}

/** The host name in lower case, without scheme, wildcard and port. */
function bareName(host: string): string {
  const rest = host.trim().replace(/^(?:https?:\/\/)?(?:\*\.)?/i, '')
  return new URL(`http://${rest}`).hostname
}
