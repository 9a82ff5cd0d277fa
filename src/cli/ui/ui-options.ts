import { printable } from '../../base/words/printable.ts'
import type { UiOptions } from '../../server/ui-server.ts'
import type { Environment } from '../terminal/arguments.ts'
import { say, sayAnyway } from '../terminal/say.ts'
import { wrongUse } from '../terminal/use-words.ts'
import { uiWords } from './ui-words.ts'

/** The texts of the options; the port is empty when a free one is wanted. */
interface UiTexts {
  readonly port: string
  readonly bind: string | undefined
  readonly token: string | undefined
}

const ONLY_HERE = '127.0.0.1'
const MOST_TOKEN_CHARS = 200
/** Characters from which on a token cannot be found by trying. */
const LONG_ENOUGH = 16

/** Reads the options of the live page. `option`: the one that names the port. */
export function readUiOptions(
  { port, bind = ONLY_HERE, token = '' }: UiTexts,
  option: string,
  env: Environment,
): UiOptions {
  if (!/^\d*$/.test(port) || Number(port) > 65_535) throw wrongUse(uiWords().badPort(option, printable(port)))
  if (!/^[\w.:-]+$/.test(bind)) throw wrongUse(uiWords().badAddress(printable(bind)))
  const wanted = token || env.ESCALONA_UI_TOKEN || undefined
  // It is sent in a URL and in a header.
  if (wanted !== undefined && (!/^[!-~]+$/.test(wanted) || wanted.length > MOST_TOKEN_CHARS))
    throw wrongUse(uiWords().badToken(MOST_TOKEN_CHARS))
  return { port: Number(port), bind, token: wanted }
}

/** What to say when the page is served to more than this machine, or has a token that could be guessed. */
export function uiWarnings({ bind, token }: UiOptions): string[] {
  const isOnlyHere = bind === 'localhost' || bind === '::1' || /^127\./.test(bind)
  return [
    ...(isOnlyHere ? [] : [uiWords().inTheClear(printable(bind))]),
    ...(token !== undefined && token.length < LONG_ENOUGH ? [uiWords().shortToken(LONG_ENOUGH)] : []),
  ]
}

/** Says where the live page is, also with -q, since its port and token can be new; and what is risky about it. */
export function sayLivePage(url: string, options: UiOptions): void {
  for (const warning of uiWarnings(options)) say('warn', warning)
  const shown = shownAddress(url, options)
  sayAnyway(uiWords().livePage(shown), { event: 'live page', url: shown })
}

/** Those who set a token know it; in a log it would be read by others. */
export function shownAddress(url: string, { token }: UiOptions): string {
  return token === undefined ? url : url.replace(/(?<=\?token=).*/, uiWords().yourToken)
}
