import { EscalonaError } from '../base/errors.ts'
import { message } from '../base/messages/message.ts'
import { closest } from '../base/words/closest.ts'
import { Wildcard } from '../base/words/wildcard.ts'
import { isPatternSet, PATTERN_SETS } from './pattern-sets.ts'

/** What a setting's pattern says about a canonical URL: `*` matches any text, and `@calendars` is a set of {@link PATTERN_SETS}. */
export type UrlPattern = Pick<Wildcard, 'matches'>

export function urlPattern(pattern: string): UrlPattern {
  if (!isPatternSet(pattern)) return new Wildcard(pattern, true)
  const forms = PATTERN_SETS[pattern]
  return { matches: url => forms.some(({ matches }) => matches.test(url)) }
}

/** Throws unless all sets among these patterns exist. `setting`: its name, or its option. */
export function checkPatternSets(setting: string, patterns: readonly string[]): void {
  const unknown = patterns.find(pattern => pattern.startsWith('@') && !isPatternSet(pattern))
  if (unknown === undefined) return
  const names = Object.keys(PATTERN_SETS)
  const meant = closest(unknown, names)
  const hint = meant === undefined ? '' : message('run/hint', { name: meant })
  throw new EscalonaError('CRAWL_BAD_SETTING/no-set', { setting, name: unknown, hint, names })
}
