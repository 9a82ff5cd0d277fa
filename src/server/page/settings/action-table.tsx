import { choiceOptions } from '../../../settings/link-choice.ts'
import type { Actions } from '../../../view/questions/action-shapes.ts'
import type { NumberedEvent } from '../../../view/questions/crawl-shapes.ts'
import { useAnswer } from '../parts/api.ts'
import { isoMoment, shownDuration, shownMoment } from '../parts/formats.ts'
import { resultTexts } from '../parts/notices.tsx'
import { Answered, Panel, TableHead } from '../parts/panel.tsx'
import { WebText } from '../parts/web-text.tsx'
import { optionText } from './settings-form.tsx'
import { settingsWords } from './settings-words.ts'

const EVERY_MS = 2000

export function ActionTable() {
  const asked = useAnswer<Actions>('/api/actions', EVERY_MS)
  const { actions, noActions, columns } = settingsWords()
  return (
    <Panel title={actions}>
      <Answered asked={asked}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="empty">{noActions}</p>
          ) : (
            <table class="small" aria-label={actions}>
              <TableHead columns={[columns.time, columns.what]} />
              <tbody>
                {items.map(line => (
                  <tr key={line.atMs}>
                    <td class="faint time">
                      <time dateTime={isoMoment(line.atMs)}>{shownMoment(line.atMs)}</time>
                    </td>
                    <td>
                      <WebText text={actionText(line)} most={300} />
                      <span class="faint"> {resultTexts(line.result).join(' ')}</span>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Answered>
    </Panel>
  )
}

type ActionLine = Actions['items'][number]
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
    case 'retry links':
    case 'let links in':
      return kinds[given.kind](choiceOptions(given.which))
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
