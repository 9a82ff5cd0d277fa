import type { RulesKind } from '../../robots/rules.ts'
import type { RobotsState } from './host-shapes.ts'

/** What a host's robots.txt files, one per scheme, come to: it forbids all only if both do. */
export function robotsStateOf(kinds: readonly RulesKind[]): RobotsState {
  const [first] = kinds
  if (first === undefined) return 'unknown'
  return kinds.every(kind => kind === first) ? first : 'rules'
}
