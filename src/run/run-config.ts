import type { HeldLinks } from '../decide/held-links.ts'
import type { LinkRuleOptions, LinkRules } from '../settings/link-rules.ts'
import type { CrawlSettings } from '../settings/settings.ts'

/** What a run goes by; other ones after a change of settings. */
export interface RunConfig {
  readonly settings: CrawlSettings
  /** For worker threads. `rules` start out the same and grow when seeds are added or redirect. */
  readonly ruleOptions: LinkRuleOptions
  readonly rules: LinkRules
  readonly held: HeldLinks
  /** Whether links that are too deep by now may be waiting: an earlier run, or this one, allowed more. */
  readonly mayBeTooDeep: boolean
  /** Whether the next visit of each page is planned. */
  readonly revisits: boolean
}
