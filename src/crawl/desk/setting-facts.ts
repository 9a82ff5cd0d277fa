import type { Clock } from '../../base/clock.ts'
import { HostBook } from '../../settings/host-settings.ts'
import { LinkRules, linkRuleOptions } from '../../settings/link-rules.ts'
import { agentOf, type CrawlSettings } from '../../settings/settings.ts'
import { registrableDomain } from '../../url/registrable-domain.ts'
import { Rests, restCause } from '../rests.ts'
import type { DeskRooms } from './frontier-desk.ts'

const NO_GAP = { ms: 0, by: 'setting' } as const

/**
 * What a desk knows from the settings alone, without what the process of a running crawl remembers. `settings`: undefined in
 * a folder without `crawl.json`. `rests`: what is known of the hosts' rests and blocks.
 */
export function settingFacts(
  settings: CrawlSettings | undefined,
  seeds: readonly string[],
  clock: Clock,
  rests = new Rests(),
): Omit<DeskRooms, 'frontier' | 'machines'> {
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
