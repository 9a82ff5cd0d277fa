import { Answered } from '../parts/answered.tsx'
import type { Actions } from '../parts/api.ts'
import { useAnswer } from '../parts/api.ts'
import { isoMoment, shownMoment } from '../parts/formats.ts'
import { resultTexts } from '../parts/notices.tsx'
import { Panel } from '../parts/panel.tsx'
import { WebText } from '../parts/web-text.tsx'
import { actionText } from './action-text.ts'
import { settingsWords } from './settings-words.ts'

const EVERY_MS = 2000

/** What people did to the crawl, newest first. */
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
              <thead>
                <tr>
                  <th scope="col">{columns.time}</th>
                  <th scope="col">{columns.what}</th>
                </tr>
              </thead>
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
