import type { UiOptions } from '../../server/ui-server.ts'
import { say, sayAnyway } from '../terminal/say.ts'
import { uiWarnings } from './ui-options.ts'
import { uiWords } from './ui-words.ts'

/** Says where the live page is, also with -q, since its port and token can be new; and what is risky about it. */
export function sayLivePage(url: string, options: UiOptions): void {
  for (const warning of uiWarnings(options)) say('warn', warning)
  sayAnyway(uiWords().livePage(url), { event: 'live page', url })
}
