import type { Clock } from '../base/clock.ts'
import type { HostView } from '../frontier/frontier.ts'
import { HostBook, type SettingGap } from '../settings/host-settings.ts'
import { LinkRules, linkRuleOptions } from '../settings/link-rules.ts'
import { agentOf, type CrawlSettings } from '../settings/settings.ts'
import { registrableDomain } from '../url/registrable-domain.ts'
import { type RestCause, Rests, restCause } from './rests.ts'

/** What the settings say, and what is remembered of hosts, for those who look at a crawl. */
export interface SettingFacts {
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
}

const NO_GAP = { ms: 0, by: 'setting' } as const

/**
 * What is known from the settings alone, without what the process of a running crawl remembers. `settings`: undefined in
 * a folder without `crawl.json`. `rests`: what is known of the hosts' rests and blocks.
 */
export function settingFacts(
  settings: CrawlSettings | undefined,
  seeds: readonly string[],
  clock: Clock,
  rests = new Rests(),
): SettingFacts {
  const hosts = settings && new HostBook(settings)
  const rules = settings && new LinkRules(linkRuleOptions(settings, seeds), registrableDomain)
  const agent = agentOf(settings?.userAgent ?? 'escalona')
  return {
    clock,
    rules: () => rules,
    agent: () => agent,
    gapOf: host => hosts?.gapOf(host) ?? NO_GAP,
    blockedUntilMs: host => rests.blockedUntilMs(host, clock()),
    restCause: view =>
      hosts && restCause(view, { nowMs: clock(), delayMs: host => hosts.delayMs(host), rest: host => rests.of(host) }),
  }
}
