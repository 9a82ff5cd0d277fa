import { shellWord } from '../base/words/printable.ts'
import { Wildcard } from '../base/words/wildcard.ts'
import { hostOf } from '../url/host-of.ts'
import { classOf } from './reasons.ts'

/**
 * What became of a link: archived (`done`), ended by an error, refused by its host, kept out by a setting (`held`), being fetched
 * (`leased`), or still waiting.
 */
export type LinkState = 'done' | 'failed' | 'refused' | 'held' | 'leased' | 'waiting'

export const LINK_STATES: readonly LinkState[] = ['done', 'failed', 'refused', 'held', 'leased', 'waiting']

/** Where a link comes from: `seed`: it is a seed, or what one redirected to; `found`: on a page or in a sitemap. */
export type LinkOrigin = 'seed' | 'found'

export const LINK_ORIGINS: readonly LinkOrigin[] = ['seed', 'found']

/** Selects links; all of them if empty. */
export interface LinkChoice {
  readonly states?: readonly LinkState[] | undefined
  /** The name of a reason: `robots`, `timeout`, `status-404`; `*` matches any text, as in `status-4*`. */
  readonly reason?: string | undefined
  readonly origin?: LinkOrigin | undefined
  /** The name of a host, with its port if it has one; `*` matches any text, as in `*.example.org`. */
  readonly host?: string | undefined
  /** Part of the URL, in any case. */
  readonly q?: string | undefined
}

/** The state of a known link that was refused for this reason. */
export function stateOf(reason: string): 'failed' | 'refused' | 'held' {
  const kind = classOf(reason)
  return kind === 'not followed' ? 'held' : kind
}

/** The reasons that occurred and that a choice includes. `refusedFor`: how many links were refused for each reason. */
export function reasonsIn(
  { states = LINK_STATES, reason }: LinkChoice,
  refusedFor: Readonly<Record<string, number>>,
): string[] {
  const isWanted = patternTest(reason)
  return Object.keys(refusedFor).filter(one => refusedFor[one]! > 0 && isWanted(one) && states.includes(stateOf(one)))
}

/** Whether a link is chosen, by what its URL and its distance from a seed say. */
export function linkTest({ origin, host, q }: LinkChoice): (link: { url: string; hops: number }) => boolean {
  const isHost = patternTest(host)
  const wanted = q?.trim().toLowerCase() ?? ''
  return ({ url, hops }) =>
    (origin === undefined || (hops === 0) === (origin === 'seed')) &&
    (wanted === '' || url.toLowerCase().includes(wanted)) &&
    (host === undefined || isHost(hostOf(url)))
}

/** How many links a choice includes, as the frontier counts them; undefined when it does not, and they have to be looked at. */
export function countOf(which: LinkChoice, counts: LinkCounts): number | undefined {
  const { states = LINK_STATES, reason, origin, host, q = '' } = which
  if (origin !== undefined || host !== undefined || q.trim() !== '') return undefined
  const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0)
  const ended = sum(reasonsIn(which, counts.refusedFor).map(one => counts.refusedFor[one]!))
  if (reason !== undefined) return ended
  const others = { done: counts.pages, leased: counts.leased, waiting: counts.waiting } as const
  return ended + sum(Object.entries(others).map(([state, count]) => (states.includes(state as LinkState) ? count : 0)))
}

interface LinkCounts {
  readonly waiting: number
  readonly leased: number
  readonly pages: number
  readonly refusedFor: Readonly<Record<string, number>>
}

/** A choice as options of `escalona list`. */
export function choiceOptions({ states = [], reason, origin, host, q }: LinkChoice): string {
  const given = { reason, origin, host, search: q?.trim() }
  const options = Object.entries(given).flatMap(([name, text = '']) =>
    text === '' ? [] : `--${name} ${shellWord(text)}`,
  )
  return [...states.map(state => `--state ${state}`), ...options].join(' ')
}

/** The one host that a choice names; undefined: all, or those that match a pattern. */
export function oneHost({ host }: LinkChoice): string | undefined {
  return host?.includes('*') ? undefined : host
}

function patternTest(pattern: string | undefined): (text: string) => boolean {
  if (pattern === undefined) return () => true
  const wildcard = new Wildcard(pattern, true)
  return text => wildcard.matches(text)
}
