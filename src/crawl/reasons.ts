// Every reason why a link is no page, in one table: its class, a sentence, and what to do about it. What the report, the
// documentation and `explain` say about a reason comes from here; a reason without a sentence in both languages does not compile.
import { type HeldReason, type KnownReason, reasonWords, type Told, type UnfollowedReason } from './reason-words.ts'
import type { CrawlSettings } from './settings.ts'

export type { FailedReason, HeldReason, KnownReason, RefusedReason, UnfollowedReason } from './reason-words.ts'

/**
 * - `held`: a setting of this crawl keeps the link out; another setting lets it in.
 * - `refused`: the host's answer, or its robots.txt.
 * - `failed`: an error, after all retries.
 * - `not followed`: a link that never became known.
 */
export type ReasonClass = 'held' | 'refused' | 'failed' | 'not followed'

/** What a reason means, and what to do about it, in the current language. */
export interface ReasonText {
  readonly class: ReasonClass
  /** What happened. */
  readonly sentence: string
  /** What to do about it. */
  readonly advice: string
}

const CLASSES: Readonly<Record<KnownReason, ReasonClass>> = {
  scope: 'held',
  'max-depth': 'held',
  include: 'held',
  exclude: 'held',
  'max-per-host': 'held',
  address: 'held',
  filtered: 'held',
  robots: 'refused',
  'robots-unavailable': 'refused',
  type: 'refused',
  noindex: 'refused',
  noarchive: 'refused',
  malformed: 'refused',
  sitemap: 'refused',
  cleared: 'refused',
  dns: 'failed',
  connect: 'failed',
  tls: 'failed',
  timeout: 'failed',
  reset: 'failed',
  length: 'failed',
  protocol: 'failed',
  headers: 'failed',
  encoding: 'failed',
  files: 'failed',
  network: 'failed',
  stopped: 'failed',
  proxy: 'failed',
  'proxy-login': 'failed',
  'proxy-refused': 'failed',
  'worker-died': 'failed',
}

/** A known link refused for this reason may be let in when one of these settings has changed. */
const UNDONE_BY: Readonly<Partial<Record<KnownReason, readonly (keyof CrawlSettings)[]>>> = {
  scope: ['scope'],
  'max-depth': ['maxDepth'],
  include: ['include'],
  exclude: ['exclude'],
  'max-per-host': ['maxPerHost', 'hostSettings'],
  address: ['allowNetworks', 'proxy'],
  robots: ['userAgent'],
}

/** The reasons that a setting of ours gives. */
export const HELD_REASONS: readonly HeldReason[] = Object.keys(CLASSES).filter(
  (reason): reason is HeldReason => CLASSES[reason as KnownReason] === 'held',
)

/** About a reason that a known link was refused for, as `refusedFor` counts them: also `status-404`, `robots-timeout` … */
export function aboutReason(reason: string): ReasonText {
  const told = reasonWords()
  if (Object.hasOwn(CLASSES, reason)) return textOf(classOf(reason), told.known[reason as KnownReason])
  const [, status] = /^status-(\d{3})$/.exec(reason) ?? []
  if (status !== undefined) {
    const [sentence] = told.status(status, statusMeaning(status))
    const kind = classOf(reason)
    return { class: kind, sentence, advice: told.statusAdvice[kind === 'failed' ? 'failed' : 'refused'] }
  }
  if (reason.startsWith('robots-')) {
    const { sentence } = aboutReason(reason.slice('robots-'.length))
    return { class: 'failed', sentence: told.robots(sentence), advice: told.robotsAdvice }
  }
  if (Object.hasOwn(told.unfollowed, reason)) return aboutUnfollowed(reason)
  return textOf('refused', told.unknown(reason))
}

/** About a reason why a link of a page was not followed. Two names mean something else there: `protocol` and `malformed`. */
export function aboutUnfollowed(reason: string): ReasonText {
  const { unfollowed } = reasonWords()
  if (!Object.hasOwn(unfollowed, reason)) return aboutReason(reason)
  return textOf('not followed', unfollowed[reason as UnfollowedReason])
}

/** The class of a reason that a known link was refused for. What nobody knows counts as refused. */
export function classOf(reason: string): ReasonClass {
  if (Object.hasOwn(CLASSES, reason)) return CLASSES[reason as KnownReason]
  const [, status] = /^status-(\d{3})$/.exec(reason) ?? []
  if (status !== undefined) return status === '429' || status >= '500' ? 'failed' : 'refused'
  return reason.startsWith('robots-') ? 'failed' : 'refused'
}

export function isHeld(reason: string): boolean {
  return classOf(reason) === 'held'
}

/** The settings of which a change may let links in that were refused for this reason. */
export function undoneBy(reason: string): readonly (keyof CrawlSettings)[] {
  return UNDONE_BY[reason as KnownReason] ?? []
}

/** Whether a known link can be refused for this: what `--retry` accepts besides the names of classes. */
export function isReason(text: string): boolean {
  return Object.hasOwn(CLASSES, text) || /^status-\d{3}$/.test(text)
}

/** RFC 9110 15. Names of statuses are those of the standard in every language. */
const STATUSES: Readonly<Record<string, string>> = {
  200: 'OK',
  204: 'No Content',
  206: 'Partial Content',
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  304: 'Not Modified',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  410: 'Gone',
  429: 'Too Many Requests',
  451: 'Unavailable For Legal Reasons',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

/** `404 Not Found`, or for less usual ones what the first digit says. */
export function statusMeaning(status: string): string {
  const name = Object.hasOwn(STATUSES, status) ? STATUSES[status] : reasonWords().statusClass[status[0] ?? '']
  return name === undefined ? status : `${status} ${name}`
}

function textOf(kind: ReasonClass, [sentence, advice]: Told): ReasonText {
  return { class: kind, sentence, advice }
}
