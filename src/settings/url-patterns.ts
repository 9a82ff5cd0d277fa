import { EscalonaError } from '../base/errors.ts'
import { message } from '../base/messages/message.ts'
import { closest } from '../base/words/closest.ts'
import { Wildcard } from '../base/words/wildcard.ts'
import { PATTERN_SETS } from './pattern-sets.ts'

/** What a setting's pattern says about a canonical URL: `*` matches any text, and `@calendars` is a set of {@link PATTERN_SETS}. */
export type UrlPattern = Pick<Wildcard, 'matches'>

export function urlPattern(pattern: string): UrlPattern {
  const set = pattern.startsWith('@') ? PATTERN_SETS[pattern] : undefined
  if (set === undefined) return new Wildcard(pattern, true)
  return { matches: url => set.forms.some(({ matches }) => matches.test(url)) }
}

/** Throws unless all sets among these patterns exist. `setting`: its name, or its option. */
export function checkPatternSets(setting: string, patterns: readonly string[]): void {
  const unknown = patterns.find(pattern => pattern.startsWith('@') && !Object.hasOwn(PATTERN_SETS, pattern))
  if (unknown === undefined) return
  const names = Object.keys(PATTERN_SETS)
  const meant = closest(unknown, names)
  const hint = meant === undefined ? '' : message('run/hint', { name: meant })
  throw new EscalonaError('CRAWL_BAD_SETTING/no-set', { setting, name: unknown, hint, names })
}
