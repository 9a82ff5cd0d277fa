import type { ActionLine, NumberedEvent } from '../parts/api.ts'
import { shownDuration, shownMoment } from '../parts/formats.ts'
import { optionText } from './setting-values.ts'
import { settingsWords } from './settings-words.ts'

type AnyAction = Omit<ActionLine, 'atMs' | 'result'> | Extract<NumberedEvent, { kind: 'action' }>['action']

const MOST_URLS = 3

/** What a person did, in one line. Names in it come from outside. */
export function actionText(action: AnyAction): string {
  const { kinds } = settingsWords()
  const given = action as Exclude<ActionLine, { kind: 'nothing' }>
  switch (given.kind) {
    case 'add seeds': {
      // A long list is cut before it comes here, so its length is not the number of seeds.
      const isCut = given.urls.length > MOST_URLS
      return kinds.seeds([...given.urls.slice(0, MOST_URLS), ...(isCut ? ['…'] : [])].join(', '))
    }
    case 'change settings':
      return Object.entries(given.settings)
        .map(([setting, value]) => optionText(setting, value))
        .join(' ')
    case 'change host':
      return hostTexts(given.host, given.change).join('; ')
    default:
      return kinds[given.kind]
  }
}

function hostTexts(host: string, change: object): string[] {
  const { delayMs, blockedUntilMs, clear } = change as Readonly<Record<string, unknown>>
  const { kinds } = settingsWords()
  const texts: string[] = []
  if (delayMs === null) texts.push(kinds.noDelay(host))
  if (typeof delayMs === 'number') texts.push(kinds.delay(host, shownDuration(delayMs)))
  if (blockedUntilMs === null) texts.push(kinds.release(host))
  if (typeof blockedUntilMs === 'number') texts.push(kinds.block(host, shownMoment(blockedUntilMs, false)))
  if (clear === true) texts.push(kinds.clear(host))
  return texts
}
