import { Wildcard } from '../base/words/wildcard.ts'
import { isPatternSet, PATTERN_SETS } from './pattern-sets.ts'

/** What a setting's pattern says about a canonical URL: `*` matches any text, and `@calendars` is a set of {@link PATTERN_SETS}. */
export type UrlPattern = Pick<Wildcard, 'matches'>

export function urlPattern(pattern: string): UrlPattern {
  if (!isPatternSet(pattern)) return new Wildcard(pattern, true)
  const forms = PATTERN_SETS[pattern]
  return { matches: url => forms.some(({ matches }) => matches.test(url)) }
}
