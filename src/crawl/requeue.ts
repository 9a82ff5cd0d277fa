import { EscalonaError } from '../base/errors.ts'
import { closest } from '../base/words/closest.ts'
import { catalogue } from '../base/words/language.ts'
import { printable } from '../base/words/printable.ts'
import type { Frontier, Link, LinkView } from '../frontier/frontier.ts'
import { classOf, isReason, undoneBy } from './reasons.ts'
import type { CrawlSettings } from './settings.ts'
import type { LinkRules } from './worker/link-rules.ts'

type Shelf = Pick<Frontier, 'links' | 'requeue' | 'explain' | 'counts'>

const AT_ONCE = 1000
/** Reasons that the rules about links give, and can take back. */
const RULED = ['scope', 'max-depth', 'include', 'exclude']
const CLASSES = ['failed', 'refused', 'held']

const words = catalogue({
  en: {
    badRetry: (text: string, hint: string) =>
      `--retry takes failed, refused, held or a reason such as timeout or status-404, not ${text}${hint}`,
    hint: (name: string) => `; did you mean ${name}?`,
  },
  pt: {
    badRetry: (text: string, hint: string) =>
      `--retry pede failed, refused, held ou um motivo como timeout ou status-404, não ${text}${hint}`,
    hint: (name: string) => `; você quis dizer ${name}?`,
  },
})
