import { EscalonaError } from '../base/errors.ts'
import { message } from '../base/messages/message.ts'
import { closest } from '../base/words/closest.ts'
import { LANGUAGE } from './languages.ts'
import { isPatternSet, PATTERN_SETS } from './pattern-sets.ts'

/** Throws unless all sets among these patterns exist. `setting`: its name, or its option. */
export function checkPatternSets(setting: string, patterns: readonly string[]): void {
  const unknown = patterns.find(pattern => pattern.startsWith('@') && !isPatternSet(pattern))
  if (unknown === undefined) return
  const names = Object.keys(PATTERN_SETS)
  const meant = closest(unknown, names)
  const hint = meant === undefined ? '' : message('run/hint', { name: meant })
  throw new EscalonaError('CRAWL_BAD_SETTING/no-set', { setting, name: unknown, hint, names })
}

/** Throws unless these are languages. `setting`: as above. */
export function checkLanguages(setting: string, languages: readonly string[]): void {
  const wrong = languages.find(language => !LANGUAGE.test(language))
  if (wrong !== undefined) throw new EscalonaError('CRAWL_BAD_SETTING/language', { setting, text: wrong })
}
