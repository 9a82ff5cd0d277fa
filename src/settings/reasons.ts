// One table of all reasons why a link is not a page: its class, a sentence, and what to do about it. The report, the
// documentation and `explain` are made from it; a reason that lacks a sentence in either language does not compile.
import type { RuleRefusal } from './link-rules.ts'
import { type Explained, type KnownReason, reasonWords, type StatusKind } from './reason-words.ts'
import { ALL_SETTINGS, type SettingName } from './settings-table.ts'
import type { UnfollowedReason } from './unfollowed-words.ts'

export type { FailedReason, HeldReason, KnownReason, RefusedReason } from './reason-words.ts'
export type { UnfollowedReason } from './unfollowed-words.ts'

/**
 * Who or what kept a link from becoming a page.
 *
 * - `held`: a setting of this crawl keeps it out; changing the setting lets it in.
 * - `refused`: the host's answer or its robots.txt.
 * - `failed`: an error, after all retries.
 * - `not followed`: the link never became known.
 */
export type ReasonClass = 'held' | 'refused' | 'failed' | 'not followed'

/** What a reason means and what to do about it, in the current language. */
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
  'host-in-path': 'held',
  'repeated-pair': 'held',
  'max-per-host': 'held',
  address: 'held',
  language: 'held',
  'page-language': 'held',
  filtered: 'held',
  'near-duplicate': 'held',
  robots: 'refused',
  'robots-unavailable': 'refused',
  type: 'refused',
  noindex: 'refused',
  noarchive: 'refused',
  malformed: 'refused',
  sitemap: 'refused',
  'sitemap-none': 'refused',
  cleared: 'refused',
  dns: 'failed',
  connect: 'failed',
  tls: 'failed',
  'tls-expired': 'failed',
  'tls-not-yet-valid': 'failed',
  'tls-self-signed': 'failed',
  'tls-wrong-name': 'failed',
  'tls-unknown-issuer': 'failed',
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
  challenge: 'failed',
  'not-modified': 'failed',
}

const RULED: readonly string[] = [
  'scope',
  'max-depth',
  'include',
  'exclude',
  'host-in-path',
  'repeated-pair',
] satisfies RuleRefusal[]

/** All of them but those of statuses and of robots.txt files, which are made from others. */
export const KNOWN_REASONS = Object.keys(CLASSES) as readonly KnownReason[]

/** Explains why a known link ended without a page. `reason` is a name as counted in `refusedFor`, such as `status-404` or `robots-timeout`. */
export function aboutReason(reason: string): ReasonText {
  const told = reasonWords()
  if (Object.hasOwn(CLASSES, reason)) return textOf(classOf(reason), told.known[reason as KnownReason])
  const [, status] = /^status-(\d{3})$/.exec(reason) ?? []
  if (status !== undefined) {
    const advice = told.statusAdvice[kindOf(status)](reason)
    return { class: classOf(reason), sentence: told.status(statusMeaning(status)), advice }
  }
  if (reason.startsWith('robots-')) {
    const { sentence } = aboutReason(reason.slice('robots-'.length))
    return { class: 'failed', sentence: told.robots(sentence), advice: told.robotsAdvice }
  }
  if (Object.hasOwn(told.unfollowed, reason)) return aboutUnfollowed(reason)
  if (reason.startsWith('sitemap-')) {
    const { sentence } = aboutReason(reason.slice('sitemap-'.length))
    return { class: 'failed', sentence: told.sitemap(sentence), advice: told.sitemapAdvice }
  }
  return textOf('refused', told.unknown(reason))
}

/** Explains why a link was not followed. Two names, `protocol` and `malformed`, mean something else here than for known links. */
export function aboutUnfollowed(reason: string): ReasonText {
  const { unfollowed } = reasonWords()
  if (!Object.hasOwn(unfollowed, reason)) return aboutReason(reason)
  return textOf('not followed', unfollowed[reason as UnfollowedReason])
}

function kindOf(status: string): StatusKind {
  if (status === '401' || status === '403') return 'login'
  if (status === '429' || status === '503') return 'busy'
  return status >= '500' ? 'broken' : 'other'
}

/** The class of a reason for which a known link was refused. Unknown reasons count as refused. */
export function classOf(reason: string): ReasonClass {
  if (Object.hasOwn(CLASSES, reason)) return CLASSES[reason as KnownReason]
  const [, status] = /^status-(\d{3})$/.exec(reason) ?? []
  if (status !== undefined) return status === '429' || status >= '500' ? 'failed' : 'refused'
  return /^(?:robots|sitemap)-/.test(reason) ? 'failed' : 'refused'
}

export function isHeld(reason: string): boolean {
  return classOf(reason) === 'held'
}

/** A page, robots.txt or sitemap was answered with a challenge page. */
export function isChallenge(reason: string): boolean {
  return /^(?:robots-|sitemap-)?challenge$/.test(reason)
}

/** Whether a rule for links (scope, depth, patterns) gave this reason: it can be checked again, and it does not hold for seeds. */
export function isRuled(reason: string): boolean {
  return RULED.includes(reason)
}

/** The settings whose change may let in links that were refused for this reason. */
export function undoneBy(reason: string): readonly SettingName[] {
  return ALL_SETTINGS.filter(({ holds = [] }) => (holds as readonly string[]).includes(reason)).map(({ name }) => name)
}

/** Whether this is a reason for which a known link can be refused. `--retry` accepts these besides class names. */
export function isReason(text: string): boolean {
  return Object.hasOwn(CLASSES, text) || /^status-\d{3}$/.test(text)
}

/** Status names as in RFC 9110, section 15, in every language. */
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

/** `404 Not Found`; for uncommon statuses, what the first digit means. */
export function statusMeaning(status: string): string {
  const name = Object.hasOwn(STATUSES, status) ? STATUSES[status] : reasonWords().statusClass[status[0] ?? '']
  return name === undefined ? status : `${status} ${name}`
}

function textOf(kind: ReasonClass, [sentence, advice]: Explained): ReasonText {
  return { class: kind, sentence, advice }
}
