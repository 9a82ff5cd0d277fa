import type { UiOptions } from '../server/ui-server.ts'
import { say } from './say.ts'
import { uiWarnings } from './ui-options.ts'
import { uiWords } from './ui-words.ts'

/** Says where the live page is, and what is risky about it. */
export function sayLivePage(url: string, options: UiOptions): void {
  for (const warning of uiWarnings(options)) say('warn', warning)
  say('info', uiWords().livePage(url), { event: 'live page', url })
}
